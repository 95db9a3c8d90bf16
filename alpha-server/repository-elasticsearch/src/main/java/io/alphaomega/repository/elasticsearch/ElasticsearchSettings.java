package io.alphaomega.repository.elasticsearch;

import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Which cluster, as whom, and under which names. What is refused is an {@link IllegalArgumentException} that begins with
 * the setting's name and never tells a secret.
 *
 * @param uris of nodes, or of what stands in front of them; http or https, with an optional path
 * @param identity as whom; empty for a cluster that does not ask
 * @param caCertificate a PEM file of the authorities to trust; empty for those that Java trusts
 * @param indexPrefix what the names of all indices begin with
 * @param shards of an index that is made; those there are stay as they are
 * @param replicas of an index that is made; those there are stay as they are
 */
public record ElasticsearchSettings(
        List<URI> uris,
        Optional<Identity> identity,
        Optional<Path> caCertificate,
        String indexPrefix,
        int shards,
        int replicas) {
    /** Elasticsearch's rules for names of indices, and short enough for what alpha adds. */
    private static final Pattern PREFIX = Pattern.compile("[a-z0-9][a-z0-9._-]{0,99}");

    /** Elasticsearch's own. */
    private static final int SHARDS_MAX = 1_024;

    /** More copies than this are a mistake: each costs every append a round trip of the primary's. */
    private static final int REPLICAS_MAX = 10;

    public ElasticsearchSettings {
        uris = List.copyOf(uris);
        if (uris.isEmpty()) throw new IllegalArgumentException("uris must name a node but is empty");
        uris.forEach(ElasticsearchSettings::requireNode);
        if (!PREFIX.matcher(indexPrefix).matches()) {
            throw new IllegalArgumentException(
                    "index-prefix must be up to 100 of a–z 0–9 . _ -, beginning with a letter or digit, but was '%s'"
                            .formatted(indexPrefix));
        }
        requireWithin("shards", 1, SHARDS_MAX, shards);
        requireWithin("replicas", 0, REPLICAS_MAX, replicas);
    }

    /** The user that alpha logs in as. */
    public sealed interface Identity {
        /** {@code value} is the encoded key, as Elasticsearch shows it once. */
        record ApiKey(String value) implements Identity {
            @Override
            public String toString() {
                return "an API key";
            }
        }

        record User(String name, String password) implements Identity {
            @Override
            public String toString() {
                return "user " + name;
            }
        }
    }

    private static void requireNode(URI uri) {
        // Before the URI is in any message.
        if (uri.getRawUserInfo() != null) {
            throw new IllegalArgumentException(
                    "uris must not contain a user or a password: they have settings of their own");
        }
        boolean http = "http".equals(uri.getScheme()) || "https".equals(uri.getScheme());
        if (!http || uri.getHost() == null || uri.getRawQuery() != null || uri.getRawFragment() != null) {
            throw new IllegalArgumentException(
                    "uris must be a list of http://host:port or https://host:port but has '%s'".formatted(uri));
        }
    }

    private static void requireWithin(String setting, int min, int max, int value) {
        if (value < min || value > max) {
            throw new IllegalArgumentException("%s must be %d to %d but was %d".formatted(setting, min, max, value));
        }
    }
}
