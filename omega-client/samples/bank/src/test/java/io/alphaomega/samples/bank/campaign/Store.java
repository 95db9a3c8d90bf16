package io.alphaomega.samples.bank.campaign;

import io.alphaomega.repository.servers.DatabaseServer;
import io.alphaomega.repository.servers.MariaDbServer;
import io.alphaomega.repository.servers.RedisServer;
import io.alphaomega.repository.servers.ServerProcess;
import java.util.List;

/**
 * What alpha keeps its sagas in: a server that has written what it has acknowledged, on this machine's address in the
 * network.
 *
 * @param alpha the arguments that tell alpha of it
 */
record Store(ServerProcess process, int port, List<String> alpha, AutoCloseable server) implements AutoCloseable {

    /** The stores that there are. */
    enum Type {
        REDIS,
        MARIADB
    }

    static Store start(Type type, String address) {
        return switch (type) {
            case REDIS -> {
                // With everysec, Redis answers before it writes while the disk is slow: a kill then loses what was
                // acknowledged.
                RedisServer redis =
                        RedisServer.start("appendfsync always", "bind 127.0.0.1 " + address, "protected-mode no");
                yield new Store(
                        redis.process(),
                        redis.port(),
                        List.of(
                                "--alpha.repository.type=redis",
                                "--alpha.repository.redis.uri=redis://" + address + ":" + redis.port()),
                        redis);
            }
            case MARIADB -> {
                MariaDbServer database = MariaDbServer.start("--bind-address=0.0.0.0");
                yield new Store(
                        database.process(),
                        database.port(),
                        List.of(
                                "--alpha.repository.type=mysql",
                                "--alpha.repository.jdbc.url=" + database.url().replace("127.0.0.1", address),
                                "--alpha.repository.jdbc.username=" + DatabaseServer.USER,
                                "--alpha.repository.jdbc.password=" + DatabaseServer.PASSWORD),
                        database);
            }
        };
    }

    @Override
    public void close() {
        try {
            server.close();
        } catch (Exception e) {
            throw new IllegalStateException("The store cannot be closed.", e);
        }
    }
}
