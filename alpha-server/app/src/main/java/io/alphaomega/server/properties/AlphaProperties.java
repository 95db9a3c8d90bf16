package io.alphaomega.server.properties;

import static io.alphaomega.server.properties.Refusals.text;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.NestedConfigurationProperty;
import org.springframework.boot.context.properties.bind.DefaultValue;

/** Everything about alpha that can be configured, under {@code alpha.*}. Nonsense is refused by the property's name. */
@ConfigurationProperties("alpha")
public record AlphaProperties(
        @DefaultValue @NestedConfigurationProperty RepositoryProperties repository,
        @DefaultValue @NestedConfigurationProperty GrpcProperties grpc,
        @DefaultValue @NestedConfigurationProperty ClusterProperties cluster,
        @DefaultValue @NestedConfigurationProperty SagaProperties saga,
        @DefaultValue @NestedConfigurationProperty OrdersProperties orders,
        @DefaultValue @NestedConfigurationProperty RehearsalProperties rehearsal,
        @DefaultValue @NestedConfigurationProperty RetentionProperties retention,
        @DefaultValue @NestedConfigurationProperty SearchProperties search,
        @DefaultValue @NestedConfigurationProperty WebhookProperties webhook,
        @DefaultValue @NestedConfigurationProperty ConsoleProperties console) {

    public AlphaProperties {
        if (repository.type() == RepositoryProperties.Type.EMBEDDED
                && cluster.discovery().isOn()) {
            throw new RefusedPropertyException(
                    "alpha.cluster.discovery.method must be none with alpha.repository.type=embedded, which serves one"
                            + " node only, but was '%s'."
                                    .formatted(text(cluster.discovery().method())));
        }
        if (repository.type() == RepositoryProperties.Type.EMBEDDED
                && !cluster.seedNodes().isEmpty()) {
            throw new RefusedPropertyException(
                    "alpha.cluster.seed-nodes must be empty with alpha.repository.type=embedded, which serves one node"
                            + " only, but was %s.".formatted(String.join(",", cluster.seedNodes())));
        }
        if (repository.type() == RepositoryProperties.Type.ELASTICSEARCH
                && search.type() == SearchProperties.Type.ELASTICSEARCH) {
            throw new RefusedPropertyException(
                    "alpha.search.type must be journal with alpha.repository.type=elasticsearch, where sagas are"
                            + " searched in their journals' own index, but was 'elasticsearch'.");
        }
    }
}
