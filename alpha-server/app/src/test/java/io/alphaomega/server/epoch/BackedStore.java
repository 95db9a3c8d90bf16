package io.alphaomega.server.epoch;

import io.alphaomega.repository.servers.Command;
import io.alphaomega.repository.servers.DatabaseServer;
import io.alphaomega.repository.servers.ElasticsearchServer;
import io.alphaomega.repository.servers.MariaDbServer;
import io.alphaomega.repository.servers.MySqlServer;
import io.alphaomega.repository.servers.PostgreSqlServer;
import io.alphaomega.repository.servers.RedisCluster;
import io.alphaomega.repository.servers.RedisServer;
import io.alphaomega.repository.servers.ServerProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/** A store of which a copy is made while alpha works on it, and put back in its place. */
interface BackedStore extends AutoCloseable {
    /** What alpha is started with. */
    List<String> arguments();

    /** Copies what is stored now. */
    void backup();

    /** Puts the copy in the place of what is stored. No alpha runs. */
    void restore();

    @Override
    void close();

    /** The embedded store, copied by SQLite. */
    static BackedStore embedded(Path directory) {
        Path data = directory.resolve("data");
        Path copy = directory.resolve("copy.db");
        return new BackedStore() {
            @Override
            public List<String> arguments() {
                return List.of("--alpha.repository.embedded.directory=" + data);
            }

            @Override
            public void backup() {
                try (Connection store = DriverManager.getConnection("jdbc:sqlite:" + data.resolve("alpha.db"));
                        Statement statement = store.createStatement()) {
                    statement.execute("VACUUM INTO '" + copy + "'");
                } catch (SQLException e) {
                    throw new AssertionError(e);
                }
            }

            @Override
            public void restore() {
                try {
                    ServerProcess.delete(data);
                    Files.createDirectories(data);
                    Files.copy(copy, data.resolve("alpha.db"));
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            }

            @Override
            public void close() {}
        };
    }

    static BackedStore redis() {
        RedisServer server = RedisServer.start();
        return new Servers(
                server,
                List.of(server.process()),
                "--alpha.repository.type=redis",
                "--alpha.repository.redis.uri=redis://127.0.0.1:" + server.port());
    }

    static BackedStore redisCluster() {
        RedisCluster cluster = RedisCluster.start(3);
        return new Servers(
                cluster,
                cluster.servers().stream().map(RedisServer::process).toList(),
                "--alpha.repository.type=redis",
                "--alpha.repository.redis.uri=redis-cluster://127.0.0.1:"
                        + cluster.networks().getFirst().port()) {
            @Override
            public void restore() {
                super.restore();
                cluster.awaitWhole();
            }
        };
    }

    static BackedStore mariaDb() {
        return of("mysql", MariaDbServer.start());
    }

    static BackedStore mySql() {
        return of("mysql", MySqlServer.start());
    }

    static BackedStore postgreSql() {
        return of("postgresql", PostgreSqlServer.start());
    }

    private static BackedStore of(String type, DatabaseServer server) {
        return new Servers(
                server,
                List.of(server.process()),
                "--alpha.repository.type=" + type,
                "--alpha.repository.jdbc.url=" + server.url(),
                "--alpha.repository.jdbc.username=" + DatabaseServer.USER,
                "--alpha.repository.jdbc.password=" + DatabaseServer.PASSWORD);
    }

    static BackedStore elasticsearch() {
        ElasticsearchServer server = ElasticsearchServer.start(ElasticsearchServer.V9);
        return new Servers(
                server,
                List.of(server.process()),
                "--alpha.repository.type=elasticsearch",
                "--alpha.repository.elasticsearch.uris=http://127.0.0.1:" + server.port());
    }

    /** Servers whose directories are copied while they are paused, which is what a snapshot of their disks would be. */
    class Servers implements BackedStore {
        private final AutoCloseable store;
        private final List<ServerProcess> processes;
        private final List<String> arguments;
        private final List<Path> copies = new ArrayList<>();

        Servers(AutoCloseable store, List<ServerProcess> processes, String... arguments) {
            this.store = store;
            this.processes = processes;
            this.arguments = List.of(arguments);
        }

        @Override
        public List<String> arguments() {
            return arguments;
        }

        @Override
        public void backup() {
            processes.forEach(ServerProcess::pause);
            for (ServerProcess process : processes) {
                Path copy = ServerProcess.newDirectory("copy").resolve("of");
                copies.add(copy);
                copy(process.directory(), copy);
            }
            processes.forEach(ServerProcess::resume);
        }

        @Override
        public void restore() {
            processes.forEach(ServerProcess::kill);
            for (int i = 0; i < processes.size(); i++) {
                Path directory = processes.get(i).directory();
                ServerProcess.delete(directory);
                copy(copies.get(i), directory);
            }
            processes.forEach(ServerProcess::start);
        }

        /** With whose they are. */
        private static void copy(Path from, Path to) {
            try {
                Command.of("cp", "-a", from, to).run(to.resolveSibling(""));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Override
        public void close() {
            try {
                store.close();
            } catch (Exception e) {
                throw new AssertionError(e);
            }
            copies.forEach(copy -> ServerProcess.delete(copy.resolveSibling("")));
        }
    }
}
