package io.alphaomega.server.repository;

import io.alphaomega.repository.elasticsearch.ElasticsearchSettings;
import io.alphaomega.repository.elasticsearch.ElasticsearchSettings.Identity;
import io.alphaomega.server.properties.ElasticsearchProperties;
import io.alphaomega.server.properties.Hosts;
import io.alphaomega.server.properties.RefusedPropertyException;
import io.alphaomega.server.properties.UnreadableText;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** How to reach Elasticsearch, from the properties that say so wherever it is used. */
public final class ElasticsearchConnection {
    private ElasticsearchConnection() {}

    /**
     * The plugin's settings, or a refusal that names the property.
     *
     * @param prefix of the properties
     */
    public static ElasticsearchSettings settings(String prefix, ElasticsearchProperties properties) {
        try {
            return new ElasticsearchSettings(
                    uris(properties.uris()),
                    identity(properties),
                    Optional.of(properties.caCertificate())
                            .filter(file -> !file.isBlank())
                            .map(ElasticsearchConnection::path),
                    properties.indexPrefix(),
                    properties.shards(),
                    properties.replicas());
        } catch (IllegalArgumentException e) {
            throw new RefusedPropertyException(prefix + "." + e.getMessage() + ".", e);
        }
    }

    private static Path path(String file) {
        if (UnreadableText.isPath(file)) return Path.of(file);
        throw new IllegalArgumentException("ca-certificate is '%s', which %s".formatted(file, UnreadableText.NO_PATH));
    }

    private static List<URI> uris(List<String> uris) {
        for (String uri : uris) {
            Hosts.refusal(uri.strip()).ifPresent(refusal -> {
                throw new IllegalArgumentException("uris " + refusal);
            });
        }
        return uris.stream().map(ElasticsearchConnection::uri).toList();
    }

    private static URI uri(String uri) {
        try {
            return URI.create(uri.strip());
        } catch (IllegalArgumentException e) {
            // Whatever it is, it may have a password in it.
            throw new IllegalArgumentException("uris must be a list of http://host:port or https://host:port", e);
        }
    }

    private static Optional<Identity> identity(ElasticsearchProperties properties) {
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
