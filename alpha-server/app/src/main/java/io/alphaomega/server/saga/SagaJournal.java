package io.alphaomega.server.saga;

import io.alphaomega.repository.Append;
import io.alphaomega.repository.Loaded;
import io.alphaomega.repository.RepositoryUnavailableException;
import io.alphaomega.repository.SagaRepository;
import io.alphaomega.repository.SagaSummary;
import io.alphaomega.repository.StoredEvent;
import io.alphaomega.repository.Version;
import io.alphaomega.saga.CorruptJournalException;
import io.alphaomega.saga.Outcome;
import io.alphaomega.saga.SagaEvent;
import io.alphaomega.saga.SagaId;
import io.alphaomega.saga.SagaRules;
import io.alphaomega.saga.SagaState;
import io.alphaomega.server.journal.JournalCodec;
import io.alphaomega.server.repository.AppendListener;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/** The repository as a saga's actor sees it: states instead of bytes, futures instead of waiting. */
final class SagaJournal {
    /** More at once only queue up in the store; those that wait hold a virtual thread, not a connection. */
    static final int LOADS_MAX = 64;

    /** Behind them; a store that is a hundred times slower than it should be is not given more to remember. */
    static final int WAITING_MAX = 1_000;

    /** A load that does not get its turn is refused before its sender has given up. */
    private static final Duration TURN = Duration.ofSeconds(2);

    /**
     * What is stored of a saga.
     *
     * @param lastAt when its last event was decided; the epoch if there is none
     */
    record Read(SagaState state, Version version, Instant lastAt, List<SagaEvent> events) {
        /** Whether what was decided is there, where it was to be. */
        boolean has(DecisionBatch batch) {
            int from = (int) batch.before().sequence();
            int to = from + batch.events().size();
            return to <= events.size() && events.subList(from, to).equals(batch.events());
        }
    }

    private final SagaRepository repository;
    private final BiConsumer<Append, AppendListener> append;
    private final Executor virtualThreads;
    private final Semaphore loads = new Semaphore(LOADS_MAX);

    /** @param append stores one item without blocking, such as group commit does */
    SagaJournal(SagaRepository repository, BiConsumer<Append, AppendListener> append, Executor virtualThreads) {
        this.repository = repository;
        this.append = append;
        this.virtualThreads = virtualThreads;
    }

    /** Reads without blocking; one of the two is told, on another thread. */
    void load(SagaId id, Consumer<Read> loaded, Consumer<Throwable> failed) {
        virtualThreads.execute(() -> {
            Read read;
            try {
                read = read(id);
            } catch (Throwable e) { // Whatever it is: nobody may wait for ever.
                failed.accept(e);
                return;
            }
            loaded.accept(read);
        });
    }

    /** Appends what leads to {@code after}, without blocking. */
    void append(Version expected, List<SagaEvent> events, SagaState.Known after, AppendListener waiter) {
        List<StoredEvent> stored = new ArrayList<>(events.size());
        for (SagaEvent event : events) stored.add(JournalCodec.encode(event));
        SagaSummary summary = SagaSummary.of(after, events.getLast().at());
        append.accept(new Append(after.id(), expected, stored, summary), waiter);
    }

    private Read read(SagaId id) {
        Loaded loaded = inTurn(id);
        if (loaded.tombstone().isPresent()) {
            SagaState purged =
                    new SagaState.Purged(id, outcome(loaded.tombstone().get()));
            return new Read(purged, loaded.version(), Instant.EPOCH, List.of());
        }
        SagaState state = new SagaState.Absent(id);
        Instant lastAt = Instant.EPOCH;
        List<SagaEvent> events = new ArrayList<>(loaded.events().size());
        for (StoredEvent stored : loaded.events()) {
            SagaEvent event = JournalCodec.decode(stored);
            events.add(event);
            state = SagaRules.evolve(state, event);
            lastAt = event.at();
        }
        return new Read(state, loaded.version(), lastAt, events);
    }

    private static Outcome outcome(SagaSummary.State ended) {
        return switch (ended) {
            case COMMITTED -> Outcome.COMMITTED;
            case COMPENSATED -> Outcome.COMPENSATED;
            case ACTIVE, CONFIRMING, COMPENSATING, SUSPENDED ->
                throw new CorruptJournalException("it was purged while it was " + ended + ", which no alpha does.");
        };
    }

    private Loaded inTurn(SagaId id) {
        if (loads.getQueueLength() >= WAITING_MAX) {
            throw new RepositoryUnavailableException(
                    "Saga %s was not loaded: %d others wait for their turn already.".formatted(id, WAITING_MAX));
        }
        try {
            if (!loads.tryAcquire(TURN.toMillis(), TimeUnit.MILLISECONDS)) {
                throw new RepositoryUnavailableException(
                        "Saga %s was not loaded: %d other loads are under way and none ended within %s."
                                .formatted(id, LOADS_MAX, TURN));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new RepositoryUnavailableException("Saga %s was not loaded: interrupted.".formatted(id), e);
        }
        try {
            return repository.load(id);
        } finally {
            loads.release();
        }
    }
}
