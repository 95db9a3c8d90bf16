package io.alphaomega.server.epoch;

import io.alphaomega.protocol.v1.Hello;
import io.alphaomega.protocol.v1.StoreMark;
import io.alphaomega.repository.Cursor;
import io.alphaomega.repository.RepositoryUnavailableException;
import io.alphaomega.repository.SagaQuery;
import io.alphaomega.repository.SagaRepository;
import io.alphaomega.repository.SagaSummary;
import io.alphaomega.saga.Restoration;
import io.alphaomega.saga.Stuck;
import io.alphaomega.server.saga.Holds;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Notes in the store how far it has come, and tells the services; and finds out that the store was set back to an earlier
 * time: by what services have been told before, and by what this node has noted itself. From then on the sagas that the
 * store had open are held.
 */
public final class StoreEpoch implements AutoCloseable {
    /** What was stored after a copy was made and before the next mark cannot be known to be missing. */
    public static final Duration EVERY = Duration.ofSeconds(10);

    private static final Logger LOG = LoggerFactory.getLogger(StoreEpoch.class);

    /** What a service has seen of the store, to be looked at when that can be read. */
    private record Seen(Mark mark, String by) {}

    private final SagaRepository repository;
    private final Clock clock;
    private final Holds holds;
    private final Executor threads;
    private final String run = UUID.randomUUID().toString();
    private final Instant openedAt;
    private final ScheduledExecutorService beats;
    private final List<Consumer<StoreMark>> listeners = new CopyOnWriteArrayList<>();

    /** Held while the store is read or written, which takes as long as it takes. */
    private final ReentrantLock lock = new ReentrantLock();

    private final List<Seen> open = new ArrayList<>();
    private volatile StoreNotes notes = StoreNotes.of(Map.of());
    private volatile @Nullable Mark mark;
    private volatile int held;

    /** @param threads for what waits for the store */
    public StoreEpoch(SagaRepository repository, Clock clock, Holds holds, Executor threads) {
        this.repository = repository;
        this.clock = clock;
        this.holds = holds;
        this.threads = threads;
        this.openedAt = now();
        this.beats = Executors.newSingleThreadScheduledExecutor(
                Thread.ofPlatform().daemon().name("store-epoch").factory());
    }

