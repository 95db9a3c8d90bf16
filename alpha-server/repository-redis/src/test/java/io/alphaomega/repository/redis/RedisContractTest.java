package io.alphaomega.repository.redis;

import io.alphaomega.repository.kit.SagaRepositoryContract;
import io.alphaomega.repository.kit.Store;
import io.alphaomega.repository.servers.RedisServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

final class RedisContractTest extends SagaRepositoryContract {
    private static RedisServer server;

    @BeforeAll
    static void start() {
        // Its outage is a kill; with everysec Redis may lose by one what it has answered, while the disk is slow.
        server = RedisServer.start("appendfsync always");
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @Override
    protected Store store() {
        return new RedisStore(server);
    }
}
