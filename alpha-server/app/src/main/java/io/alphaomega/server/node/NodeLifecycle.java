package io.alphaomega.server.node;

import akka.actor.typed.ActorSystem;
import akka.actor.typed.Behavior;
import akka.actor.typed.Props;
import akka.cluster.typed.Cluster;
import io.alphaomega.server.cluster.SagaCluster;
import io.alphaomega.server.process.Release;
import java.lang.management.ManagementFactory;
import java.time.Clock;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.IntSupplier;
import java.util.function.Supplier;
import org.springframework.context.SmartLifecycle;

/** Has this node answer for itself while it is in the cluster. */
final class NodeLifecycle implements SmartLifecycle {
    /**
     * Shards move when nodes come and go, and until the omegas know they take a detour; to count them costs one local
     * message for each.
     */
    static final Duration COUNT_EVERY = Duration.ofSeconds(1);

    /**
     * What a node says of itself besides.
     *
     * @param cluster the name of its cluster
     * @param sagas in its memory
     * @param streams that it has
     * @param storedAgo how long ago it last stored something
     * @param store that all nodes have in common
     * @param homes of the shards
     * @param clock by which it decides
     */
    record Facts(
            String cluster,
            IntSupplier sagas,
            IntSupplier streams,
            Supplier<Duration> storedAgo,
            CommonStore store,
            ShardHomes homes,
            Clock clock) {}

    private final SagaCluster cluster;
    private final Nodes nodes;
    private final ShardMetrics shards;
    private final Consumer<Set<String>> told;
    private final Duration countEvery;
    private final Facts facts;
    private final Map<String, Behavior<?>> watches;
    private volatile boolean running;

    /**
     * @param told of the node's shards whenever they were counted
     * @param watches what else runs on each node, by the name of its actor
     */
    NodeLifecycle(
            SagaCluster cluster,
            Nodes nodes,
            ShardMetrics shards,
            Consumer<Set<String>> told,
            Duration countEvery,
            Facts facts,
            Map<String, Behavior<?>> watches) {
        this.cluster = cluster;
        this.nodes = nodes;
        this.shards = shards;
        this.told = told;
        this.countEvery = countEvery;
        this.facts = facts;
        this.watches = watches;
    }

    @Override
    public void start() {
        ActorSystem<Void> system = cluster.system();
        system.systemActorOf(
                NodeActor.create(cluster.region(), this::counted, countEvery, this::report),
                Nodes.ACTOR,
                Props.empty());
        watches.forEach((name, watch) -> system.systemActorOf(watch, name, Props.empty()));
        nodes.open(system);
        running = true;
    }

    private void counted(Set<String> now) {
        shards.counted(now);
        facts.homes().counted(now);
        told.accept(now);
    }

    private NodeReport report(AskNode ask) {
        return new NodeReport(
                Release.version(),
                Duration.ofMillis(ManagementFactory.getRuntimeMXBean().getUptime()),
                facts.sagas().getAsInt(),
                shards.count(),
                facts.streams().getAsInt(),
                facts.cluster(),
                ClusterWatch.upMembers(Cluster.get(cluster.system()).state()),
                Optional.of(facts.storedAgo().get()),
                ask.ofStore() ? facts.store().anySaga() : Optional.empty(),
                facts.homes().isSettled(),
                Optional.of(facts.clock().instant()));
    }

    /** The actors end with their system. */
    @Override
    public void stop() {
        nodes.close();
        running = false;
    }

    @Override
    public boolean isRunning() {
        return running;
    }

    /** While the cluster is there. */
    @Override
    public int getPhase() {
        return SagaCluster.PHASE + 1;
    }
}
