package io.alphaomega.server.insight;

import java.time.Instant;
import java.util.Locale;
import java.util.Optional;

/**
 * Something that keeps alpha from working or from seeing all there is to see, as far as the node knows that is asked.
 *
 * @param subject what is concerned: nodes, as host:port; empty where it is the whole cluster
 * @param count how many of what the kind is about; 0 where nothing is counted
 * @param since when it began, or when this node noticed it; empty if that is not known
 */
public record Trouble(Kind kind, String subject, long count, Optional<Instant> since) {
    /** The one that explains most comes first. */
    public enum Kind {
        /** The store does not answer or takes no writes, on all nodes that answer or on the ones that are named. */
        STORE_AWAY,
        /** A node was lost and has not come back, or a seed node is not in the cluster. */
        NODE_MISSING,
        /** A node is in the cluster and does not answer: what only it knows is missing. */
        NODE_SILENT,
        /** So many shards of the sagas are on none of the nodes that answer. */
        SHARDS_HOMELESS,
        /** Nobody knows which sagas are stuck. */
        STUCK_UNKNOWN,
        /** The list of sagas comes from a search index that cannot be told of so many changes. */
        LIST_BEHIND
    }

    /** Of the sentence that says it; {@code {0}} is since when, and {@code {1}} what it is {@link #about}. */
    public String key() {
        String key = "trouble." + kind.name();
        if (kind == Kind.STORE_AWAY && !subject.isEmpty()) return key + "_AT";
        return kind == Kind.SHARDS_HOMELESS && count == 1 ? key + ".one" : key;
    }

    /** A node, or how many. */
    public String about() {
        return subject.isEmpty() ? String.format(Locale.ROOT, "%,d", count) : subject;
    }
}
