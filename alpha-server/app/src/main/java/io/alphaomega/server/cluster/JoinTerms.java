package io.alphaomega.server.cluster;

import akka.cluster.ConfigValidation;
import akka.cluster.Invalid;
import akka.cluster.JoinConfigCompatChecker;
import akka.cluster.Valid$;
import com.typesafe.config.Config;
import io.alphaomega.server.properties.ClusterProperties;
import io.alphaomega.server.saga.SagaSharding;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import scala.collection.immutable.Seq;
import scala.jdk.javaapi.CollectionConverters;

/**
 * What all nodes of a cluster must have in common. Akka asks this when a node wants to join, on both sides. The node that
 * is asked says yes to everything, because all that the other one would hear is no: so that is left to the node that
 * asks, which learns what its cluster has, and can say so to a person. A term that is newer than the cluster is no
 * difference: neighbouring versions work together.
 */
public final class JoinTerms extends JoinConfigCompatChecker {
    /** Of what nodes say to each other; raised when neighbouring versions no longer understand each other. */
    static final int PROTOCOL = 1;

    private static final String NODE = "alpha.terms.node";
    private static final String PREFIX = "alpha.terms.";

    /** Behind the prefix, and by which name a person knows it. */
    private static final Map<String, String> TERMS = new LinkedHashMap<>();

    static {
        TERMS.put("name", "alpha.cluster.name");
        TERMS.put("resolver", "alpha.cluster.resolver");
        TERMS.put("stable-after", "alpha.cluster.stable-after");
        TERMS.put("shards", "the number of shards, which comes with alpha's version");
        TERMS.put("protocol", "the protocol between nodes, which comes with alpha's version");
    }

    /** Of the nodes of this process, by their random names: those that have joined, and what others were refused for. */
    private static final Set<String> JOINED = ConcurrentHashMap.newKeySet();

    private static final Map<String, String> REFUSED = new ConcurrentHashMap<>();

    /** As part of Akka's configuration, where Akka looks for it. */
    static Map<String, Object> of(ClusterProperties properties) {
        Map<String, Object> terms = new HashMap<>();
        terms.put(NODE, UUID.randomUUID().toString());
        terms.put(PREFIX + "name", properties.name());
        terms.put(PREFIX + "resolver", AkkaSettings.name(properties.resolver()));
        terms.put(PREFIX + "stable-after", properties.stableAfter().toMillis() + "ms");
        terms.put(PREFIX + "shards", SagaSharding.SHARDS);
        terms.put(PREFIX + "protocol", PROTOCOL);
        return terms;
    }

    /** The node of this configuration has joined: from now on others ask it. */
    static void joined(Config own) {
        JOINED.add(own.getString(NODE));
    }

    /** Why the node of this configuration may not join, if it may not. */
    static Optional<String> refusal(Config own) {
        return own.hasPath(NODE) ? Optional.ofNullable(REFUSED.get(own.getString(NODE))) : Optional.empty();
    }

    /** The node of this configuration is gone. */
    static void forget(Config own) {
        JOINED.remove(own.getString(NODE));
        REFUSED.remove(own.getString(NODE));
    }

    @Override
    public Seq<String> requiredKeys() {
        return CollectionConverters.asScala(
                        TERMS.keySet().stream().map(PREFIX::concat).toList())
                .toSeq();
    }

    @Override
    public ConfigValidation check(Config theirs, Config own) {
        if (JOINED.contains(own.getString(NODE))) return Valid$.MODULE$;
        List<String> differences = TERMS.entrySet().stream()
                .filter(term -> theirs.hasPath(PREFIX + term.getKey()))
                .filter(term -> !value(theirs, term.getKey()).equals(value(own, term.getKey())))
                .map(term -> "%s is %s here but %s in the cluster"
                        .formatted(term.getValue(), value(own, term.getKey()), value(theirs, term.getKey())))
                .toList();
        if (differences.isEmpty()) return Valid$.MODULE$;
        REFUSED.put(own.getString(NODE), String.join("; ", differences));
        return new Invalid(CollectionConverters.asScala(differences).toSeq());
    }

    private static String value(Config config, String term) {
        return config.getString(PREFIX + term);
    }
}
