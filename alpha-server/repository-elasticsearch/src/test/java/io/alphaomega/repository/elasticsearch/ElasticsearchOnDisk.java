package io.alphaomega.repository.elasticsearch;

import io.alphaomega.repository.SagaRepository;
import io.alphaomega.repository.campaign.StoreOnDisk;
import io.alphaomega.repository.servers.ElasticsearchServer;
import java.io.File;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;

/** A node, for campaigns. */
final class ElasticsearchOnDisk implements StoreOnDisk {
    @Override
    public Running start(Path directory) {
        letTheServerIn(directory);
        ElasticsearchServer server = ElasticsearchServer.start(directory, ElasticsearchServer.V8);
        return new Running(Integer.toString(server.port()), List.of(server.process()));
    }

    @Override
    public SagaRepository open(String address) {
        return new ElasticsearchSagaRepository(ElasticsearchStore.settings(Integer.parseInt(address)));
    }

    /** A temporary directory is its owner's alone, who may be root, and Elasticsearch is not run by root. */
    private static void letTheServerIn(Path directory) {
        File above = Objects.requireNonNull(directory.toFile().getParentFile());
        if (!above.setExecutable(true, false)) throw new IllegalStateException(above + " cannot be opened to others");
    }
}
