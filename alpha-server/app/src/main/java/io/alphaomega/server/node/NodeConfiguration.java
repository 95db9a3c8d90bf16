package io.alphaomega.server.node;

import akka.actor.typed.ActorSystem;
import akka.actor.typed.Behavior;
import io.alphaomega.server.clock.SteadyClock;
import io.alphaomega.server.cluster.Downed;
import io.alphaomega.server.cluster.SagaCluster;
import io.alphaomega.server.process.Stop;
import io.alphaomega.server.properties.AlphaProperties;
import io.alphaomega.server.properties.ClusterProperties;
import io.alphaomega.server.properties.ClusterProperties.Resolver;
import io.alphaomega.server.repository.GroupCommit;
import io.alphaomega.server.saga.SagaMetrics;
import io.alphaomega.server.stream.GrpcServer;
import io.alphaomega.server.stream.StreamMetrics;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.TimeGauge;
import java.time.Clock;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.springframework.boot.ApplicationRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Puts together what a node says of itself. */
@Configuration(proxyBeanMethods = false)
class NodeConfiguration {
    @Bean
    Nodes nodes(Clock clock) {
        return new Nodes(clock);
    }

    @Bean
    Clocks clocks(Clock clock, MeterRegistry registry) {
        return new Clocks(clock, registry);
    }

    @Bean
    CommonStore commonStore(GroupCommit repository) {
        return new CommonStore(repository);
    }

    @Bean
    ShardHomes shardHomes() {
        return new ShardHomes();
    }

    @Bean
    MissingNodes missingNodes(AlphaProperties properties, Clock clock) {
        ClusterProperties configured = properties.cluster();
        return new MissingNodes(configured.seedNodes(), configured.discovery().isOn(), clock);
    }

    /** The node is not ready before. */
    @Bean
    ApplicationRunner shardsFirst(ShardHomes homes) {
        return arguments -> homes.await(ShardHomes.WITHIN);
    }

    @Bean
    Consumer<ActorSystem<?>> admission(Clocks clocks, CommonStore store) {
        return joined -> {
            clocks.admit(joined);
            store.admit(joined);
        };
    }

    @Bean
    NodeLifecycle nodeLifecycle(
            AlphaProperties properties,
            SagaCluster cluster,
            Nodes nodes,
            MeterRegistry registry,
            SagaMetrics sagas,
            StreamMetrics streams,
            GrpcServer grpc,
            GroupCommit repository,
            CommonStore store,
            ShardHomes homes,
            MissingNodes missing,
            SteadyClock clock,
            Clocks clocks) {
        AtomicInteger absent = new AtomicInteger();
        Gauge.builder("alpha.cluster.absent.seed.nodes", absent, AtomicInteger::get)
                .description("Configured seed nodes that are not in this cluster")
                .register(registry);
        ClusterProperties configured = properties.cluster();
        Resolver resolver = configured.resolver();
        TimeGauge.builder("alpha.clock.correction", clock, TimeUnit.SECONDS, NodeConfiguration::aheadOfWall)
                .description("How far this node's clock is ahead of its machine's, which it follows slowly")
                .register(registry);
        Map<String, Behavior<?>> watches = Map.of(
                "missing-watch",
                MissingWatch.create(missing),
                "home-seeker",
                HomeSeeker.create(homes, HomeSeeker.LOOK_EVERY),
                "clock-watch",
                ClockWatch.create(
                        clocks,
                        new ClockWatch.Settings(
                                clock::aheadOfWall,
                                ClockWatch.LOOK_EVERY,
                                why -> Stop.leaving(Downed.EXIT_CODE, "its clock is not that of the cluster"))),
                "common-store-watch",
                CommonStoreWatch.create(
                        store, new CommonStoreWatch.Settings(CommonStoreWatch.LOOK_EVERY, Downed.withAnotherStore())),
                "stream-balance",
                StreamBalance.create(
                        new StreamBalance.Settings(streams::connections, grpc::move, StreamBalance.LOOK_EVERY)),
                "crash-watch",
                CrashWatch.create(new CrashWatch.Settings(resolver, CrashWatch::isClosed)),
                "removal-watch",
                RemovalWatch.create(
                        new RemovalWatch.Settings(resolver, RemovalWatch.LOOK_EVERY, Downed.takenForDead())),
                "cluster-watch",
                ClusterWatch.create(new ClusterWatch.Settings(
                        configured.name(),
                        configured.seedNodes(),
                        resolver == Resolver.KEEP_MAJORITY,
                        absent,
                        cluster::hasRivals,
                        ClusterWatch.LOOK_EVERY,
                        Downed.inTheSmallerCluster())),
                "store-watch",
                StoreWatch.create(new StoreWatch.Settings(
                        repository::awayFor,
                        repository::storedAgo,
                        StoreWatch.LOOK_EVERY,
                        resolver != Resolver.DOWN_ALL,
                        Downed.withoutStore())),
                "singleton-watch",
                SingletonWatch.create(
                        cluster.singletonPaths(),
                        new SingletonWatch.Settings(SingletonWatch.LOOK_EVERY, Downed.withoutSingletons())));
        return new NodeLifecycle(
                cluster,
                nodes,
                new ShardMetrics(registry),
                grpc::shards,
                NodeLifecycle.COUNT_EVERY,
                new NodeLifecycle.Facts(
                        configured.name(),
                        sagas::inMemory,
                        streams::connections,
                        repository::storedAgo,
                        store,
                        homes,
                        clock),
                watches);
    }

    private static double aheadOfWall(SteadyClock clock) {
        return clock.aheadOfWall().toMillis() / 1_000.0;
    }
}
