package io.alphaomega.server.repository;

import io.alphaomega.repository.RepositoryUnavailableException;
import io.alphaomega.repository.SagaRepository;
import io.alphaomega.repository.elasticsearch.ElasticsearchSagaRepository;
import io.alphaomega.repository.elasticsearch.ElasticsearchSettings;
import io.alphaomega.repository.elasticsearch.ElasticsearchSettings.Identity;
import io.alphaomega.server.AlphaProperties;
import io.alphaomega.server.RefusedPropertyException;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
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

    /** Opened here and not by the first saga: a cluster that cannot be used, or is not there, is a reason not to start. */
    @Bean(defaultCandidate = false, destroyMethod = "")
    @Qualifier(RepositoryConfiguration.PLUGIN)
    SagaRepository elasticsearchRepository(AlphaProperties properties) {
        ElasticsearchSagaRepository repository = new ElasticsearchSagaRepository(
                settings(PREFIX, properties.repository().elasticsearch()));
        try {
            repository.durability();
            return repository;
        } catch (IllegalStateException | RepositoryUnavailableException e) {
            repository.close();
            throw new RefusedPropertyException(PREFIX + ": " + e.getMessage(), e);
        }
    }

    @Bean
    GroupCommit.Limits elasticsearchRepositoryLimits() {
        return GroupCommit.Limits.ofLanes(LANES);
    }

    /** @param prefix of the properties, for the sentences of those that are refused */
    static ElasticsearchSettings settings(String prefix, AlphaProperties.Elasticsearch properties) {
        try {
            return new ElasticsearchSettings(
                    uris(properties.uris()),
                    identity(properties),
                    Optional.of(properties.caCertificate())
                            .filter(file -> !file.isBlank())
                            .map(Path::of),
                    properties.indexPrefix(),
                    properties.shards(),
                    properties.replicas());
        } catch (IllegalArgumentException e) {
            throw new RefusedPropertyException(prefix + "." + e.getMessage() + ".", e);
        }
    }

    private static List<URI> uris(List<String> uris) {
        return uris.stream().map(ElasticsearchRepositoryConfiguration::uri).toList();
    }

    private static URI uri(String uri) {
        try {
            return URI.create(uri.strip());
        } catch (IllegalArgumentException e) {
            // Whatever it is, it may have a password in it.
            throw new IllegalArgumentException("uris must be a list of http://host:port or https://host:port", e);
        }
    }

    private static Optional<Identity> identity(AlphaProperties.Elasticsearch properties) {
        boolean user = !properties.username().isBlank();
        boolean key = !properties.apiKey().isBlank();
        if (user && key) throw new IllegalArgumentException("api-key must be empty with a username");
        if (user && properties.password().isEmpty()) {
            throw new IllegalArgumentException("password must not be empty with a username");
        }
        if (!user && !properties.password().isEmpty()) {
            throw new IllegalArgumentException("username must not be empty with a password");
        }
        if (user) return Optional.of(new Identity.User(properties.username(), properties.password()));
        return key ? Optional.of(new Identity.ApiKey(properties.apiKey())) : Optional.empty();
    }
}
