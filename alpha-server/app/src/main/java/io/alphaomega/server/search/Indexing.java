package io.alphaomega.server.search;

import io.alphaomega.repository.SagaRepository;
import io.alphaomega.repository.elasticsearch.ElasticsearchSagaIndex;
import io.alphaomega.server.repository.RepositoryDecorator;
import java.time.Clock;
import org.jspecify.annotations.Nullable;

/** Puts an index beside the journal of this node. */
final class Indexing implements RepositoryDecorator {
    private final ElasticsearchSagaIndex index;
    private final PendingSummaries pending;
    private final Clock clock;
    private final SearchMetrics metrics;
    private volatile @Nullable Indexer indexer;

    Indexing(ElasticsearchSagaIndex index, PendingSummaries pending, Clock clock, SearchMetrics metrics) {
        this.index = index;
        this.pending = pending;
        this.clock = clock;
        this.metrics = metrics;
    }

    @Override
    public SagaRepository around(SagaRepository journal) {
        Indexer started = new Indexer(journal, index, pending, clock, metrics);
        started.start();
        indexer = started;
        return new IndexedRepository(journal, pending, clock, started::close);
    }

    /** From now on this node may say how far it is. */
    void named(String node) {
        Indexer started = indexer;
        if (started != null) started.named(node);
    }
}
