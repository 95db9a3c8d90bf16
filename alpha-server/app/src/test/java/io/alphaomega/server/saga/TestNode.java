package io.alphaomega.server.saga;

import akka.actor.typed.ActorSystem;
import akka.actor.typed.Behavior;
import com.typesafe.config.ConfigFactory;
import io.alphaomega.repository.SagaRepository;
import io.alphaomega.server.clock.SteadyClock;
import io.alphaomega.server.cluster.SagaCluster;
import io.alphaomega.server.properties.ClusterProperties;
import io.alphaomega.server.repository.GroupCommit;
import io.alphaomega.server.sweep.DueLag;
import io.alphaomega.server.sweep.DueScanner;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.IntStream;

/** A node without HTTP and Spring, on any repository: sagas, router and scanner. */
public final class TestNode implements AutoCloseable {
    /** Of the commits to the store, where a test does not say. */
    public static final int LANES = 2;

    public final GroupCommit repository;
    public final Sagas sagas = new Sagas();
    public final Clock clock;
    public final UnreadableSagas unreadable;
    public final SimpleMeterRegistry meters;
    public final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    public final SagaCluster cluster;
    public final Ownership ownership;
    public final Holds holds = new Holds();

    /** @param participants the router of callbacks of this node */
    public TestNode(
            SagaRepository store,
            ClusterProperties place,
            SimpleMeterRegistry meters,
            Function<TestNode, Behavior<RouterCommand>> participants) {
        this(store, place, meters, participants, true, LANES);
    }

    /**
     * @param strict whether actors are told copies of what they are told, as if they were on another node
     * @param lanes of the commits to the store
     */
    public TestNode(
            SagaRepository store,
            ClusterProperties place,
            SimpleMeterRegistry meters,
            Function<TestNode, Behavior<RouterCommand>> participants,
            boolean strict,
            int lanes) {
        this(store, place, meters, participants, strict, lanes, joined -> {}, new SteadyClock(), "");
    }

    /**
     * @param admission has the last word when the node has joined
     * @param settings of Akka, that win over all others
     */
    public TestNode(
            SagaRepository store,
            ClusterProperties place,
            SimpleMeterRegistry meters,
            Function<TestNode, Behavior<RouterCommand>> participants,
            boolean strict,
            int lanes,
            Consumer<ActorSystem<?>> admission,
            Clock clock,
            String settings) {
        this.meters = meters;
        this.clock = clock;
        this.unreadable = new UnreadableSagas(clock);
        this.ownership = new Ownership(clock, meters, Duration.ZERO);
        this.repository = new GroupCommit(store, GroupCommit.Limits.ofLanes(lanes));
        SagaJournal journal = new SagaJournal(repository, repository::submit, threads);
        SagaMetrics metrics = new SagaMetrics(meters, unreadable);
        DueScanner.Settings scanning = new DueScanner.Settings(
                repository,
                repository::isAway,
                sagas,
                clock,
                threads,
                ownership::departures,
                Instant.EPOCH,
                Duration.ofMillis(50),
                new DueLag(meters, clock));
        cluster = new SagaCluster(
                place,
                new SagaSharding(
                        sagas,
                        router -> new SagaActor.Shared(
                                journal,
                                clock,
                                router,
                                metrics,
                                SagaTraces.off(),
                                unreadable,
                                new Alerts(),
                                new WrongAnswers(clock),
                                ownership,
                                sagas,
                                sagas.localSagas(),
                                new SagaMemory(Runtime.getRuntime().maxMemory(), Duration.ofSeconds(30)),
                                holds)),
                participants.apply(this),
                List.of(DueScanner.singleton(scanning)),
                ownership,
                admission,
                () -> {},
                ConfigFactory.parseString("""
                        akka.actor.serialize-messages = %s
                        akka.actor.no-serialization-verification-needed-class-prefix = ["akka."]
                        akka.loglevel = WARNING
                        %s
                        """.formatted(strict, settings)));
    }

    /** A cluster of one on any free port. */
    public static ClusterProperties alone() {
        return at(0);
    }

    /** A place in a cluster of several. */
    public static ClusterProperties at(int port, int... seedPorts) {
        return place("alpha", port, seedPorts, Duration.ofSeconds(1), ClusterProperties.Resolver.KEEP_MAJORITY);
    }

    /** A place in a cluster of several, of somebody who has another one in mind. */
    public static ClusterProperties otherwise(int port, int... seedPorts) {
        return place("other", port, seedPorts, Duration.ofSeconds(2), ClusterProperties.Resolver.KEEP_OLDEST);
    }

    /** A place for a node that looks for others at these ports, and is asked by them at the first. */
    public static ClusterProperties discovering(int port, int... others) {
        ClusterProperties alone = alone();
        List<String> nodes = IntStream.concat(IntStream.of(port), IntStream.of(others))
                .mapToObj(node -> "127.0.0.1:" + node)
                .toList();
        return new ClusterProperties(
                alone.name(),
                alone.host(),
                alone.port(),
                List.of(),
                new ClusterProperties.Discovery(
                        ClusterProperties.Discovery.Method.CONFIG, "alpha", nodes, port, nodes.size()),
                alone.heartbeatPause(),
                alone.stableAfter(),
                alone.resolver());
    }

    private static ClusterProperties place(
            String name, int port, int[] seedPorts, Duration stableAfter, ClusterProperties.Resolver resolver) {
        List<String> seeds =
                IntStream.of(seedPorts).mapToObj(seed -> "127.0.0.1:" + seed).toList();
        ClusterProperties.Discovery none =
                new ClusterProperties.Discovery(ClusterProperties.Discovery.Method.NONE, "alpha", List.of(), 0, 1);
        return new ClusterProperties(
                name, "127.0.0.1", port, seeds, none, Duration.ofMillis(1_500), stableAfter, resolver);
    }

    public double count(String meter, String... tags) {
        return meters.counter(meter, tags).count();
    }

    public double sagasInMemory() {
        return meters.get("alpha.saga.actors").gauge().value();
    }

    @Override
    public void close() {
        cluster.stop();
        threads.shutdownNow();
    }
}
