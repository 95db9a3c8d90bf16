package io.alphaomega.server.repository;

import io.alphaomega.repository.SagaRepository;
import io.alphaomega.repository.elasticsearch.ElasticsearchSagaRepository;
import io.alphaomega.server.properties.AlphaProperties;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** {@code alpha.repository.type=elasticsearch}: a cluster of Elasticsearch or OpenSearch. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnProperty(name = "alpha.repository.type", havingValue = "elasticsearch")
class ElasticsearchRepositoryConfiguration {
    private static final String PREFIX = "alpha.repository.elasticsearch";

    /** A bulk request is synced once per shard: while one waits for the disk, others are being read and indexed. */
    private static final int LANES = 4;

    /** Opened here and not by the first saga: a cluster that cannot be used, or is not there for long, is a reason not to start. */
    @Bean(defaultCandidate = false, destroyMethod = "")
    @Qualifier(RepositoryConfiguration.PLUGIN)
    SagaRepository elasticsearchRepository(AlphaProperties properties) {
        return new StoreOpening(PREFIX, properties.repository().awaitAtStart())
                .open(new ElasticsearchSagaRepository(ElasticsearchConnection.settings(
                        PREFIX, properties.repository().elasticsearch())));
    }

    @Bean
    GroupCommit.Limits elasticsearchRepositoryLimits() {
        return GroupCommit.Limits.ofLanes(LANES);
    }
}
