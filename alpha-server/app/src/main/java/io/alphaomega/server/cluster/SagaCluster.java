package io.alphaomega.server.cluster;

import akka.actor.Address;
import akka.actor.AddressFromURIString;
import akka.actor.CoordinatedShutdown;
import akka.actor.typed.ActorRef;
import akka.actor.typed.ActorSystem;
import akka.actor.typed.Behavior;
import akka.actor.typed.Props;
import akka.actor.typed.javadsl.Behaviors;
import akka.cluster.MemberStatus;
import akka.cluster.typed.Cluster;
import akka.cluster.typed.ClusterSingleton;
import akka.cluster.typed.Join;
import akka.cluster.typed.JoinSeedNodes;
import akka.cluster.typed.SingletonActor;
import akka.management.cluster.bootstrap.ClusterBootstrap;
import akka.management.javadsl.AkkaManagement;
import com.typesafe.config.Config;
import io.alphaomega.server.properties.ClusterProperties;
import io.alphaomega.server.properties.RefusedPropertyException;
import io.alphaomega.server.saga.Ownership;
import io.alphaomega.server.saga.RouterCommand;
import io.alphaomega.server.saga.SagaSharding;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;

/** This node's part in the cluster: it owns its share of the sagas while it runs. */
public final class SagaCluster implements SmartLifecycle {
    /** Before the stream starts and after it has stopped; the repository is there before and after. */
    public static final int PHASE = 1_000;

    /** A cluster of one is up within a second; the nodes to join may still be starting, on a machine that is busy. */
    private static final Duration UP_WITHIN = Duration.ofSeconds(40);

    /** The sum of the timeouts of Akka's phases in akka.conf, which end earlier. */
    private static final Duration DOWN_WITHIN = Duration.ofSeconds(15);

    private static final Executor VIEWED_SOON = CompletableFuture.delayedExecutor(5, TimeUnit.MILLISECONDS);

    private static final Logger LOG = LoggerFactory.getLogger(SagaCluster.class);

    private final ClusterProperties properties;
    private final SagaSharding sharding;
    private final Behavior<RouterCommand> participants;
    private final List<SingletonActor<?>> singletons;
    private final Runnable onDowned;
    private final Config overrides;
    private final List<Runnable> onDeparture = new CopyOnWriteArrayList<>();
    private final Ownership ownership;
    private final Consumer<ActorSystem<?>> admission;
    private volatile @Nullable ActorSystem<Void> system;
    private volatile @Nullable ActorRef<RouterCommand> router;
    private volatile boolean stopping;

    /**
     * @param singletons of each of these the cluster has one
     * @param ownership hears of every change in the cluster
     * @param admission is told of the system between joining and having sagas, and may wait, and refuse
     * @param onDowned what to do when the other nodes have taken this one for dead: it must not go on
     */
    public SagaCluster(
            ClusterProperties properties,
            SagaSharding sharding,
            Behavior<RouterCommand> participants,
            List<SingletonActor<?>> singletons,
            Ownership ownership,
            Consumer<ActorSystem<?>> admission,
            Runnable onDowned,
            Config overrides) {
        this.properties = properties;
        this.sharding = sharding;
        this.participants = participants;
        this.singletons = List.copyOf(singletons);
        this.ownership = ownership;
        this.admission = admission;
        this.onDowned = onDowned;
        this.overrides = overrides;
    }

    /** The actor system, to put the stream's actors into. */
    public ActorSystem<Void> system() {
        ActorSystem<Void> running = system;
        if (running == null) throw new IllegalStateException("The cluster is asked for before its start.");
        return running;
    }

    /** Whether an alpha that is no member of this cluster works on the same store. */
    public boolean hasRivals() {
        return ownership.hasRivals();
    }

    /** The router of callbacks of this node. */
    public ActorRef<RouterCommand> participants() {
        ActorRef<RouterCommand> running = router;
        if (running == null) throw new IllegalStateException("The router of callbacks is asked for before its start.");
        return running;
    }

    /** From now on this runs when another node is gone, so that what was sent to it is sent again; on any thread. */
    public void onDeparture(Runnable action) {
        onDeparture.add(action);
    }

    /** The sagas of this node, to be asked about its shards. */
    public akka.actor.ActorRef region() {
        return SagaSharding.region(system());
    }

    /** The actors of which the cluster has one, by their paths on the node that has them: the oldest. */
    public List<String> singletonPaths() {
        Stream<String> own = singletons.stream()
                .map(SingletonActor::name)
                .map(name -> "/system/singletonManager%s/%s".formatted(name, name));
        return Stream.concat(Stream.of(SagaSharding.COORDINATOR), own).toList();
    }

