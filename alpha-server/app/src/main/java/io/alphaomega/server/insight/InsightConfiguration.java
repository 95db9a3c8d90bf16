package io.alphaomega.server.insight;

import io.alphaomega.server.bulk.BulkOrders;
import io.alphaomega.server.cluster.SagaCluster;
import io.alphaomega.server.saga.SagaMetrics;
import io.alphaomega.server.stream.Instances;
import io.alphaomega.server.stream.StreamMetrics;
import io.alphaomega.server.sweep.StuckBoard;
import java.time.Clock;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Puts together what people see of the cluster. */
@Configuration(proxyBeanMethods = false)
class InsightConfiguration {
    @Bean
    Insights insights(
            SagaCluster cluster,
            SagaMetrics sagas,
            StreamMetrics streams,
            Instances instances,
            StuckBoard stuck,
            BulkOrders bulk,
            Clock clock) {
        return new Insights(cluster, new InsightActor.Sources(sagas, streams, instances, stuck, bulk, clock));
    }
}
