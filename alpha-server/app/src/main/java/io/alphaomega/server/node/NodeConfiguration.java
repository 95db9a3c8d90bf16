package io.alphaomega.server.node;

import io.alphaomega.server.AlphaProperties;
import io.alphaomega.server.repository.GroupCommit;
import io.alphaomega.server.saga.Downed;
import io.alphaomega.server.saga.SagaCluster;
import io.alphaomega.server.saga.SagaMetrics;
import io.alphaomega.server.stream.GrpcServer;
import io.alphaomega.server.stream.StreamMetrics;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.concurrent.atomic.AtomicInteger;
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
    NodeLifecycle nodeLifecycle(
            AlphaProperties properties,
            SagaCluster cluster,
            Nodes nodes,
            MeterRegistry registry,
            SagaMetrics sagas,
            StreamMetrics streams,
            GrpcServer grpc,
            GroupCommit repository) {
        AtomicInteger absent = new AtomicInteger();
        Gauge.builder("alpha.cluster.absent.seed.nodes", absent, AtomicInteger::get)
                .description("Configured seed nodes that are not in this cluster")
                .register(registry);
        AlphaProperties.Cluster configured = properties.cluster();
        return new NodeLifecycle(
                cluster,
                nodes,
                new ShardMetrics(registry),
                grpc::shards,
                NodeLifecycle.COUNT_EVERY,
                sagas::inMemory,
                new StreamBalance.Settings(streams::connections, grpc::move, StreamBalance.LOOK_EVERY),
                new ClusterWatch.Settings(
                        configured.name(),
                        configured.seedNodes(),
                        configured.resolver() == AlphaProperties.Cluster.Resolver.KEEP_MAJORITY,
                        absent,
                        cluster::hasRivals,
                        ClusterWatch.LOOK_EVERY,
                        Downed.inTheSmallerCluster()),
                new StoreWatch.Settings(
                        repository::awayFor,
                        repository::storedAgo,
                        StoreWatch.LOOK_EVERY,
                        configured.resolver() != AlphaProperties.Cluster.Resolver.DOWN_ALL,
                        Downed.withoutStore()),
                new SingletonWatch.Settings(SingletonWatch.LOOK_EVERY, Downed.withoutSingletons()));
    }
}