    @Override
    public void start() {
        stopping = false;
        Config config = AkkaSettings.of(properties, overrides);
        ActorSystem<Void> starting = ActorSystem.create(Behaviors.empty(), AkkaSettings.SYSTEM, config);
        try {
            join(starting);
            JoinTerms.joined(config);
            admission.accept(starting);
            open(starting);
        } catch (RuntimeException e) {
            stopping = true;
            leave(starting);
            throw e;
        }
        system = starting;
        starting.systemActorOf(
                Membership.following(ownership, () -> onDeparture.forEach(Runnable::run)), "membership", Props.empty());
        akka.cluster.Cluster.get(starting).registerOnMemberRemoved(this::removed);
        starting.getWhenTerminated().thenRun(this::removed);
    }

    private void removed() {
        if (!stopping) onDowned.run();
    }

    private void join(ActorSystem<Void> starting) {
        Cluster cluster = Cluster.get(starting);
        List<String> seeds = properties.seedNodes();
        CompletableFuture<Boolean> up = new CompletableFuture<>();
        if (properties.discovery().isOn()) {
            AkkaManagement.get(starting).start().whenComplete((uri, failure) -> {
                if (failure != null) up.completeExceptionally(failure);
            });
            ClusterBootstrap.get(starting).start();
        } else if (seeds.isEmpty()) {
            cluster.manager().tell(Join.create(cluster.selfMember().address()));
        } else {
            List<Address> addresses = seeds.stream()
                    .map(seed -> AddressFromURIString.parse("akka://%s@%s".formatted(AkkaSettings.SYSTEM, seed)))
                    .toList();
            cluster.manager().tell(new JoinSeedNodes(addresses));
        }
        akka.cluster.Cluster.get(starting).registerOnMemberUp(() -> completeOnceSeen(cluster, up));
        starting.getWhenTerminated().thenRun(() -> up.complete(false));
        try {
            if (up.get(UP_WITHIN.toMillis(), TimeUnit.MILLISECONDS)) return;
        } catch (InterruptedException e) {
            // Not interrupted any more, so that what is open already is closed in order.
            throw new IllegalStateException("The node was asked to stop before it had joined the cluster.", e);
        } catch (ExecutionException e) {
            throw new RefusedPropertyException(
                    "alpha.cluster.discovery.port must be one that is free at alpha.cluster.host=%s but was %d: %s"
                            .formatted(
                                    properties.host(),
                                    properties.discovery().port(),
                                    Objects.requireNonNullElse(e.getCause(), e).getMessage()));
        } catch (TimeoutException e) {
            LOG.debug("This node is still {}.", cluster.selfMember().status());
        }
        throw new RefusedPropertyException(whyNot(starting));
    }

    /** Akka's view of the cluster, by which the node is admitted, hears of it a moment later than who is told here. */
    private static void completeOnceSeen(Cluster cluster, CompletableFuture<Boolean> up) {
        if (up.isDone()) return;
        if (cluster.selfMember().status().equals(MemberStatus.up())) up.complete(true);
        else VIEWED_SOON.execute(() -> completeOnceSeen(cluster, up));
    }

    private String whyNot(ActorSystem<Void> starting) {
        Optional<String> refusal = JoinTerms.refusal(starting.settings().config());
        if (refusal.isPresent()) {
            return "This node may not join the cluster, because all its nodes must have this in common: %s. Start it with what the cluster has, or the whole cluster anew with something else."
                    .formatted(refusal.get());
        }
        String whom = properties.discovery().isOn()
                ? "does alpha.cluster.discovery.method=%s find alpha.cluster.discovery.required-nodes=%d nodes, and are they reachable?"
                        .formatted(
                                AkkaSettings.name(properties.discovery().method()),
                                properties.discovery().requiredNodes())
                : "is one of alpha.cluster.seed-nodes, %s, running and reachable?"
                        .formatted(String.join(",", properties.seedNodes()));
        return "Alpha did not become a member of the cluster within %s s: %s".formatted(UP_WITHIN.toSeconds(), whom);
    }

    private void open(ActorSystem<Void> starting) {
        ActorRef<RouterCommand> opened = starting.systemActorOf(participants, "participants", Props.empty());
        router = opened;
        sharding.open(starting, opened);
        singletons.forEach(ClusterSingleton.get(starting)::init);
    }

    @Override
    public void stop() {
        ActorSystem<Void> running = system;
        if (running == null) return;
        stopping = true;
        leave(running);
        sharding.close();
        system = null;
    }

    private static void leave(ActorSystem<Void> running) {
        try {
            CoordinatedShutdown.get(running)
                    .runAll(CoordinatedShutdown.unknownReason())
                    .toCompletableFuture()
                    .get(DOWN_WITHIN.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (TimeoutException | ExecutionException e) {
            LOG.warn("The node did not leave the cluster in order within {}; the others will take over.", DOWN_WITHIN);
            running.terminate();
        }
        JoinTerms.forget(running.settings().config());
    }

    @Override
    public boolean isRunning() {
        return system != null;
    }

    @Override
    public int getPhase() {
        return PHASE;
    }
}
