package io.alphaomega.server;

import io.alphaomega.saga.CallbackPolicy;
import io.alphaomega.saga.Limits;
import io.alphaomega.saga.Policy;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/** Everything about alpha that can be configured, under {@code alpha.*}. Nonsense is refused by the property's name. */
@ConfigurationProperties("alpha")
public record AlphaProperties(
        @DefaultValue Repository repository,
        @DefaultValue Grpc grpc,
        @DefaultValue Cluster cluster,
        @DefaultValue Saga saga,
        @DefaultValue Retention retention,
        @DefaultValue Search search) {

    public AlphaProperties {
        if (repository.type() == Repository.Type.EMBEDDED && cluster.discovery().isOn()) {
            throw new RefusedPropertyException(
                    "alpha.cluster.discovery.method must be none with alpha.repository.type=embedded, which serves one"
                            + " node only, but was '%s'."
                                    .formatted(text(cluster.discovery().method())));
        }
        if (repository.type() == Repository.Type.EMBEDDED
                && !cluster.seedNodes().isEmpty()) {
            throw new RefusedPropertyException(
                    "alpha.cluster.seed-nodes must be empty with alpha.repository.type=embedded, which serves one node"
                            + " only, but was %s.".formatted(String.join(",", cluster.seedNodes())));
        }
        if (repository.type() == Repository.Type.ELASTICSEARCH && search.type() == Search.Place.ELASTICSEARCH) {
            throw new RefusedPropertyException(
                    "alpha.search.type must be journal with alpha.repository.type=elasticsearch, where sagas are"
                            + " searched in their journals' own index, but was 'elasticsearch'.");
        }
    }

    /**
     * Where sagas live.
     *
     * @param type where sagas live; embedded is SQLite in a directory of this machine, for one node; redis, mysql (MySQL
     *     or MariaDB), postgresql and elasticsearch are servers, for any number of nodes
     */
    public record Repository(
            @DefaultValue("embedded") Type type,
            @DefaultValue Embedded embedded,
            @DefaultValue Redis redis,
            @DefaultValue Elasticsearch elasticsearch,
            @DefaultValue Jdbc jdbc) {

        public Repository {
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
         * @param username whom alpha logs in as; owns the tables
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

    /**
     * A cluster of Elasticsearch 7.17 or newer, or OpenSearch, and whom alpha is there. Who uses it checks the values.
     *
     * @param uris addresses of its nodes, http or https, separated by commas
     * @param username as whom alpha logs in, with the password; empty for nobody
     * @param password the user's
     * @param apiKey an encoded API key, instead of a user; empty for none
     * @param caCertificate a PEM file with the authorities to trust for https; empty for those that Java trusts
     * @param indexPrefix what the names of alpha's indices begin with
     * @param shards how many shards an index is made with; one that is there stays as it is
     * @param replicas how many copies of each shard an index is made with; one that is there stays as it is
     */
    public record Elasticsearch(
            @DefaultValue("http://localhost:9200") List<String> uris,
            @DefaultValue("") String username,
            @DefaultValue("") String password,
            @DefaultValue("") String apiKey,
            @DefaultValue("") String caCertificate,
            @DefaultValue("alpha") String indexPrefix,
            @DefaultValue("1") int shards,
            @DefaultValue("1") int replicas) {
        public Elasticsearch {
            uris = List.copyOf(uris);
        }

        /** Without the secrets, and without the addresses: somebody may have put a password there. */
        @Override
        public String toString() {
            return "Elasticsearch[" + indexPrefix + "]";
        }
    }

    /**
     * Where omegas connect.
     *
     * @param host the address to listen on; 0.0.0.0 for all
     * @param port the port to listen on; 0 for any free one
     */
    public record Grpc(
            @DefaultValue("127.0.0.1") String host,
            @DefaultValue("8071") int port) {
        public Grpc {
            requireText("alpha.grpc.host", host);
            requirePort("alpha.grpc.port", port);
        }
    }

    /**
     * Where the other alpha nodes are.
     *
     * @param name the name of the cluster; nodes of different names do not join
     * @param host the address under which other nodes reach this one
     * @param port the port for other nodes; 0 for any free one
     * @param seedNodes nodes to join, as host:port; empty for a cluster of one
     * @param discovery how to find nodes to join whose addresses nobody knows beforehand
     * @param heartbeatPause a node that has been silent for so long, and a second more, is suspected to be dead
     * @param stableAfter how long nothing must have changed before a suspected node is given up; the same on every node
     * @param resolver who goes on when the nodes are cut in two; the same on every node
     */
    public record Cluster(
            @DefaultValue("alpha") String name,
            @DefaultValue("127.0.0.1") String host,
            @DefaultValue("8070") int port,
            @DefaultValue List<String> seedNodes,
            @DefaultValue Discovery discovery,
            @DefaultValue("1500ms") Duration heartbeatPause,
            @DefaultValue("1s") Duration stableAfter,
            @DefaultValue("keep-majority") Resolver resolver) {
        private static final Pattern NAME = Pattern.compile("[a-zA-Z0-9][a-zA-Z0-9_-]*");

        private static final Pattern HOST_AND_PORT = Pattern.compile("[^:/@\\s]+:[1-9][0-9]{0,4}");

        /** Shorter than this, an ordinary pause of a JVM would look like its end. */
        private static final Duration PAUSE_MIN = Duration.ofMillis(500);

        public Cluster {
            seedNodes = List.copyOf(seedNodes);
            if (!NAME.matcher(name).matches()) {
                throw refused("alpha.cluster.name", "letters, digits, - and _, beginning with a letter or digit", name);
            }
            requireText("alpha.cluster.host", host);
            requirePort("alpha.cluster.port", port);
            requireNodes("alpha.cluster.seed-nodes", seedNodes);
            requirePause("alpha.cluster.heartbeat-pause", heartbeatPause);
            requirePause("alpha.cluster.stable-after", stableAfter);
            if (discovery.isOn() && !seedNodes.isEmpty()) {
                throw refused(
                        "alpha.cluster.seed-nodes",
                        "empty with alpha.cluster.discovery.method=" + text(discovery.method()),
                        String.join(",", seedNodes));
            }
        }

        private static void requireNodes(String property, List<String> nodes) {
            for (String node : nodes) {
                if (!HOST_AND_PORT.matcher(node).matches()) throw refused(property, "a list of host:port", node);
            }
        }

        private static void requirePause(String property, Duration pause) {
            requirePositive(property, pause);
            if (pause.compareTo(PAUSE_MIN) < 0) throw refused(property, "at least " + text(PAUSE_MIN), text(pause));
        }

        /** Who goes on when the nodes are cut in two, so that they cannot reach each other. */
        public enum Resolver {
            /** The larger part; of two equal ones that with the lowest address. */
            KEEP_MAJORITY,
            /** The part with the oldest node. */
            KEEP_OLDEST,
            /** Nobody: all end, and are started again by whoever runs them. */
            DOWN_ALL
        }

        /**
         * How to find nodes to join whose addresses nobody knows beforehand.
         *
         * @param method none; dns asks for the addresses of a name; kubernetes-api asks Kubernetes for pods; config has
         *     them in nodes
         * @param service for dns the name to ask for; for kubernetes-api the value of the pods' label app
         * @param nodes for config, where nodes answer, as host:port with their alpha.cluster.discovery.port
         * @param port where this node answers others that look for a cluster
         * @param requiredNodes how many must have been found before they form a new cluster
         */
        public record Discovery(
                @DefaultValue("none") Method method,
                @DefaultValue("alpha") String service,
                @DefaultValue List<String> nodes,
                @DefaultValue("8558") int port,
                @DefaultValue("2") int requiredNodes) {
            public Discovery {
                nodes = List.copyOf(nodes);
                requireText("alpha.cluster.discovery.service", service);
                requireNodes("alpha.cluster.discovery.nodes", nodes);
                requirePort("alpha.cluster.discovery.port", port);
                if (requiredNodes < 1) {
                    throw refused("alpha.cluster.discovery.required-nodes", "at least 1", requiredNodes);
                }
                if (method == Method.CONFIG && nodes.isEmpty()) {
                    throw refused(
                            "alpha.cluster.discovery.nodes",
                            "a list of host:port with alpha.cluster.discovery.method=config",
                            "");
                }
            }

            public boolean isOn() {
                return method != Method.NONE;
            }

            /** Whom to ask. */
            public enum Method {
                /** Nobody: alpha.cluster.seed-nodes says it. */
                NONE,
                /** DNS, for the addresses of a name, such as that of a headless service. */
                DNS,
                /** Kubernetes, for pods by their label. */
                KUBERNETES_API,
                /** Nobody: alpha.cluster.discovery.nodes says it. */
                CONFIG
            }
        }
    }

    /**
     * How patient sagas are, and how alpha looks after them. A running saga keeps the values it began with.
     *
     * @param timeout from a saga's begin to its end; then it is aborted. What the initiator says wins
     * @param branchTimeout from a branch's begin to its end. What the branch says wins
     * @param order whether compensations (and confirmations) are asked one at a time or all at once. What the initiator
     *     says wins
     * @param callbackAttempts failed attempts at a callback before the saga is suspended
     * @param callbackWithin time from the first request of a callback until the saga is suspended
     * @param callbackFirstDelay pause after the first failed attempt; it doubles with each further one
     * @param callbackMaxDelay longest pause between two attempts
     * @param callbackTimeout how long one attempt may take
     * @param passivateAfter how long a saga that waits stays in memory without an input
     * @param scanInterval how often the repository is asked for sagas that are due and not in memory
     * @param startGrace how long after the start the first scan waits, so that services connect first
     */
    public record Saga(
            @DefaultValue("5m") Duration timeout,
            @DefaultValue("30s") Duration branchTimeout,
            @DefaultValue("sequential") Policy.Order order,
            @DefaultValue("10") int callbackAttempts,
            @DefaultValue("24h") Duration callbackWithin,
            @DefaultValue("1s") Duration callbackFirstDelay,
            @DefaultValue("5m") Duration callbackMaxDelay,
            @DefaultValue("30s") Duration callbackTimeout,
            @DefaultValue("30s") Duration passivateAfter,
            @DefaultValue("1s") Duration scanInterval,
            @DefaultValue("5s") Duration startGrace) {
        public Saga {
            requirePositive("alpha.saga.timeout", timeout);
            requirePositive("alpha.saga.branch-timeout", branchTimeout);
            if (callbackAttempts < 1 || callbackAttempts > Limits.ATTEMPTS) {
                throw refused("alpha.saga.callback-attempts", "1 to " + Limits.ATTEMPTS, callbackAttempts);
            }
            requirePositive("alpha.saga.callback-within", callbackWithin);
            requirePositive("alpha.saga.callback-first-delay", callbackFirstDelay);
            requirePositive("alpha.saga.callback-max-delay", callbackMaxDelay);
            if (callbackMaxDelay.compareTo(callbackFirstDelay) < 0) {
                throw refused(
                        "alpha.saga.callback-max-delay",
                        "at least alpha.saga.callback-first-delay, " + text(callbackFirstDelay),
                        text(callbackMaxDelay));
            }
            requirePositive("alpha.saga.callback-timeout", callbackTimeout);
            requirePositive("alpha.saga.passivate-after", passivateAfter);
            requirePositive("alpha.saga.scan-interval", scanInterval);
            if (startGrace.isNegative() || startGrace.compareTo(Limits.TIMEOUT) > 0) {
                throw refused("alpha.saga.start-grace", "0 to " + text(Limits.TIMEOUT), text(startGrace));
            }
        }

        /** The policy of sagas whose initiator does not say otherwise. */
        public Policy policy() {
            return new Policy(
                    timeout,
                    branchTimeout,
                    order,
                    new CallbackPolicy(
                            callbackAttempts, callbackWithin, callbackFirstDelay, callbackMaxDelay, callbackTimeout));
        }
    }

    /**
     * How long alpha remembers sagas that have ended. Suspended ones have not.
     *
     * @param ended how long after its end a saga's history is kept; 0 for ever
     * @param tombstones how long after its end a saga's outcome is kept, so that what comes late is answered and does not
     *     begin the saga anew; at least alpha.retention.ended; 0 for ever
     * @param interval how often what is too old is looked for, by one node
     * @param batch how many sagas are deleted at a time, 1 to 10000
     */
    public record Retention(
            @DefaultValue("7d") Duration ended,
            @DefaultValue("30d") Duration tombstones,
            @DefaultValue("10m") Duration interval,
            @DefaultValue("500") int batch) {
        /** Ten years and more are for ever. */
        private static final Duration KEPT_MAX = Duration.ofDays(3_650);

        /** A batch is one transaction in some stores, and one request in others. */
        private static final int BATCH_MAX = 10_000;

        public Retention {
            requireKept("alpha.retention.ended", ended);
            requireKept("alpha.retention.tombstones", tombstones);
            if (!tombstones.isZero() && tombstones.compareTo(ended) < 0) {
                throw refused(
                        "alpha.retention.tombstones",
                        "at least alpha.retention.ended, " + text(ended),
                        text(tombstones));
            }
            requirePositive("alpha.retention.interval", interval);
            if (batch < 1 || batch > BATCH_MAX) throw refused("alpha.retention.batch", "1 to " + BATCH_MAX, batch);
        }

        private static void requireKept(String property, Duration value) {
            if (value.isNegative() || value.compareTo(KEPT_MAX) > 0) {
                throw refused(property, "0, for ever, or at most " + text(KEPT_MAX), text(value));
            }
        }

        /** Whether histories are ever deleted. */
        public boolean purges() {
            return !ended.isZero();
        }

        /** Whether outcomes are ever deleted; as long as there is a history, there is an outcome. */
        public boolean forgets() {
            return purges() && !tombstones.isZero();
        }
    }

    /**
     * Where people look for sagas.
     *
     * @param type where people look for sagas; journal is the repository itself
     */
    public record Search(
            @DefaultValue("journal") Place type,
            @DefaultValue Elasticsearch elasticsearch) {

        /** Where there is to look. */
        public enum Place {
            /** In the repository itself. */
            JOURNAL,
            /** In an index in Elasticsearch, beside a repository that is something else. */
            ELASTICSEARCH
        }
    }

    private static void requireText(String property, String value) {
        if (value.isBlank()) throw refused(property, "some text", value);
    }

    private static void requirePort(String property, int port) {
        if (port < 0 || port > 65_535) throw refused(property, "a port, 0 to 65535", port);
    }

    private static void requirePositive(String property, Duration value) {
        if (value.isNegative() || value.isZero() || value.compareTo(Limits.TIMEOUT) > 0) {
            throw refused(property, "more than 0 and at most " + text(Limits.TIMEOUT), text(value));
        }
        if (!value.equals(Duration.ofMillis(value.toMillis()))) {
            throw refused(property, "in whole milliseconds", value);
        }
    }

    private static RefusedPropertyException refused(String property, String expected, Object found) {
        return new RefusedPropertyException("%s must be %s but was '%s'.".formatted(property, expected, found));
    }

    /** As people write durations in properties. */
    private static String text(Duration duration) {
        if (duration.toDaysPart() > 0 && duration.equals(Duration.ofDays(duration.toDays()))) {
            return duration.toDays() + "d";
        }
        return duration.toMillis() % 1_000 == 0 ? duration.toSeconds() + "s" : duration.toMillis() + "ms";
    }

    /** As people write constants in properties. */
    private static String text(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
