package io.alphaomega.server.repository;

import io.alphaomega.repository.Append;
import io.alphaomega.repository.AppendResult;
import io.alphaomega.repository.AsyncAppends;
import io.alphaomega.repository.Cursor;
import io.alphaomega.repository.ForwardingSagaRepository;
import io.alphaomega.repository.Loaded;
import io.alphaomega.repository.Page;
import io.alphaomega.repository.SagaCounts;
import io.alphaomega.repository.SagaQuery;
import io.alphaomega.repository.SagaRepository;
import io.alphaomega.repository.SagaSummary;
import io.alphaomega.repository.StoredEvent;
import io.alphaomega.saga.SagaId;
import io.alphaomega.server.meters.Histograms;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * A repository that measures what another one does.
 *
 * <ul>
 *   <li>{@code alpha.repository.append}, {@code .load}, {@code .due}, {@code .find}, {@code .ordered}, {@code .counts}, {@code .purge}, {@code .forget},
 *       {@code .notes}, {@code .note}:
 *       timers, by {@code outcome} ({@code ok}, {@code failed}); of appends, one count is one batch, and they are a histogram
 *   <li>{@code alpha.repository.batch.items}, {@code alpha.repository.batch.bytes}: how much was appended together, as
 *       histograms
 *   <li>{@code alpha.repository.conflicts}: appends that lost to somebody else's
 * </ul>
 */
public final class MeteredRepository extends ForwardingSagaRepository {
    /** Powers of two up to the largest batch there is, so that the distribution can be read at any load. */
    private static final double[] ITEMS = {1, 2, 4, 8, 16, 32, 64, 128, 256};

    /** One small event, and up to the largest batch. */
    private static final double[] BYTES = {256, 1_024, 4_096, 16_384, 65_536, 262_144, 1_048_576};

    private final SagaRepository repository;
    private final Operation append;
    private final Operation load;
    private final Operation due;
    private final Operation find;
    private final Operation ordered;
    private final Operation counts;
    private final Operation purge;
    private final Operation forget;
    private final Operation notes;
    private final Operation note;
    private final DistributionSummary batchItems;
    private final DistributionSummary batchBytes;
    private final Counter conflicts;

    public MeteredRepository(SagaRepository repository, MeterRegistry registry) {
        super(repository);
        this.repository = repository;
        append = Operation.of(Histograms.ofWaits("alpha.repository.append"), registry);
        load = Operation.of("load", registry);
        due = Operation.of("due", registry);
        find = Operation.of("find", registry);
        ordered = Operation.of("ordered", registry);
        counts = Operation.of("counts", registry);
        purge = Operation.of("purge", registry);
        forget = Operation.of("forget", registry);
        notes = Operation.of("notes", registry);
        note = Operation.of("note", registry);
        batchItems = DistributionSummary.builder("alpha.repository.batch.items")
                .description("Appends per batch")
                .serviceLevelObjectives(ITEMS)
                .register(registry);
        batchBytes = DistributionSummary.builder("alpha.repository.batch.bytes")
                .description("Bytes of events per batch")
                .baseUnit("bytes")
                .serviceLevelObjectives(BYTES)
                .register(registry);
        conflicts = Counter.builder("alpha.repository.conflicts")
                .description("Appends that lost to those of another writer")
                .register(registry);
    }

    /** The timers of one method. */
    private record Operation(Timer ok, Timer failed) {
        static Operation of(String name, MeterRegistry registry) {
            return of(Timer.builder("alpha.repository." + name), registry);
        }

        static Operation of(Timer.Builder timer, MeterRegistry registry) {
            timer.description("How long one call of the store takes");
            return new Operation(
                    timer.tags("outcome", "ok").register(registry),
                    timer.tags("outcome", "failed").register(registry));
        }

        <T> T time(Supplier<T> call) {
            long begun = System.nanoTime();
            Timer timer = failed;
            try {
                T result = call.get();
                timer = ok;
                return result;
            } finally {
                timer.record(System.nanoTime() - begun, TimeUnit.NANOSECONDS);
            }
        }
    }

    @Override
    public List<AppendResult> append(List<Append> batch) {
        sent(batch);
        List<AppendResult> results = append.time(() -> repository.append(batch));
        answered(results);
        return results;
    }

    @Override
    public Optional<AsyncAppends> asyncAppends() {
        return repository.asyncAppends().map(MeteredAppends::new);
    }

    private final class MeteredAppends implements AsyncAppends {
        private final AsyncAppends appends;

        MeteredAppends(AsyncAppends appends) {
            this.appends = appends;
        }

        @Override
        public Executor loop() {
            return appends.loop();
        }

        @Override
        public CompletableFuture<List<AppendResult>> append(List<Append> batch) {
            sent(batch);
            long begun = System.nanoTime();
            return appends.append(batch).whenComplete((results, failure) -> {
                Timer timer = failure == null ? append.ok : append.failed;
                timer.record(System.nanoTime() - begun, TimeUnit.NANOSECONDS);
                if (failure == null) answered(results);
            });
        }
    }

    private void sent(List<Append> batch) {
        batchItems.record(batch.size());
        batchBytes.record((double) bytes(batch));
    }

    private void answered(List<AppendResult> results) {
        for (AppendResult result : results) {
            if (result instanceof AppendResult.Conflict) conflicts.increment();
        }
    }

    private static long bytes(List<Append> batch) {
        long bytes = 0;
        for (Append item : batch) {
            for (StoredEvent event : item.events()) bytes += event.bytes().length;
        }
        return bytes;
    }

    @Override
    public Loaded load(SagaId id) {
        return load.time(() -> repository.load(id));
    }

    @Override
    public Page<SagaId> due(Instant until, Cursor cursor, int limit) {
        return due.time(() -> repository.due(until, cursor, limit));
    }

    @Override
    public Page<SagaSummary> find(SagaQuery query, Cursor cursor, int limit) {
        return find.time(() -> repository.find(query, cursor, limit));
    }

    @Override
    public Page<SagaSummary> ordered(Instant since, Cursor cursor, int limit) {
        return ordered.time(() -> repository.ordered(since, cursor, limit));
    }

    @Override
    public SagaCounts counts(Set<SagaSummary.State> states) {
        return counts.time(() -> repository.counts(states));
    }

    @Override
    public int purge(Instant endedBefore, int limit) {
        return purge.time(() -> repository.purge(endedBefore, limit));
    }

    @Override
    public int forget(Instant endedBefore, int limit) {
        return forget.time(() -> repository.forget(endedBefore, limit));
    }

    @Override
    public Map<String, String> notes() {
        return notes.time(repository::notes);
    }

    @Override
    public void note(String name, String text) {
        boolean unused = note.time(() -> {
            repository.note(name, text);
            return true;
        });
    }
}
