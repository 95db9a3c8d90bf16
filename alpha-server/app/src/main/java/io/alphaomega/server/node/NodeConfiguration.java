package io.alphaomega.server.node;

import akka.actor.typed.ActorSystem;
import akka.actor.typed.Behavior;
import io.alphaomega.server.cluster.Downed;
import io.alphaomega.server.cluster.SagaCluster;
import io.alphaomega.server.properties.AlphaProperties;
import io.alphaomega.server.properties.ClusterProperties;
import io.alphaomega.server.properties.ClusterProperties.Resolver;
import io.alphaomega.server.repository.GroupCommit;
import io.alphaomega.server.saga.SagaMetrics;
import io.alphaomega.server.stream.GrpcServer;
import io.alphaomega.server.stream.StreamMetrics;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Puts together what a node says of itself. */
@Configuration(proxyBeanMethods = false)
class NodeConfiguration {
    @Bean
    Nodes nodes() {
        return new Nodes();
    }

    @Bean
    CommonStore commonStore(GroupCommit repository) {
        return new CommonStore(repository);
    }

    @Bean
    Consumer<ActorSystem<?>> admission(CommonStore store) {
        return store::admit;
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
            CommonStore store) {
        AtomicInteger absent = new AtomicInteger();
        Gauge.builder("alpha.cluster.absent.seed.nodes", absent, AtomicInteger::get)
                .description("Configured seed nodes that are not in this cluster")
                .register(registry);
        ClusterProperties configured = properties.cluster();
        Resolver resolver = configured.resolver();
        Map<String, Behavior<?>> watches = Map.of(
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
                        configured.name(), sagas::inMemory, streams::connections, repository::storedAgo, store),
                watches);
    }
}
