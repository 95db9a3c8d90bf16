package io.alphaomega.omega.fence;

import io.alphaomega.omega.redis.FencedRedis;
import io.alphaomega.omega.redis.RedisStep;
import io.alphaomega.repository.servers.RedisCluster;
import io.alphaomega.repository.servers.RedisServer;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.springframework.data.redis.connection.RedisClusterConfiguration;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/** A server and a cluster of Redis, each started once. */
enum Redises {
    SERVER,
    CLUSTER;

    private static final List<AutoCloseable> RUNNING = new ArrayList<>();
    private static final Map<Redises, LettuceConnectionFactory> CONNECTIONS = new EnumMap<>(Redises.class);

    RedisFence.Scripts scripts() {
        synchronized (RUNNING) {
            return RedisStep.scripts(new FencedRedis(CONNECTIONS.computeIfAbsent(this, Redises::connections)));
        }
    }

    private LettuceConnectionFactory connections() {
        LettuceConnectionFactory connections = start();
        connections.afterPropertiesSet();
        connections.start();
        return connections;
    }

    private LettuceConnectionFactory start() {
        if (this == SERVER) {
            RedisServer server = RedisServer.start();
            RUNNING.add(server);
            return new LettuceConnectionFactory(new RedisStandaloneConfiguration("127.0.0.1", server.port()));
        }
        RedisCluster cluster = RedisCluster.start(3);
        RUNNING.add(cluster);
        List<String> nodes = List.of("127.0.0.1:" + cluster.servers().getFirst().port());
        return new LettuceConnectionFactory(new RedisClusterConfiguration(nodes));
    }

    static void stop() throws Exception {
        synchronized (RUNNING) {
            CONNECTIONS.values().forEach(LettuceConnectionFactory::destroy);
            CONNECTIONS.clear();
            for (AutoCloseable each : RUNNING) each.close();
            RUNNING.clear();
        }
    }
}
