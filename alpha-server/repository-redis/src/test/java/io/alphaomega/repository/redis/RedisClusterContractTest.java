package io.alphaomega.repository.redis;

import io.alphaomega.repository.kit.SagaRepositoryContract;
import io.alphaomega.repository.kit.Store;
import io.alphaomega.repository.servers.RedisCluster;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

final class RedisClusterContractTest extends SagaRepositoryContract {
    private static RedisCluster cluster;

    @BeforeAll
    static void start() {
        cluster = RedisCluster.start(3);
    }

    @AfterAll
    static void stop() {
        cluster.close();
    }

    @Override
    protected Store store() {
        return new RedisClusterStore(cluster);
    }
}
