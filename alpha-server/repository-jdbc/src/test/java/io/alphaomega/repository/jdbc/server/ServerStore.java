package io.alphaomega.repository.jdbc.server;

import io.alphaomega.repository.SagaRepository;
import io.alphaomega.repository.jdbc.JdbcSagaRepository;
import io.alphaomega.repository.kit.Store;
import io.alphaomega.repository.servers.CuttingProxy;
import io.alphaomega.repository.servers.DatabaseServer;
import io.alphaomega.repository.servers.PostgreSqlServer;
import java.time.Duration;

/** A database server behind a network that can be cut. */
final class ServerStore implements Store {
    private final DatabaseServer server;
    private final CuttingProxy network;

    ServerStore(DatabaseServer server) {
        this.server = server;
        network = CuttingProxy.to(server.port());
    }

    @Override
    public SagaRepository open() {
        String url = server.url(network.port());
        return repository(server instanceof PostgreSqlServer ? url + "?prepareThreshold=0" : url);
    }

    /** As a server that starts would construct it. */
    static JdbcSagaRepository repository(String url) {
        return ServerRepository.at(url, DatabaseServer.USER, DatabaseServer.PASSWORD);
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

    /** The word is on the wire each time, as long as no driver prepares the statement. */
    @Override
    public void loseAnswers() {
        network.loseAnswersAfter("COMMIT");
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
