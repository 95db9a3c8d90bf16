package io.alphaomega.server.node;

import akka.actor.typed.Behavior;
import akka.actor.typed.javadsl.Behaviors;
import io.alphaomega.server.AlphaProperties;
import io.alphaomega.server.saga.FaultyRepository;
import io.alphaomega.server.saga.TestNode;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;

/** A node that answers for itself, and counts how often it would have ended. */
final class ReportingNode implements AutoCloseable {
    final Nodes nodes = new Nodes();
    final AtomicInteger sagas = new AtomicInteger();
    final AtomicInteger streams = new AtomicInteger();
    final AtomicInteger ended = new AtomicInteger();
    volatile Duration storedAgo = Duration.ZERO;
    volatile Set<String> told = Set.of();
    final TestNode node;
    private final AlphaProperties.Cluster place;

    ReportingNode(FaultyRepository store, AlphaProperties.Cluster place) {
        this(store, place, "");
    }

    /** @param settings of Akka, that win over all others */
    ReportingNode(FaultyRepository store, AlphaProperties.Cluster place, String settings) {
        this.place = place;
        node = new TestNode(store, place, new SimpleMeterRegistry(), self -> Behaviors.empty(), true, settings);
        node.cluster.start();
    }

    /** From now on. */
    ReportingNode reports() {
        return watches(Map.of());
    }

    /** From now on it reports, and watches that. */
    ReportingNode watches(Map<String, Behavior<?>> watches) {
        NodeLifecycle.Facts facts = new NodeLifecycle.Facts(place.name(), sagas::get, streams::get, () -> storedAgo);
        new NodeLifecycle(
                        node.cluster,
                        nodes,
                        new ShardMetrics(node.meters),
                        shards -> told = shards,
                        Duration.ofMillis(50),
                        facts,
                        watches)
                .start();
        return this;
    }

    /** How many nodes it sees that are up and answer it. */
    long inTouch() {
        List<Nodes.Node> all = nodes.all();
        return all.stream()
                .filter(each ->
                        each.status() == Nodes.Status.UP && each.report().isPresent())
                .count();
    }

    @Override
    public void close() {
        nodes.close();
        node.close();
    }
}
