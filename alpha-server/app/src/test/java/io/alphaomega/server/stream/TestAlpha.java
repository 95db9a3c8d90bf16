package io.alphaomega.server.stream;

import io.alphaomega.repository.SagaRepository;
import io.alphaomega.saga.Policy;
import io.alphaomega.server.clock.SteadyClock;
import io.alphaomega.server.epoch.StoreEpoch;
import io.alphaomega.server.properties.ClusterProperties;
import io.alphaomega.server.properties.GrpcProperties;
import io.alphaomega.server.saga.FaultyRepository;
import io.alphaomega.server.saga.TestNode;
import io.alphaomega.server.turn.EventLoops;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.netty.handler.ssl.SslContext;
import java.time.Clock;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.web.server.Ssl.ClientAuth;

/** A node that omegas can connect to. */
final class TestAlpha implements AutoCloseable {
    private static final GrpcProperties.Ssl NO_BUNDLE = new GrpcProperties.Ssl("", ClientAuth.NONE);

    final TestNode node;
    final GrpcServer server;
    final CallbackNeeds needs;

    /** What instances offer that are connected to other nodes, by service. */
    final Map<String, Set<String>> offeredElsewhere = new ConcurrentHashMap<>();

    private final EventLoops loops;
    private final StoreEpoch epoch;

    TestAlpha(FaultyRepository store, ClusterProperties place) {
        this(store, place, true);
    }

    /** A node by itself, whose store lives on its event loops. */
    TestAlpha(Function<EventLoops, SagaRepository> store) {
        this(
                new EventLoops(),
                store,
                TestNode.alone(),
                true,
                new Budget(Runtime.getRuntime().maxMemory()),
                new SteadyClock());
    }

    /** @param strict whether actors are told copies of what they are told, as if they were on another node */
    TestAlpha(FaultyRepository store, ClusterProperties place, boolean strict) {
        this(store, place, strict, new Budget(Runtime.getRuntime().maxMemory()), new SteadyClock());
    }

    /** @param clock of its streams only */
    TestAlpha(FaultyRepository store, ClusterProperties place, boolean strict, Budget budget, Clock clock) {
        this(new EventLoops(), loops -> store, place, strict, budget, clock);
    }

    /**
     * A node by itself that commits in so many lanes.
     *
     * @param clock of its streams only
     */
    TestAlpha(FaultyRepository store, int lanes, Clock clock) {
        this(
                new EventLoops(),
                loops -> store,
                TestNode.alone(),
                true,
                new Budget(Runtime.getRuntime().maxMemory()),
                clock,
                null,
                lanes);
    }

    /** A node by itself, to which omegas connect with TLS. */
    TestAlpha(FaultyRepository store, SslContext tls, Clock clock) {
        this(
                new EventLoops(),
                loops -> store,
                TestNode.alone(),
                true,
                new Budget(Runtime.getRuntime().maxMemory()),
                clock,
                tls,
                TestNode.LANES);
    }

    private TestAlpha(
            EventLoops loops,
            Function<EventLoops, SagaRepository> store,
            ClusterProperties place,
            boolean strict,
            Budget budget,
            Clock clock) {
        this(loops, store, place, strict, budget, clock, null, TestNode.LANES);
    }

    private TestAlpha(
            EventLoops loops,
            Function<EventLoops, SagaRepository> store,
            ClusterProperties place,
            boolean strict,
            Budget budget,
            Clock clock,
            @Nullable SslContext tls,
            int lanes) {
        this.loops = loops;
        SimpleMeterRegistry meters = new SimpleMeterRegistry();
        StreamMetrics metrics = new StreamMetrics(meters, budget);
        Instances instances = new Instances();
        AtomicReference<CallbackNeeds> made = new AtomicReference<>();
        node = new TestNode(
                store.apply(loops),
                place,
                meters,
                self -> {
                    CallbackNeeds ofNode = new CallbackNeeds(
                            self.repository,
                            instances,
                            service -> Optional.of(offeredElsewhere.getOrDefault(service, Set.of())),
                            self.clock);
                    made.set(ofNode);
                    return CallbackRouter.create(new CallbackRouter.Shared(
                            self.sagas, self.repository, self.clock, budget, metrics, ofNode, self.threads));
                },
                strict,
                lanes);
        needs = made.get();
        epoch = new StoreEpoch(node.repository, clock, node.holds, node.threads);
        epoch.open(StoreEpoch.EVERY);
        server = new GrpcServer(
                new GrpcPort(new GrpcProperties("127.0.0.1", 0, NO_BUNDLE), loops, tls, clock),
                Policy.DEFAULT,
                node.cluster,
                node.sagas,
                clock,
                budget,
                metrics,
                instances,
                new Rehearsal(0, meters),
                epoch);
        node.cluster.start();
        server.start();
    }

    @Override
    public void close() {
        server.stop();
        epoch.close();
        node.close();
        loops.close();
    }
}
