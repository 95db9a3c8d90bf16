package io.alphaomega.server.properties;

import static io.alphaomega.server.properties.Refusals.refused;
import static io.alphaomega.server.properties.Refusals.requirePath;
import static io.alphaomega.server.properties.Refusals.requireText;
import static io.alphaomega.server.properties.Refusals.text;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import org.springframework.boot.context.properties.NestedConfigurationProperty;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Where sagas live.
 *
 * @param type where sagas live; embedded is SQLite in a directory of this machine, for one node; redis, mysql (MySQL
 *     or MariaDB), postgresql and elasticsearch are servers, for any number of nodes
 * @param awaitAtStart how long a node that starts waits for a store on a server that is not there, at most 1h; 0 for not
 *     at all. One that is there and cannot be used is not waited for
 */
public record RepositoryProperties(
        @DefaultValue("embedded") Type type,
        @DefaultValue("30s") Duration awaitAtStart,
        @DefaultValue Embedded embedded,
        @DefaultValue Redis redis,
        @DefaultValue @NestedConfigurationProperty ElasticsearchProperties elasticsearch,
        @DefaultValue Jdbc jdbc) {

    /** Whoever waits for longer had better be told that the start failed. */
    private static final Duration AWAIT_MAX = Duration.ofHours(1);

    public RepositoryProperties {
        if (awaitAtStart.isNegative() || awaitAtStart.compareTo(AWAIT_MAX) > 0) {
            throw refused("alpha.repository.await-at-start", "0 to 1h", text(awaitAtStart));
        }
        if (type == Type.MYSQL) jdbc.requireUrl(type, "jdbc:mysql://", "jdbc:mariadb://");
        if (type == Type.POSTGRESQL) jdbc.requireUrl(type, "jdbc:postgresql://");
    }

    /** The plugins there are. */
    public enum Type {
        /** SQLite in a directory of this machine; for one node. */
        EMBEDDED,
        /** Redis 6.2 or newer, a single server or a cluster. */
        REDIS,
        /** A database on a server of MySQL or MariaDB. */
        MYSQL,
        /** A database on a server of PostgreSQL. */
        POSTGRESQL,
        /** Elasticsearch 7.17 or newer, or OpenSearch. */
        ELASTICSEARCH
    }

    /**
     * The embedded store.
     *
     * @param directory where the embedded store keeps its files; relative to the working directory, made if it is
     *     missing, and used by one process at a time
     */
    public record Embedded(@DefaultValue("data") String directory) {
        public Embedded {
            requireText("alpha.repository.embedded.directory", directory);
            requirePath("alpha.repository.embedded.directory", directory);
        }

        public Path path() {
            return Path.of(directory).toAbsolutePath().normalize();
        }
    }

    /**
     * Redis.
     *
     * @param uri where Redis is: redis://user:password@host:6379, rediss:// with TLS, or
     *     redis-cluster://one:7000,two:7000 for some servers of a cluster
     * @param waitReplicas how many replicas must have an append before it counts; 0 to wait for none
     * @param allowVolatile whether alpha also starts on a Redis that does not write to its disk, and so loses its sagas
     *     with every restart
     * @param caCertificate a PEM file with the authorities to trust with TLS; empty for those that Java trusts
     */
    public record Redis(
            @DefaultValue("redis://127.0.0.1:6379") String uri,
            @DefaultValue("0") int waitReplicas,
            @DefaultValue("false") boolean allowVolatile,
            @DefaultValue("") String caCertificate) {
        /** More than anybody has. */
        private static final int REPLICAS_MAX = 10;

        public Redis {
            requireText("alpha.repository.redis.uri", uri);
            requirePath("alpha.repository.redis.ca-certificate", caCertificate);
            if (waitReplicas < 0 || waitReplicas > REPLICAS_MAX) {
                throw refused("alpha.repository.redis.wait-replicas", "0 to " + REPLICAS_MAX, waitReplicas);
            }
        }

        /** Without the address: it may have a password. */
        @Override
        public String toString() {
            return "Redis[waitReplicas=%d, allowVolatile=%s]".formatted(waitReplicas, allowVolatile);
        }
    }

    /**
     * A database on a server.
     *
     * @param url where the database is: jdbc:mysql:, jdbc:mariadb: or jdbc:postgresql:, without user and password
     * @param username the user that alpha logs in as; owns the tables
     * @param password the user's; never logged
     * @param gather how long appends may wait to be committed with as many others as the last ones were, at most 20ms;
     *     0 for not at all. A saga that works alone never waits
     */
    public record Jdbc(
            @DefaultValue("") String url,
            @DefaultValue("alpha") String username,
            @DefaultValue("") String password,
            @DefaultValue("0ms") Duration gather) {
        /** Of a saga's life a multiple of it is spent waiting. */
        private static final Duration GATHER_MAX = Duration.ofMillis(20);

        public Jdbc {
            if (gather.isNegative() || gather.compareTo(GATHER_MAX) > 0) {
                throw refused("alpha.repository.jdbc.gather", "0 to 20ms", text(gather));
            }
        }

        private void requireUrl(Type type, String... schemes) {
            for (String scheme : schemes) {
                if (url.startsWith(scheme)) return;
            }
            // What it is is not repeated: it may hold a password.
            throw new RefusedPropertyException(
                    "alpha.repository.jdbc.url must begin with %s for alpha.repository.type=%s, as in %salpha-db/alpha, %s."
                            .formatted(
                                    String.join(" or ", schemes),
                                    type.name().toLowerCase(Locale.ROOT),
                                    schemes[0],
                                    url.isEmpty() ? "but is not set" : "but begins otherwise"));
        }

        @Override
        public String toString() {
            return "Jdbc[username=" + username + "]";
        }
    }
}
