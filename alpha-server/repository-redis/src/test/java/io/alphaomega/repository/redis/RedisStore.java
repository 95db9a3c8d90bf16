package io.alphaomega.repository.redis;

import io.alphaomega.repository.SagaRepository;
import io.alphaomega.repository.kit.Store;
import io.alphaomega.repository.servers.CuttingProxy;
import io.alphaomega.repository.servers.RedisServer;
import java.time.Duration;

/** A single server behind a network. Its outage: it is killed. */
class RedisStore implements Store {
    private final RedisServer server;
    private final CuttingProxy network;

    RedisStore(RedisServer server) {
        this.server = server;
        network = CuttingProxy.to(server.port());
    }

    @Override
    public SagaRepository open() {
        return new RedisSagaRepository(RedisSagaRepository.Settings.of("redis://127.0.0.1:" + network.port()));
    }

    @Override
    public void stop() {
        server.process().kill();
    }

    @Override
    public void start() {
        if (!server.process().isRunning()) server.process().start();
        network.pass();
    }

    @Override
    public void loseAnswers() {
        // Not those that a new connection begins with, or nothing would be executed over one.
        network.loseAnswersAfter("EVAL");
    }

    @Override
    public void slowDown(Duration delay) {
        network.slowDown(delay);
    }

    @Override
    public void close() {
        start();
        network.close();
    }
}