    /** Notes the first mark before this returns, if the store takes it, and further ones from then on. */
    public void open(Duration every) {
        beat();
        var unused =
                beats.scheduleWithFixedDelay(this::beat, every.toMillis(), every.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** Is told each mark that is stored from now on, and the last one at once. */
    public void onMark(Consumer<StoreMark> listener) {
        listeners.add(listener);
        Mark last = mark;
        if (last != null) listener.accept(last.toWire());
    }

    /**
     * Hears what an instance has seen of the store before it is told anything.
     *
     * @return done when it is known what follows from that, or that it cannot be known for now
     */
    public CompletionStage<?> heard(Hello hello) {
        List<Seen> news = new ArrayList<>();
        for (StoreMark seen : hello.getSeenList()) {
            Mark told = Mark.of(seen);
            if (isNews(told)) news.add(new Seen(told, "service " + hello.getService()));
        }
        if (news.isEmpty()) return CompletableFuture.completedFuture(null);
        return CompletableFuture.runAsync(() -> look(news), threads);
    }

    /** Whether it may tell more than is known already. */
    private boolean isNews(Mark told) {
        StoreNotes known = notes;
        if (known.store().isPresent() && !known.lacks(told)) return false;
        return holds.restoration()
                .filter(found -> told.at().isBefore(found.foundAt()))
                .isEmpty();
    }

    /**
     * Sagas that are held.
     *
     * @param why the sentence
     * @param sagas how many, up to a page of them; they are counted every few seconds
     */
    public record Holding(String why, int sagas) {}

    /** Empty if the store was not set back, or no saga is held any more for that. */
    public Optional<Holding> holding() {
        int sagas = held;
        return holds.restoration()
                .filter(found -> sagas > 0 || isFresh(found))
                .map(found -> new Holding(found.why(), sagas));
    }

    /** Whether it was found so lately that its sagas may not have been counted yet. */
    private boolean isFresh(Restoration found) {
        return found.foundAt().plus(EVERY.multipliedBy(2)).isAfter(clock.instant());
    }

    // ---- with the store

    private void look(List<Seen> news) {
        lock.lock();
        try {
            open.addAll(news);
            read();
            judge();
        } catch (RepositoryUnavailableException | IllegalStateException e) {
            LOG.debug("The store cannot be read to tell whether it was set back: {}", e.getMessage());
        } catch (RuntimeException e) {
            LOG.error("It cannot be told whether the store was set back, which is tried again.", e);
        } finally {
            lock.unlock();
        }
    }

    /** Reads what is noted, and notes a mark more. */
    void beat() {
        lock.lock();
        try {
            read();
            Mark own = mark;
            if (own != null) open.add(new Seen(own, "this node"));
            judge();
            tidy();
            write();
            held = countHeld();
        } catch (RepositoryUnavailableException | IllegalStateException e) {
            LOG.debug("No mark could be noted in the store: {}", e.getMessage());
        } catch (RuntimeException e) {
            LOG.error("No mark could be noted in the store, which is tried again.", e);
        } finally {
            lock.unlock();
        }
    }

    private void read() {
        notes = StoreNotes.of(repository.notes());
        if (notes.store().isEmpty()) {
            repository.note(StoreNotes.STORE, UUID.randomUUID().toString());
            notes = StoreNotes.of(repository.notes());
        }
        Restoration noted = notes.restoration().orElse(null);
        if (noted != null && isLater(noted)) found(noted);
    }

    private boolean isLater(Restoration other) {
        Restoration known = holds.restoration().orElse(null);
        return known == null
                || other.foundAt().isAfter(known.foundAt())
                || (other.foundAt().equals(known.foundAt())
                        && other.begunBefore().isAfter(known.begunBefore()));
    }

    private void judge() {
        for (Seen seen : open) {
            if (!notes.lacks(seen.mark())) continue;
            Restoration follows = notes.restoration(seen.mark(), seen.by(), holds.restoration(), now());
            if (isLater(follows)) found(follows);
        }
        open.clear();
        Restoration known = holds.restoration().orElse(null);
        if (known == null || known.equals(notes.restoration().orElse(null))) return;
        repository.note(StoreNotes.RESTORATION, StoreNotes.text(known));
    }

    private void found(Restoration restoration) {
        boolean news = holds.restoration()
                .filter(known -> known.foundAt().equals(restoration.foundAt()))
                .isEmpty();
        holds.restored(restoration);
        if (!news) return;
        LOG.error(
                "{} The sagas that it had open, all begun before {}, are held until a person has looked at them: see Restoring an older store in docs/operating/backup.md.",
                restoration.why(),
                restoration.begunBefore());
    }

    private void write() {
        Mark last = mark;
        long number = last == null ? 1 : last.number() + 1;
        Instant at = now();
        repository.note(StoreNotes.name(run), new StoreNotes.Run(number, openedAt, at).text());
        Mark next = new Mark(notes.store().orElseThrow(), run, number, at);
        mark = next;
        listeners.forEach(listener -> listener.accept(next.toWire()));
    }

    /** Some runs at a time: others do the same. */
    private void tidy() {
        List<Map.Entry<String, StoreNotes.Run>> outdated = notes.outdated(run, now());
        if (outdated.isEmpty()) return;
        Instant until = outdated.getLast().getValue().at();
        if (until.isAfter(notes.forgotten())) repository.note(StoreNotes.FORGOTTEN, StoreNotes.text(until));
        outdated.forEach(gone -> repository.note(StoreNotes.name(gone.getKey()), ""));
    }

    private int countHeld() {
        Restoration found = holds.restoration().orElse(null);
        if (found == null) return 0;
        SagaQuery suspended = SagaQuery.ALL
                .in(SagaSummary.State.SUSPENDED)
                .reason(Stuck.RESTORED)
                .to(found.begunBefore());
        return repository
                .find(suspended, Cursor.START, SagaRepository.PAGE_MAX)
                .items()
                .size();
    }

    private Instant now() {
        return clock.instant().truncatedTo(ChronoUnit.MILLIS);
    }

    @Override
    public void close() {
        beats.shutdownNow();
    }
}
