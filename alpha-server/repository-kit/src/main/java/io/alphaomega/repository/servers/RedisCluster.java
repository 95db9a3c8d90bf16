package io.alphaomega.repository.servers;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.awaitility.Awaitility;

/** A Redis Cluster of primaries on this machine, each behind a network of its own that clients are sent to. */
public final class RedisCluster implements AutoCloseable {
    private static final int SLOTS = 16_384;

    private final List<RedisServer> servers;
    private final List<CuttingProxy> networks;

    private RedisCluster(List<RedisServer> servers, List<CuttingProxy> networks) {
        this.servers = servers;
        this.networks = networks;
    }

    /** A new cluster, whole. */
    public static RedisCluster start(int primaries, String... settings) {
        List<RedisServer> servers = new ArrayList<>();
        List<CuttingProxy> networks = new ArrayList<>();
        for (int i = 0; i < primaries; i++) {
            int port = ServerProcess.freePort();
            CuttingProxy network = CuttingProxy.to(port);
            networks.add(network);
            List<String> all = new ArrayList<>(List.of(settings));
            all.add("cluster-enabled yes");
            all.add("cluster-node-timeout 5000");
            all.add("cluster-announce-ip 127.0.0.1");
            all.add("cluster-announce-port " + network.port());
            all.add("cluster-announce-bus-port " + (port + 10_000));
            servers.add(RedisServer.at(port, ServerProcess.newDirectory("redis-cluster"), all.toArray(String[]::new)));
        }
        RedisCluster cluster = new RedisCluster(servers, networks);
        cluster.join();
        return cluster;
    }

    private void join() {
        RedisServer first = servers.getFirst();
        for (int i = 0; i < servers.size(); i++) {
            int from = SLOTS * i / servers.size();
            int to = SLOTS * (i + 1) / servers.size() - 1;
            servers.get(i).ask("CLUSTER", "ADDSLOTSRANGE", Integer.toString(from), Integer.toString(to));
            // Each has an epoch of its own, or they would have to agree on that first.
            servers.get(i).ask("CLUSTER", "SET-CONFIG-EPOCH", Integer.toString(i + 1));
            if (i > 0) {
                servers.get(i)
                        .ask(
                                "CLUSTER",
                                "MEET",
                                "127.0.0.1",
                                Integer.toString(first.port()),
                                Integer.toString(first.port() + 10_000));
            }
        }
        awaitWhole();
    }

    /** Returns once every server says that all is well and knows all others. */
    public void awaitWhole() {
        Awaitility.await()
                .atMost(Patience.LIMIT)
                .pollInterval(Duration.ofMillis(100))
                .until(() -> servers.stream()
                        .allMatch(server -> server.ask("CLUSTER", "INFO").contains("cluster_state:ok")
                                && server.ask("CLUSTER", "INFO").contains("cluster_known_nodes:" + servers.size())));
    }

    public List<RedisServer> servers() {
        return List.copyOf(servers);
    }

    /** In the order of the servers. */
    public List<CuttingProxy> networks() {
        return List.copyOf(networks);
    }

    @Override
    public void close() {
        networks.forEach(network -> network.close());
        servers.forEach(RedisServer::close);
    }
}
