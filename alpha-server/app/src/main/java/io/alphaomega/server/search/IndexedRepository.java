package io.alphaomega.server.search;

import io.alphaomega.repository.Append;
import io.alphaomega.repository.AppendResult;
import io.alphaomega.repository.AsyncAppends;
import io.alphaomega.repository.Cursor;
import io.alphaomega.repository.Durability;
import io.alphaomega.repository.Health;
import io.alphaomega.repository.Loaded;
import io.alphaomega.repository.Page;
import io.alphaomega.repository.SagaCounts;
import io.alphaomega.repository.SagaQuery;
import io.alphaomega.repository.SagaRepository;
import io.alphaomega.repository.SagaSummary;
import io.alphaomega.saga.SagaId;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;

/** A journal that notes what was appended, for an index to be told later. It is never slower for that, nor fails. */
final class IndexedRepository implements SagaRepository {
    private final SagaRepository journal;
    private final Pending pending;
    private final Clock clock;
    private final Runnable onClose;

    /** @param onClose runs when nothing is appended any more and the journal can still be read */
    IndexedRepository(SagaRepository journal, Pending pending, Clock clock, Runnable onClose) {
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
        public void append(List<Append> batch, Answer answer) {
            Instant begun = clock.instant();
            pending.begins(begun);
            Answer noting = new Answer() {
                @Override
                public void stored(List<AppendResult> results) {
                    try {
                        note(batch, results, begun);
                    } finally {
                        answer.stored(results);
                    }
                }

                @Override
                public void failed(RuntimeException failure) {
                    try {
                        note(batch, List.of(), begun);
                    } finally {
                        answer.failed(failure);
                    }
                }
            };
            boolean asked = false;
            try {
                appends.append(batch, noting);
                asked = true;
            } finally {
                if (!asked) note(batch, List.of(), begun);
            }
        }
    }

    /**
     * Only what was stored for sure is certain. Without results, any of it may be stored or will be; and who lost, lost to
     * somebody who may not live to tell, or to a try of its own whose answer was lost on the way.
     */
    private void note(List<Append> batch, List<AppendResult> results, Instant begun) {
        Instant now = clock.instant();
        List<Pending.Item> changed = new ArrayList<>(batch.size());
        List<Pending.Doubt> doubtful = new ArrayList<>();
        for (int i = 0; i < batch.size(); i++) {
            SagaSummary summary = batch.get(i).summary();
            if (results.size() == batch.size() && results.get(i) instanceof AppendResult.Appended(var version)) {
                changed.add(new Pending.Item(summary, version.sequence(), begun));
            } else {
                doubtful.add(new Pending.Doubt(summary, begun, now));
            }
        }
        pending.over(begun, changed, doubtful);
    }

    @Override
    public Loaded load(SagaId id) {
        return journal.load(id);
    }

    @Override
    public Page<SagaId> due(Instant until, Cursor cursor, int limit) {
        return journal.due(until, cursor, limit);
    }

    @Override
    public Page<SagaSummary> find(SagaQuery query, Cursor cursor, int limit) {
        return journal.find(query, cursor, limit);
    }

    @Override
    public SagaCounts counts() {
        return journal.counts();
    }

    @Override
    public int purge(Instant endedBefore, int limit) {
        return journal.purge(endedBefore, limit);
    }

    @Override
    public int forget(Instant endedBefore, int limit) {
        return journal.forget(endedBefore, limit);
    }

    @Override
    public Duration visibilityLag() {
        return journal.visibilityLag();
    }

    @Override
    public Durability durability() {
        return journal.durability();
    }

    @Override
    public Health check() {
        return journal.check();
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
