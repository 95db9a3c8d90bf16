package io.alphaomega.server.node;

import akka.actor.typed.ActorSystem;
import akka.actor.typed.Props;
import akka.cluster.typed.Cluster;
import io.alphaomega.server.AlphaServer;
import io.alphaomega.server.saga.SagaCluster;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.IntSupplier;
import org.springframework.context.SmartLifecycle;

/** Has this node answer for itself while it is in the cluster. */
final class NodeLifecycle implements SmartLifecycle {
    /**
     * Shards move when nodes come and go, and until the omegas know they take a detour; to count them costs one local
     * message for each.
     */
    static final Duration COUNT_EVERY = Duration.ofSeconds(1);

    private final SagaCluster cluster;
    private final Nodes nodes;
    private final ShardMetrics shards;
    private final Consumer<Set<String>> told;
    private final Duration countEvery;
    private final IntSupplier sagas;
    private final StreamBalance.Settings streams;
    private final ClusterWatch.Settings watched;
    private final StoreWatch.Settings store;
    private final SingletonWatch.Settings singletons;
    private volatile boolean running;

    /** @param told of the node's shards whenever they were counted */
    NodeLifecycle(
            SagaCluster cluster,
            Nodes nodes,
            ShardMetrics shards,
            Consumer<Set<String>> told,
            Duration countEvery,
            IntSupplier sagas,
            StreamBalance.Settings streams,
            ClusterWatch.Settings watched,
            StoreWatch.Settings store,
            SingletonWatch.Settings singletons) {
        this.cluster = cluster;
        this.nodes = nodes;
        this.shards = shards;
        this.told = told;
        this.countEvery = countEvery;
        this.sagas = sagas;
        this.streams = streams;
        this.watched = watched;
        this.store = store;
        this.singletons = singletons;
    }

    @Override
    public void start() {
        ActorSystem<Void> system = cluster.system();
        system.systemActorOf(
                NodeActor.create(cluster.region(), this::counted, countEvery, this::report),
                Nodes.ACTOR,
                Props.empty());
        system.systemActorOf(ClusterWatch.create(watched), "cluster-watch", Props.empty());
        system.systemActorOf(StoreWatch.create(store), "store-watch", Props.empty());
        system.systemActorOf(
                SingletonWatch.create(cluster.singletonPaths(), singletons), "singleton-watch", Props.empty());
        system.systemActorOf(StreamBalance.create(streams), "stream-balance", Props.empty());
        nodes.open(system);
        running = true;
    }

    private void counted(Set<String> now) {
        shards.counted(now);
        told.accept(now);
    }

    private NodeReport report() {
        return new NodeReport(
                AlphaServer.version(),
                Duration.ofMillis(ManagementFactory.getRuntimeMXBean().getUptime()),
                sagas.getAsInt(),
                shards.count(),
                streams.streams().getAsInt(),
                watched.name(),
                ClusterWatch.upMembers(Cluster.get(cluster.system()).state()),
                Optional.of(store.storedAgo().get()));
    }

    /** The actor ends with its system. */
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
