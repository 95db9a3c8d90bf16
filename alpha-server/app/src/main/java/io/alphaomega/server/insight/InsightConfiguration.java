package io.alphaomega.server.insight;

import io.alphaomega.repository.SagaRepository;
import io.alphaomega.server.bulk.BulkOrders;
import io.alphaomega.server.cluster.SagaCluster;
import io.alphaomega.server.node.MissingNodes;
import io.alphaomega.server.node.ShardHomes;
import io.alphaomega.server.repository.GroupCommit;
import io.alphaomega.server.saga.SagaMetrics;
import io.alphaomega.server.search.SagaIndexing;
import io.alphaomega.server.stream.CallbackNeeds;
import io.alphaomega.server.stream.Instances;
import io.alphaomega.server.stream.StreamMetrics;
import io.alphaomega.server.sweep.StuckBoard;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Supplier;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Puts together what people see of the cluster. */
@Configuration(proxyBeanMethods = false)
class InsightConfiguration {
    /** Usually a second: who looks for a saga that changed before that and does not find it is told why. */
    private static final Duration LISTED_WITHIN = Duration.ofSeconds(10);

    /** Asks the other nodes, which it does not before they are there. */
    @Bean
    CallbackNeeds callbackNeeds(
            SagaRepository repository, Instances instances, ObjectProvider<Insights> insights, Clock clock) {
        return new CallbackNeeds(
                repository, instances, service -> insights.getObject().offered(service), clock);
    }

    @Bean
    Insights insights(
            SagaCluster cluster,
            SagaMetrics sagas,
            StreamMetrics streams,
            Instances instances,
            CallbackNeeds needs,
            StuckBoard stuck,
            BulkOrders bulk,
            GroupCommit repository,
            ShardHomes shards,
            MissingNodes missing,
            Optional<SagaIndexing> list,
            Clock clock) {
        Supplier<Standing> standing = () -> new Standing(
                storeAway(repository, clock),
                shards.count(),
                missing.all(),
                list.map(index -> new Standing.Backlog(index.pending(), isAway(index))));
        return new Insights(
                cluster, new InsightActor.Sources(sagas, streams, instances, needs, stuck, bulk, standing, clock));
    }

    private static Optional<Instant> storeAway(GroupCommit repository, Clock clock) {
        return repository.isAway() ? Optional.of(clock.instant().minus(repository.awayFor())) : Optional.empty();
    }

    private static boolean isAway(SagaIndexing list) {
        return list.awayBecause().isPresent() || list.lag().compareTo(LISTED_WITHIN) > 0;
    }
}
