package io.alphaomega.server.search;

import io.alphaomega.repository.Append;
import io.alphaomega.repository.AppendResult;
import io.alphaomega.repository.AsyncAppends;
import io.alphaomega.repository.ForwardingSagaRepository;
import io.alphaomega.repository.SagaRepository;
import io.alphaomega.repository.SagaSummary;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

/** A journal that notes what was appended, for an index to be told later. It is never slower for that, nor fails. */
final class IndexedRepository extends ForwardingSagaRepository {
    private final SagaRepository journal;
    private final PendingSummaries pending;
    private final Clock clock;
    private final Runnable onClose;

    /** @param onClose runs when nothing is appended any more and the journal can still be read */
    IndexedRepository(SagaRepository journal, PendingSummaries pending, Clock clock, Runnable onClose) {
        super(journal);
        this.journal = journal;
        this.pending = pending;
        this.clock = clock;
        this.onClose = onClose;
    }

    @Override
    public List<AppendResult> append(List<Append> batch) {
        Instant begun = clock.instant();
        pending.begins(begun);
        List<AppendResult> results = List.of();
        try {
            results = journal.append(batch);
            return results;
        } finally {
            note(batch, results, begun);
        }
    }

    @Override
    public Optional<AsyncAppends> asyncAppends() {
        return journal.asyncAppends().map(IndexedAppends::new);
    }

    private final class IndexedAppends implements AsyncAppends {
        private final AsyncAppends appends;

        IndexedAppends(AsyncAppends appends) {
            this.appends = appends;
        }

        @Override
        public Executor loop() {
            return appends.loop();
        }

        @Override
        public CompletableFuture<List<AppendResult>> append(List<Append> batch) {
            Instant begun = clock.instant();
            pending.begins(begun);
            return appends.append(batch)
                    .whenComplete((results, failure) -> note(batch, failure == null ? results : List.of(), begun));
        }
    }

    /**
     * Only what was stored for sure is certain. Without results, any of it may be stored or will be; and who lost, lost to
     * somebody who may not live to tell, or to a try of its own whose answer was lost on the way.
     */
    private void note(List<Append> batch, List<AppendResult> results, Instant begun) {
        Instant now = clock.instant();
        List<PendingSummaries.Item> changed = new ArrayList<>(batch.size());
        List<PendingSummaries.Doubt> doubtful = new ArrayList<>();
        for (int i = 0; i < batch.size(); i++) {
            SagaSummary summary = batch.get(i).summary();
            if (results.size() == batch.size() && results.get(i) instanceof AppendResult.Appended(var version)) {
                changed.add(new PendingSummaries.Item(summary, version.sequence(), begun));
            } else {
                doubtful.add(new PendingSummaries.Doubt(summary, begun, now));
            }
        }
        pending.over(begun, changed, doubtful);
    }

    @Override
    public void close() {
        try {
            onClose.run();
        } finally {
            journal.close();
        }
    }
}
