package io.alphaomega.repository.redis;

import io.alphaomega.repository.SagaRepository;
import io.alphaomega.repository.kit.AsyncAppending;
import io.alphaomega.repository.kit.SagaRepositoryContract;
import io.alphaomega.repository.kit.Store;
import io.alphaomega.repository.servers.RedisServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** The contract on the way that alpha takes: appends on the event loop. */
final class RedisAsyncContractTest extends SagaRepositoryContract {
    private static RedisServer server;

    @BeforeAll
    static void start() {
        server = RedisServer.start("appendfsync always");
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @Override
    protected Store store() {
        return new RedisStore(server) {
            @Override
            public SagaRepository open() {
                return new AsyncAppending(super.open());
            }
        };
    }
}
