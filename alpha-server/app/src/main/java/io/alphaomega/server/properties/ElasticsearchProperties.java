package io.alphaomega.server.properties;

import java.util.List;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * A cluster of Elasticsearch 7.17 or newer, or OpenSearch, and whom alpha is there. Who uses it checks the values.
 *
 * @param uris addresses of its nodes, http or https, separated by commas
 * @param username the user that alpha logs in as, with the password; empty for none
 * @param password the user's
 * @param apiKey an encoded API key, instead of a user; empty for none
 * @param caCertificate a PEM file with the authorities to trust for https; empty for those that Java trusts
 * @param indexPrefix what the names of alpha's indices begin with
 * @param shards how many shards an index is made with; one that is there stays as it is
 * @param replicas how many copies of each shard an index is made with; one that is there stays as it is
 */
public record ElasticsearchProperties(
        @DefaultValue("http://localhost:9200") List<String> uris,
        @DefaultValue("") String username,
        @DefaultValue("") String password,
        @DefaultValue("") String apiKey,
        @DefaultValue("") String caCertificate,
        @DefaultValue("alpha") String indexPrefix,
        @DefaultValue("1") int shards,
        @DefaultValue("1") int replicas) {
    public ElasticsearchProperties {
        uris = List.copyOf(uris);
    }

    /** Without the secrets, and without the addresses: somebody may have put a password there. */
    @Override
    public String toString() {
        return "Elasticsearch[" + indexPrefix + "]";
    }
}
