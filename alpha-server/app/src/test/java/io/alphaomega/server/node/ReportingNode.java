package io.alphaomega.server.node;

import akka.actor.Address;
import akka.actor.typed.ActorSystem;
import akka.actor.typed.Behavior;
import akka.actor.typed.javadsl.Adapter;
import akka.actor.typed.javadsl.Behaviors;
import akka.cluster.typed.Cluster;
import akka.remote.RARP;
import akka.remote.testkit.Blackhole;
import akka.remote.testkit.Direction;
import akka.remote.testkit.SetThrottle;
import akka.remote.testkit.ThrottleMode;
import akka.remote.testkit.Unthrottled;
import io.alphaomega.server.properties.ClusterProperties;
import io.alphaomega.server.saga.FaultyRepository;
import io.alphaomega.server.saga.ShiftedClock;
import io.alphaomega.server.saga.TestNode;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;

/** A node that answers for itself, and counts how often it would have ended. */
final class ReportingNode implements AutoCloseable {
    /** Settings of one that others can be kept from. */
    static final String CAN_BE_CUT_OFF = "akka.remote.artery.advanced.test-mode = on\n";

    final ShiftedClock clock;
    final Nodes nodes;
    final Clocks clocks;
    final AtomicInteger sagas = new AtomicInteger();
    final AtomicInteger streams = new AtomicInteger();
    final AtomicInteger ended = new AtomicInteger();
    volatile String endedBecause = "";
    volatile Duration storedAgo = Duration.ZERO;
    volatile Set<String> told = Set.of();
    final TestNode node;
    final CommonStore store;
    final ShardHomes homes = new ShardHomes();
    private final ClusterProperties place;

    ReportingNode(FaultyRepository store, ClusterProperties place) {
        this(store, place, "");
    }

    /** @param settings of Akka, that win over all others */
    ReportingNode(FaultyRepository store, ClusterProperties place, String settings) {
        this(store, place, settings, Duration.ZERO);
    }

    /** @param ahead by which its clock is */
    ReportingNode(FaultyRepository store, ClusterProperties place, String settings, Duration ahead) {
        this.place = place;
        this.store = new CommonStore(store);
        SimpleMeterRegistry meters = new SimpleMeterRegistry();
        clock = new ShiftedClock(ahead);
        nodes = new Nodes(clock);
        clocks = new Clocks(clock, meters);
        node = new TestNode(
                store, place, meters, self -> Behaviors.empty(), true, TestNode.LANES, this::admit, clock, settings);
        node.cluster.start();
    }

    private void admit(ActorSystem<?> joined) {
        clocks.admit(joined);
        store.admit(joined);
    }

    /** From now on. */
    ReportingNode reports() {
        return watches(Map.of());
    }

    /** From now on it reports, and watches that. */
    ReportingNode watches(Map<String, Behavior<?>> watches) {
        NodeLifecycle.Facts facts =
                new NodeLifecycle.Facts(place.name(), sagas::get, streams::get, () -> storedAgo, store, homes, clock);
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

    /** From now on it reports, and looks for homes of the shards. */
    ReportingNode seeksHomes() {
        return watches(Map.of("home-seeker", HomeSeeker.create(homes, Duration.ofMillis(200))));
    }

    /** It would end for that reason. */
    void end(String why) {
        endedBecause = why;
        ended.incrementAndGet();
    }

    /** How many nodes it sees that are up and answer it. */
    long inTouch() {
        List<Nodes.Node> all = nodes.all();
        return all.stream()
                .filter(each ->
                        each.status() == Nodes.Status.UP && each.report().isPresent())
                .count();
    }

    /** Ends without a word, as if its process were killed: the others find its port closed. */
    void crash() {
        node.cluster.system().terminate();
    }

    /** From now on nothing passes between it and these. */
    void loses(List<ReportingNode> others) {
        between(others, Blackhole.getInstance());
    }

    /** From now on everything does again. */
    void finds(List<ReportingNode> others) {
        between(others, Unthrottled.getInstance());
    }

    private void between(List<ReportingNode> others, ThrottleMode mode) {
        for (ReportingNode other : others) {
            Address address =
                    Cluster.get(other.node.cluster.system()).selfMember().address();
            var unused = ((RARP) RARP.get(Adapter.toClassic(node.cluster.system())))
                    .provider()
                    .transport()
                    .managementCommand(new SetThrottle(address, Direction.Both$.MODULE$, mode));
        }
    }

    @Override
    public void close() {
        nodes.close();
        node.close();
    }
}
