package io.alphaomega.repository.elasticsearch;

import io.alphaomega.repository.kit.SagaRepositoryContract;
import io.alphaomega.repository.kit.Store;
import io.alphaomega.repository.servers.ElasticsearchServer;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

@Tag("long")
final class Elasticsearch8RepositoryTest extends SagaRepositoryContract {
    private static @Nullable ElasticsearchServer server;

    @BeforeAll
    static void start() {
        server = ElasticsearchServer.start(ElasticsearchServer.V8);
        ElasticsearchStore.refreshOften(server);
    }

    @AfterAll
    static void stop() {
        Objects.requireNonNull(server).close();
    }

    @Override
    protected Store store() {
        return new ElasticsearchStore(Objects.requireNonNull(server));
    }
}
