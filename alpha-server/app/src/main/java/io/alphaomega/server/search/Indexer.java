package io.alphaomega.server.search;

import io.alphaomega.repository.RepositoryUnavailableException;
import io.alphaomega.repository.SagaRepository;
import io.alphaomega.repository.elasticsearch.ElasticsearchSagaIndex;
import io.alphaomega.repository.elasticsearch.ElasticsearchSagaIndex.Entry;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The thread of a node that tells the index what the node has appended, at least once, and writes down up to when that is
 * complete. What was too much while the index was away, it catches up from the journal.
 */
final class Indexer {
    private static final int BATCH = 500;

    /** How far a node that is killed may be behind its word; each checkpoint is a write to the index. */
    private static final Duration CHECKPOINT_EVERY = Duration.ofSeconds(5);

    /** A node that does nothing keeps the others from going far back after a crash. */
    private static final Duration CHECKPOINT_IDLE_EVERY = Duration.ofMinutes(5);

    private static final Duration LOOK_EVERY = Duration.ofSeconds(1);
    private static final Duration PAUSE_MIN = Duration.ofMillis(200);

    /** After an outage the list is right again this soon, and what is missing is put. */
    private static final Duration PAUSE_MAX = Duration.ofSeconds(5);

    /** Of the time in which a node that is told to stop must be gone; what is not told by then, others catch up. */
    private static final Duration DRAIN_WITHIN = Duration.ofSeconds(3);

    /**
     * How long a store may still execute an append that was given up: what is on the way arrives within seconds, and a store
     * that stood still answers nothing until it has executed what it was sent before. Looked up sooner, it may not be there
     * yet.
     */
    static final Duration EXECUTED_WITHIN = Duration.ofSeconds(15);

    /** Doubts that are settled at a time: each is a question to the journal, and what is certain waits for them. */
    private static final int DOUBTS = 50;

    private static final Logger LOG = LoggerFactory.getLogger(Indexer.class);

    private final SagaRepository journal;
    private final ElasticsearchSagaIndex index;
    private final PendingSummaries pending;
    private final Clock clock;
    private final SearchMetrics metrics;
    private final SummaryRebuild rebuild;
    private final Thread thread;
    private final CountDownLatch closing = new CountDownLatch(1);

    /** The name under which this node writes its checkpoints; none before it is a member of the cluster. */
    private volatile @Nullable String node;

    /** Of the thread alone. */
    private int batch = BATCH;

    private @Nullable CatchUp gap;
    private @Nullable Instant checkpoint;
    private long checkpointNanos;
    private boolean changed = true;
    private boolean away;
    private boolean journalAway;
    private long journalAwayNanos;

    Indexer(
            SagaRepository journal,
            ElasticsearchSagaIndex index,
            PendingSummaries pending,
            Clock clock,
            SearchMetrics metrics) {
        this.journal = journal;
        this.index = index;
        this.pending = pending;
        this.clock = clock;
        this.metrics = metrics;
        this.rebuild = new SummaryRebuild(journal);
        this.thread = Thread.ofPlatform().daemon().name("alpha-search").unstarted(this::run);
    }

    void start() {
        thread.start();
    }

    void named(String name) {
        node = name;
    }

    private void run() {
        Duration pause = PAUSE_MIN;
        while (!isClosing()) {
            try {
                put(pending.take(batch, gap == null ? LOOK_EVERY : Duration.ZERO));
                settleDoubts();
                catchUp();
                checkpointIfDue();
                back();
                pause = PAUSE_MIN;
            } catch (Throwable e) { // This thread is the only one: without it, nobody tells the index until a restart.
                failed(e);
                rest(pause);
                pause = pause.multipliedBy(2).compareTo(PAUSE_MAX) > 0 ? PAUSE_MAX : pause.multipliedBy(2);
            }
        }
    }

    /** Closing ends it. */
    private void rest(Duration pause) {
        try {
            if (closing.await(pause.toMillis(), TimeUnit.MILLISECONDS)) return;
        } catch (InterruptedException e) { // By nobody.
            Thread.currentThread().interrupt();
        }
    }

    private boolean isClosing() {
        return closing.getCount() == 0;
    }

    private void put(List<PendingSummaries.Item> items) {
        if (items.isEmpty()) return;
        try {
            List<Entry> entries = new ArrayList<>(items.size());
            for (PendingSummaries.Item item : items) entries.add(new Entry(item.summary(), item.sequence()));
            index.put(entries);
        } catch (Throwable e) {
            pending.failed();
            batch = Math.max(1, batch / 2); // One of them may be to blame.
            throw e;
        }
        pending.done();
        batch = Math.min(BATCH, 2 * batch);
        changed = true;
        metrics.put(items.size(), clock.instant());
    }

