package io.alphaomega.server.properties;

import org.springframework.boot.context.properties.NestedConfigurationProperty;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Where people look for sagas.
 *
 * @param type where people look for sagas; journal is the repository itself
 */
public record SearchProperties(
        @DefaultValue("journal") Type type,
        @DefaultValue @NestedConfigurationProperty ElasticsearchProperties elasticsearch) {

    /** Where there is to look. */
    public enum Type {
        /** In the repository itself. */
        JOURNAL,
        /** In an index in Elasticsearch, beside a repository that is something else. */
        ELASTICSEARCH
    }
}
