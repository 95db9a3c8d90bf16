package io.alphaomega.server.search;

import akka.cluster.typed.SingletonActor;
import io.alphaomega.repository.elasticsearch.ElasticsearchSagaIndex;
import io.alphaomega.server.cluster.SagaCluster;
import io.alphaomega.server.properties.AlphaProperties;
import io.alphaomega.server.repository.ElasticsearchConnection;
import io.alphaomega.server.repository.GroupCommit;
import io.alphaomega.server.saga.StoreThreads;
import io.alphaomega.server.sweep.Retention;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Clock;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** {@code alpha.search.type}: where people look for sagas. */
@Configuration(proxyBeanMethods = false)
class SearchConfiguration {
    static final String PREFIX = "alpha.search.elasticsearch";

    /** {@code alpha.search.type=journal}. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnProperty(name = "alpha.search.type", havingValue = "journal", matchIfMissing = true)
    static class InJournal {
        @Bean
        SagaSearch search(GroupCommit repository) {
            return new SagaSearch.InJournal(repository);
        }
    }

    /** {@code alpha.search.type=elasticsearch}. An index that is away keeps nobody from starting. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnProperty(name = "alpha.search.type", havingValue = "elasticsearch")
    static class InIndex {
        /** Closed by the indexer, which is told when nothing is appended any more. */
        @Bean(destroyMethod = "")
        ElasticsearchSagaIndex sagaIndex(AlphaProperties properties) {
            return new ElasticsearchSagaIndex(
                    ElasticsearchConnection.settings(PREFIX, properties.search().elasticsearch()));
        }

        @Bean
        PendingSummaries pendingForSearch() {
            return new PendingSummaries(PendingSummaries.ROOM);
        }

        @Bean
        SearchMetrics searchMetrics(MeterRegistry registry, PendingSummaries pending, Clock clock) {
            return new SearchMetrics(registry, pending, clock);
        }

        @Bean
        Indexing indexing(ElasticsearchSagaIndex index, PendingSummaries pending, Clock clock, SearchMetrics metrics) {
            return new Indexing(index, pending, clock, metrics);
        }

        @Bean
        SagaSearch search(ElasticsearchSagaIndex index) {
            return new SagaSearch.InIndex(index);
        }

        @Bean
        SagaIndexing sagaIndexing(GroupCommit repository, ElasticsearchSagaIndex index, SearchMetrics metrics) {
            return new SagaIndexing(repository, index, metrics);
        }

        @Bean
        Retention.Task indexRetention(AlphaProperties properties, ElasticsearchSagaIndex index) {
            return new Retention.Task("search-entries", properties.retention().ended(), index::purge);
        }

        @Bean
        SingletonActor<?> searchKeeper(
                GroupCommit repository, ElasticsearchSagaIndex index, Clock clock, SearchMetrics metrics) {
            return IndexRepairActor.singleton(
                    () -> new IndexRepair(repository, index, clock, metrics), new StoreThreads());
        }

        @Bean
        SmartLifecycle indexingNode(Indexing indexing, SagaCluster cluster) {
            return new IndexerNodeName(indexing, cluster);
        }
    }
}
