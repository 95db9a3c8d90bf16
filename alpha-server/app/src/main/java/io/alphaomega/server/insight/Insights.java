package io.alphaomega.server.insight;

import akka.actor.Cancellable;
import akka.actor.typed.ActorSystem;
import akka.actor.typed.Props;
import io.alphaomega.server.bulk.BulkOrder;
import io.alphaomega.server.bulk.BulkStatus;
import io.alphaomega.server.cluster.SagaCluster;
import io.alphaomega.server.node.Nodes;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.springframework.context.SmartLifecycle;

/** Gathers from all nodes what people want to see, and has this node answer for itself. */
public final class Insights implements SmartLifecycle {
    /** However many people look: nobody is told anything older. */
    private static final Duration FRESH = Duration.ofSeconds(1);

    /**
     * A node that has missed that an order is cancelled goes on with it no longer than this; and what is amiss is dated so
     * precisely, whether somebody looks or not.
     */
    private static final Duration LEARN_EVERY = Duration.ofSeconds(5);

    private record Gathering(long begun, CompletableFuture<ClusterInsight> insight) {
        boolean isFresh(long now) {
            return now - begun < FRESH.toNanos();
        }
    }

    private final SagaCluster cluster;
    private final InsightActor.Sources sources;
    private final Map<StuckFilter, Gathering> gatherings = new ConcurrentHashMap<>();
    private final Troubles troubles;
    private volatile @Nullable ActorSystem<?> system;
    private volatile @Nullable Cancellable learning;

    Insights(SagaCluster cluster, InsightActor.Sources sources) {
        this.cluster = cluster;
        this.sources = sources;
        this.troubles = new Troubles(sources.clock().instant());
    }

    @Override
    public void start() {
        ActorSystem<Void> running = cluster.system();
        running.systemActorOf(InsightActor.create(sources), InsightActor.NAME, Props.empty());
        // Whatever was ordered before this node came.
        var unused = ask(StuckFilter.NONE, Optional.empty(), running).thenApply(this::learn);
        learning = running.scheduler()
                .scheduleAtFixedRate(LEARN_EVERY, LEARN_EVERY, () -> learn(running), running.executionContext());
        sources.bulk().onEnd(this::tell);
        system = running;
    }

    /** Whatever this node was not told of the orders that it knows: that one is cancelled, or over. */
    private void learn(ActorSystem<?> running) {
        var unused = ask(StuckFilter.NONE, Optional.empty(), running).thenApply(this::learn);
    }

    private void tell(BulkStatus ended) {
        ActorSystem<?> running = system;
        if (running == null) return;
        var unused = ask(StuckFilter.NONE, Optional.of(ended), running);
    }

    /** A bulk order that any node knows is to be known by all. */
    private ClusterInsight learn(ClusterInsight insight) {
        for (BulkStatus bulk : insight.bulk()) sources.bulk().learn(bulk);
        return insight;
    }

    /** Waits for the nodes, a second at most. Empty while this node is starting or stopping. */
    public Optional<ClusterInsight> gather(StuckFilter stuck) {
        ActorSystem<?> running = system;
        if (running == null) return Optional.empty();
        long now = System.nanoTime();
        gatherings.values().removeIf(gathering -> !gathering.isFresh(now));
        return Optional.of(gatherings
                .computeIfAbsent(
                        stuck,
                        filter -> new Gathering(
                                now, ask(filter, Optional.empty(), running).thenApply(this::learn)))
                .insight()
                .join());
    }

    /** The callbacks that the connected instances of a service can run, as of now; empty while a node does not say. */
    Optional<Set<String>> offered(String service) {
        ActorSystem<?> running = system;
        if (running == null) return Optional.empty();
        ClusterInsight now = ask(StuckFilter.NONE, Optional.empty(), running).join();
        if (!now.silent().isEmpty()) return Optional.empty();
        return Optional.of(now.services().stream()
                .filter(each -> each.name().equals(service))
                .findFirst()
                .map(ClusterInsight.Service::callbacks)
                .orElse(Set.of()));
    }

    /** Has every node know the order, and waits for them, a second at most. Empty while this node starts or stops. */
    public Optional<ClusterInsight> spread(BulkOrder order) {
        ActorSystem<?> running = system;
        if (running == null) return Optional.empty();
        sources.bulk().put(order); // Whatever becomes of the others.
        gatherings.clear(); // They do not know of it.
        Optional<BulkStatus> put = Optional.of(new BulkStatus(order, Optional.empty()));
        return Optional.of(ask(StuckFilter.NONE, put, running).join());
    }

    private CompletableFuture<ClusterInsight> ask(StuckFilter stuck, Optional<BulkStatus> put, ActorSystem<?> running) {
        Map<String, CompletableFuture<Optional<Insight>>> answers =
                Nodes.askAll(InsightActor.NAME, replyTo -> new AskInsight(replyTo, stuck, put), Insight.class, running);
        return CompletableFuture.allOf(answers.values().toArray(CompletableFuture[]::new))
                .thenApply(all -> {
                    Map<String, Optional<Insight>> byNode = new LinkedHashMap<>();
                    answers.forEach((node, answer) -> byNode.put(node, answer.join()));
                    return ClusterInsight.of(byNode, troubles, sources.clock().instant());
                });
    }

    /** The actor ends with its system. */
    @Override
    public void stop() {
        Cancellable running = learning;
        if (running != null) running.cancel();
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
