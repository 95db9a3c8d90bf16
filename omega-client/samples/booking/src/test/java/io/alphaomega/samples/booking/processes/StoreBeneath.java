package io.alphaomega.samples.booking.processes;

import io.alphaomega.repository.servers.DatabaseServer;
import io.alphaomega.repository.servers.ElasticsearchServer;
import io.alphaomega.repository.servers.MariaDbServer;
import io.alphaomega.repository.servers.MySqlServer;
import io.alphaomega.repository.servers.PostgreSqlServer;
import io.alphaomega.repository.servers.RedisCluster;
import io.alphaomega.repository.servers.RedisServer;
import io.alphaomega.repository.servers.ServerProcess;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A store in processes of its own, running, on which alpha can be put.
 *
 * @param alpha the arguments that tell alpha of it
 * @param processes to be killed and started again; of a cluster each by itself
 */
record StoreBeneath(List<String> alpha, List<ServerProcess> processes, Runnable end) implements AutoCloseable {

    private static final int PRIMARIES = 3;

    /** With everysec, Redis answers before it writes while the disk is slow: a kill then loses what was acknowledged. */
    private static final String WRITTEN_FIRST = "appendfsync always";

    /** The stores that there are. */
    enum Kind {
        REDIS,
        REDIS_CLUSTER,
        MARIADB,
        MYSQL,
        POSTGRESQL,
        ELASTICSEARCH;

        StoreBeneath start() {
            return switch (this) {
                case REDIS -> {
                    RedisServer server = RedisServer.start(WRITTEN_FIRST);
                    yield redis("redis://127.0.0.1:" + server.port(), List.of(server.process()), server::close);
                }
                case REDIS_CLUSTER -> {
                    RedisCluster cluster = RedisCluster.start(PRIMARIES, WRITTEN_FIRST);
                    String nodes = cluster.networks().stream()
                            .map(network -> "127.0.0.1:" + network.port())
                            .collect(Collectors.joining(","));
                    List<ServerProcess> processes =
                            cluster.servers().stream().map(RedisServer::process).toList();
                    yield redis("redis-cluster://" + nodes, processes, cluster::close);
                }
                case MARIADB -> database("mysql", MariaDbServer.start());
                case MYSQL -> database("mysql", MySqlServer.start());
                case POSTGRESQL -> database("postgresql", PostgreSqlServer.start());
                case ELASTICSEARCH -> {
                    ElasticsearchServer server = ElasticsearchServer.start(ElasticsearchServer.V9);
                    yield new StoreBeneath(
                            List.of(
                                    "--alpha.repository.type=elasticsearch",
                                    "--alpha.repository.elasticsearch.uris=http://127.0.0.1:" + server.port()),
                            List.of(server.process()),
                            server::close);
                }
            };
        }
    }

    private static StoreBeneath redis(String uri, List<ServerProcess> processes, Runnable end) {
        return new StoreBeneath(
                List.of("--alpha.repository.type=redis", "--alpha.repository.redis.uri=" + uri), processes, end);
    }

    private static StoreBeneath database(String type, DatabaseServer server) {
        return new StoreBeneath(
                List.of(
                        "--alpha.repository.type=" + type,
                        "--alpha.repository.jdbc.url=" + server.url(),
                        "--alpha.repository.jdbc.username=" + DatabaseServer.USER,
                        "--alpha.repository.jdbc.password=" + DatabaseServer.PASSWORD),
                List.of(server.process()),
                server::close);
    }

    @Override
    public void close() {
        end.run();
    }
}
