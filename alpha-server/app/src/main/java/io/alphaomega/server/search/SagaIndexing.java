package io.alphaomega.server.search;

import io.alphaomega.repository.SagaRepository;
import io.alphaomega.repository.elasticsearch.ElasticsearchSagaIndex;
import io.alphaomega.repository.elasticsearch.ElasticsearchSagaIndex.Checkpoint;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** What people may know of the index, and order. */
public final class SagaIndexing {
    private final SagaRepository journal;
    private final ElasticsearchSagaIndex index;
    private final SearchMetrics metrics;

    SagaIndexing(SagaRepository journal, ElasticsearchSagaIndex index, SearchMetrics metrics) {
        this.journal = journal;
        this.index = index;
        this.metrics = metrics;
    }

    /**
     * How far the index is.
     *
     * @param stored sagas in the journal
     * @param indexed sagas in the index
     * @param completeUpTo everything appended before is in the index; empty while it is filled
     * @param pending sagas that changed on this node and are not told
     */
    public record Progress(long stored, long indexed, Optional<Instant> completeUpTo, int pending) {}

    public Progress progress() {
        Optional<Instant> completeUpTo = index.checkpoints().stream()
                .filter(checkpoint -> checkpoint.node().equals(IndexRepair.WHOLE))
                .map(Checkpoint::completeUpTo)
                .findFirst();
        return new Progress(
                total(journal.counts().byState().values()),
                total(index.counts().byState().values()),
                completeUpTo,
                metrics.pending());
    }

    private static long total(Iterable<Long> counts) {
        long total = 0;
        for (long count : counts) total += count;
        return total;
    }

    /** Empties the index; the repair, on whichever node it runs, notices that it is not complete and fills it. */
    public void rebuild() {
        index.clear();
    }

    /** Why the index cannot be told anything, if it cannot. */
    public Optional<String> awayBecause() {
        return metrics.awayBecause();
    }

    public int pending() {
        return metrics.pending();
    }

    public Duration lag() {
        return metrics.lag();
    }
}
