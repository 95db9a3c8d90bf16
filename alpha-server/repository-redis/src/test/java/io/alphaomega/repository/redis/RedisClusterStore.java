package io.alphaomega.repository.redis;

import io.alphaomega.repository.SagaRepository;
import io.alphaomega.repository.kit.Store;
import io.alphaomega.repository.servers.CuttingProxy;
import io.alphaomega.repository.servers.RedisCluster;
import java.time.Duration;

/** A cluster behind a network. Its outage: the network is away. */
final class RedisClusterStore implements Store {
    private final RedisCluster cluster;

    RedisClusterStore(RedisCluster cluster) {
        this.cluster = cluster;
    }

    static String uri(RedisCluster cluster) {
        return "redis-cluster://127.0.0.1:%d,127.0.0.1:%d"
                .formatted(
                        cluster.networks().get(0).port(),
                        cluster.networks().get(1).port());
    }

    @Override
    public SagaRepository open() {
        return new RedisSagaRepository(RedisSagaRepository.Settings.of(uri(cluster)));
    }

    @Override
    public void stop() {
        cluster.networks().forEach(CuttingProxy::refuse);
    }

    @Override
    public void start() {
        cluster.networks().forEach(CuttingProxy::pass);
    }

    @Override
    public void loseAnswers() {
        cluster.networks().forEach(network -> network.loseAnswersAfter("EVAL"));
    }

    @Override
    public void slowDown(Duration delay) {
        cluster.networks().forEach(network -> network.slowDown(delay));
    }

    @Override
    public void close() {
        start();
    }
}
