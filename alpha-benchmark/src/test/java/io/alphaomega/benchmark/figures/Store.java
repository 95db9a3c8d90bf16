package io.alphaomega.benchmark.figures;

import io.alphaomega.repository.servers.DatabaseServer;
import io.alphaomega.repository.servers.ElasticsearchServer;
import io.alphaomega.repository.servers.MariaDbServer;
import io.alphaomega.repository.servers.MySqlServer;
import io.alphaomega.repository.servers.RedisServer;
import io.alphaomega.repository.servers.ServerProcess;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/** A store that alpha is measured on, as its settings are written in the tables. */
enum Store {
    EMBEDDED("embedded") {
        @Override
        Running start() {
            return new Running(
                    List.of("--alpha.repository.embedded.directory=" + ServerProcess.newDirectory("embedded")),
                    OptionalLong.empty(),
                    "",
                    List.of(),
                    () -> {});
        }
    },

    REDIS_EVERYSEC("redis-everysec") {
        @Override
        Running start() {
            return redis("everysec");
        }
    },

    REDIS_ALWAYS("redis-always") {
        @Override
        Running start() {
            return redis("always");
        }
    },

    /** With the search index in an Elasticsearch beside it. */
    REDIS_SEARCH("redis-everysec-search") {
        @Override
        Running start() {
            Running index = ELASTICSEARCH.start();
            Running journal = redis("everysec");
            List<String> alpha = new ArrayList<>(journal.alpha());
            alpha.add("--alpha.search.type=elasticsearch");
            index.alpha().stream()
                    .filter(each -> each.startsWith("--alpha.repository.elasticsearch."))
                    .map(each -> each.replace("--alpha.repository.", "--alpha.search."))
                    .forEach(alpha::add);
            return new Running(alpha, journal.pid(), "", journal.ceilings(), () -> {
                index.close();
                journal.close();
            });
        }
    },

    /** As the peers of the tables were measured: durable, without the log that replicas read. */
    MARIADB("mariadb") {
        @Override
        Running start() {
            return mariaDb("--skip-log-bin");
        }
    },

    MARIADB_BINLOG("mariadb-binlog") {
        @Override
        Running start() {
            return mariaDb("--log-bin", "--sync-binlog=1");
        }
    },

    /** The same with MySQL. */
    MYSQL("mysql") {
        @Override
        Running start() {
            return running(MySqlServer.start(durable("--skip-log-bin")));
        }
    },

    /** Every event synced; the heap and the compiler of a server, not those of the tests. */
    ELASTICSEARCH("elasticsearch") {
        @Override
        Running start() {
            ElasticsearchServer server =
                    ElasticsearchServer.start(ElasticsearchServer.V8, "-Xms1g", "-Xmx1g", "-XX:TieredStopAtLevel=4");
            return new Running(
                    List.of(
                            "--alpha.repository.type=elasticsearch",
                            "--alpha.repository.elasticsearch.uris=http://127.0.0.1:" + server.port(),
                            "--alpha.repository.elasticsearch.replicas=0"),
                    OptionalLong.of(server.process().pid()),
                    "",
                    List.of(),
                    server::close);
        }
    };

    /**
     * A store that runs.
     *
     * @param alpha the arguments with which alpha uses it
     * @param pid of its process, if it has one of its own
     * @param url where a business may keep its books in it, or empty
     * @param ceilings what it can do by itself; none of the embedded store, nor of Elasticsearch
     */
    record Running(List<String> alpha, OptionalLong pid, String url, List<Ceiling> ceilings, Runnable stop)
            implements AutoCloseable {
        @Override
        public void close() {
            stop.run();
        }
    }

    private final String label;

    Store(String label) {
        this.label = label;
    }

    /** What it is called on the command line. */
    String label() {
        return label;
    }

    /** Starts it, empty. */
    abstract Running start();

    private static Running redis(String fsync) {
        RedisServer server = RedisServer.start("appendfsync " + fsync);
        return new Running(
                List.of(
                        "--alpha.repository.type=redis",
                        "--alpha.repository.redis.uri=redis://127.0.0.1:" + server.port()),
                OptionalLong.of(server.process().pid()),
                "",
                Ceiling.ofRedis(server.port()),
                server::close);
    }

    private static Running mariaDb(String... log) {
        return running(MariaDbServer.start(durable(log)));
    }

    private static String[] durable(String... log) {
        List<String> settings = new ArrayList<>(List.of(log));
        settings.addAll(List.of("--innodb-flush-log-at-trx-commit=1", "--innodb-doublewrite=1"));
        settings.add("--innodb-buffer-pool-size=512M"); // More than any of the tables fills.
        return settings.toArray(String[]::new);
    }

    private static Running running(DatabaseServer server) {
        return new Running(
                List.of(
                        "--alpha.repository.type=mysql",
                        "--alpha.repository.jdbc.url=" + server.url(),
                        "--alpha.repository.jdbc.username=" + DatabaseServer.USER,
                        "--alpha.repository.jdbc.password=" + DatabaseServer.PASSWORD),
                OptionalLong.of(server.process().pid()),
                server.url(),
                Ceiling.ofDatabase(server.port()),
                server::close);
    }
}
