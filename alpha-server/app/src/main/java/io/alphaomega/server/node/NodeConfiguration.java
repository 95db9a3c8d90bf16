package io.alphaomega.server.node;

import io.alphaomega.server.saga.SagaCluster;
import io.alphaomega.server.saga.SagaMetrics;
import io.alphaomega.server.stream.StreamMetrics;
import io.micrometer.core.instrument.MeterRegistry;
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
            SagaCluster cluster, Nodes nodes, MeterRegistry registry, SagaMetrics sagas, StreamMetrics streams) {
        return new NodeLifecycle(
                cluster,
                nodes,
                new ShardMetrics(registry),
                NodeLifecycle.COUNT_EVERY,
                sagas::inMemory,
                streams::connections);
    }
}