    /** Apart from what is certain, which does not wait for a journal that is away; one by one, as one may be to blame. */
    private void settleDoubts() {
        if (journalAway && System.nanoTime() - journalAwayNanos < PAUSE_MAX.toNanos()) return;
        for (PendingSummaries.Doubt doubt : pending.doubts(clock.instant().minus(EXECUTED_WITHIN), DOUBTS)) {
            try {
                Optional<Entry> found = lookUp(doubt);
                if (journalAway) return;
                index.put(found.stream().toList());
                pending.settled(doubt);
            } finally {
                pending.postponed(doubt, clock.instant()); // Unless it is settled.
            }
            changed = true;
        }
    }

    private Optional<Entry> lookUp(PendingSummaries.Doubt doubt) {
        try {
            Optional<Entry> found = rebuild.lookUp(doubt.summary());
            journalAway = false;
            return found;
        } catch (RuntimeException e) {
            LOG.debug(
                    "Whether saga {} was appended to cannot be looked up yet.",
                    doubt.summary().id(),
                    e);
            journalAway = true;
            journalAwayNanos = System.nanoTime();
            return Optional.empty();
        }
    }

    /** A page at a time, so that what is new does not gather behind it. */
    private void catchUp() {
        if (gap == null) {
            pending.takeMissing().ifPresent(since -> {
                gap = new CatchUp(since, journal, index);
                LOG.warn(
                        "More than {} sagas changed while the search index was away; what changed since {} is read from the journal.",
                        PendingSummaries.ROOM,
                        since);
            });
        }
        CatchUp missing = gap;
        if (missing == null || missing.step()) return;
        LOG.info("The search index has caught up from {} with {} sagas.", missing.since(), missing.done());
        metrics.caughtUp(missing.done());
        gap = null;
        changed = true;
    }

    private void checkpointIfDue() {
        String name = node;
        if (name == null) return;
        Duration since = Duration.ofNanos(System.nanoTime() - checkpointNanos);
        Duration every = changed ? CHECKPOINT_EVERY : CHECKPOINT_IDLE_EVERY;
        if (checkpoint != null && since.compareTo(every) < 0) return;
        Instant now = clock.instant();
        Instant complete = completeUpTo(now);
        index.checkpoint(name, complete, now);
        changed = false;
        checkpoint = complete;
        checkpointNanos = System.nanoTime();
    }

    private Instant completeUpTo(Instant now) {
        Instant complete = pending.completeUpTo(now);
        CatchUp missing = gap;
        return missing != null && missing.since().isBefore(complete) ? missing.since() : complete;
    }

    private void failed(Throwable failure) {
        metrics.failed();
        if (!(failure instanceof RepositoryUnavailableException)) {
            LOG.error("An update of the search index failed because of a bug; it is retried.", failure);
        }
        if (away) return;
        away = true;
        metrics.away(String.valueOf(failure.getMessage()));
        LOG.warn("The search index is away; sagas continue, only the list of them is behind: {}", failure.getMessage());
    }

    private void back() {
        if (!away) return;
        away = false;
        metrics.back();
        LOG.info("The search index is back; {} sagas are still to be put.", pending.size());
    }

    /** Tells what is left, for a bounded time. The journal must still be readable. */
    void close() {
        closing.countDown();
        try {
            if (thread.isAlive()) thread.join(DRAIN_WITHIN);
            long deadline = System.nanoTime() + DRAIN_WITHIN.toNanos();
            List<PendingSummaries.Item> left = thread.isAlive() ? List.of() : pending.take(BATCH, Duration.ZERO);
            while (!left.isEmpty() && System.nanoTime() < deadline) {
                put(left);
                left = pending.take(BATCH, Duration.ZERO);
            }
            String name = node;
            Instant now = clock.instant();
            // Not while an append is under way or in doubt: whoever finds the checkpoint catches that up.
            boolean complete = gap == null && pending.completeUpTo(now).equals(now);
            if (complete && name != null && checkpoint != null && !thread.isAlive()) index.removeCheckpoint(name);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException e) {
            LOG.warn(
                    "The search index was not told of the last {} sagas; another node will see to it.", pending.size());
        } finally {
            index.close();
        }
    }
}
