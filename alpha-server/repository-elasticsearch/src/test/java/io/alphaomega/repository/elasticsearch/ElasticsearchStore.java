package io.alphaomega.repository.elasticsearch;

import io.alphaomega.repository.RepositoryUnavailableException;
import io.alphaomega.repository.SagaRepository;
import io.alphaomega.repository.kit.Store;
import io.alphaomega.repository.servers.CuttingProxy;
import io.alphaomega.repository.servers.ElasticsearchServer;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.awaitility.Awaitility;

/** A node behind a network. Its outage: the network is away. */
final class ElasticsearchStore implements Store {
    private final CuttingProxy network;

    ElasticsearchStore(ElasticsearchServer server) {
        network = CuttingProxy.to(server.port());
    }

    static ElasticsearchSettings settings(int port) {
        return new ElasticsearchSettings(
                List.of(URI.create("http://127.0.0.1:" + port)), Optional.empty(), Optional.empty(), "alpha", 1, 1);
    }

    /** An operator's setting: tests need not wait as long as people can. */
    static void refreshOften(ElasticsearchServer server) {
        try (SagaRepository repository = new ElasticsearchSagaRepository(settings(server.port()))) {
            Awaitility.await("the index is made, for which a busy machine takes time")
                    .ignoreExceptionsInstanceOf(RepositoryUnavailableException.class)
                    .until(() -> repository.durability() != null);
        }
        new Curl(server.port()).put("/alpha-sagas/_settings", "{\"index\":{\"refresh_interval\":\"50ms\"}}");
    }

    @Override
    public SagaRepository open() {
        return new ElasticsearchSagaRepository(settings(network.port()));
    }

    @Override
    public void stop() {
        network.refuse();
    }

    @Override
    public void start() {
        network.pass();
    }

    @Override
    public void loseAnswers() {
        network.loseAnswersAfter("/_bulk");
    }

    @Override
    public void slowDown(Duration delay) {
        network.slowDown(delay);
    }

    @Override
    public void close() {
        network.close();
    }
}
