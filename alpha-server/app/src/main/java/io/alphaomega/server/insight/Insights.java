package io.alphaomega.server.insight;

import akka.actor.typed.ActorSystem;
import akka.actor.typed.Props;
import io.alphaomega.server.cluster.SagaCluster;
import io.alphaomega.server.node.Nodes;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.springframework.context.SmartLifecycle;

/** Gathers from all nodes what people want to see, and has this node answer for itself. */
public final class Insights implements SmartLifecycle {
    /** However many people look: nobody is told anything older. */
    private static final Duration FRESH = Duration.ofSeconds(1);

    private record Gathering(long begun, CompletableFuture<ClusterInsight> insight) {
        boolean isFresh(long now) {
            return now - begun < FRESH.toNanos();
        }
    }

    private final SagaCluster cluster;
    private final InsightActor.Sources sources;
    private final Map<StuckFilter, Gathering> gatherings = new ConcurrentHashMap<>();
    private volatile @Nullable ActorSystem<?> system;

    Insights(SagaCluster cluster, InsightActor.Sources sources) {
        this.cluster = cluster;
        this.sources = sources;
    }

    @Override
    public void start() {
        ActorSystem<Void> running = cluster.system();
        running.systemActorOf(InsightActor.create(sources), InsightActor.NAME, Props.empty());
        system = running;
    }

    /** Waits for the nodes, a second at most. Empty while this node is starting or stopping. */
    public Optional<ClusterInsight> gather(StuckFilter stuck) {
        ActorSystem<?> running = system;
        if (running == null) return Optional.empty();
        long now = System.nanoTime();
        gatherings.values().removeIf(gathering -> !gathering.isFresh(now));
        return Optional.of(gatherings
                .computeIfAbsent(stuck, filter -> new Gathering(now, ask(filter, running)))
                .insight()
                .join());
    }

    private static CompletableFuture<ClusterInsight> ask(StuckFilter stuck, ActorSystem<?> running) {
        Map<String, CompletableFuture<Optional<Insight>>> answers =
                Nodes.askAll(InsightActor.NAME, replyTo -> new AskInsight(replyTo, stuck), Insight.class, running);
        return CompletableFuture.allOf(answers.values().toArray(CompletableFuture[]::new))
                .thenApply(all -> {
                    Map<String, Optional<Insight>> byNode = new LinkedHashMap<>();
                    answers.forEach((node, answer) -> byNode.put(node, answer.join()));
                    return ClusterInsight.of(byNode);
                });
    }

    /** The actor ends with its system. */
    @Override
    public void stop() {
        system = null;
    }

    @Override
    public boolean isRunning() {
        return system != null;
    }

    /** While the cluster is there. */
    @Override
    public int getPhase() {
        return SagaCluster.PHASE + 1;
    }
}
