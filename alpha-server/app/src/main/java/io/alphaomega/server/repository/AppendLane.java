package io.alphaomega.server.repository;

import static java.util.Objects.requireNonNull;

import io.alphaomega.repository.Append;
import io.alphaomega.repository.AppendResult;
import io.alphaomega.repository.AsyncAppends;
import io.alphaomega.repository.RepositoryUnavailableException;
import io.alphaomega.repository.SagaRepository;
import io.alphaomega.server.repository.Backlog.Item;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A backlog of appends that are written one batch at a time, while the store is there: by the store's event loop if it
 * appends without a thread that waits, else by the lane's thread. An outage is the thread's in either case.
 */
final class AppendLane {
    /** Who has the next batch. */
    private enum Writer {
        NOBODY,
        LOOP,
        THREAD
    }

    /** A caller that comes back sooner than this would only ask again; one that waits longer is felt by people. */
    private static final Duration RETRY_AFTER_MIN = Duration.ofMillis(50);

    private static final Duration RETRY_AFTER_MAX = Duration.ofSeconds(5);

    /** How long an append of a running saga waits for a store that is away: its sender has not given up by then. */
    private static final Duration HOLD = Duration.ofSeconds(5);

    /** How often those that wait for a store that is away are looked at. */
    private static final Duration LOOK_EVERY = Duration.ofMillis(250);

    private final SagaRepository repository;
    private final @Nullable AsyncAppends asyncAppends;
    private final GroupCommit.Limits limits;
    private final StoreAvailability store;
    private final Thread thread;
    private final LongAdder refusedBegins = new LongAdder();
    private final LongAdder refusedAppends = new LongAdder();

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    /** These four guarded by the lock. */
    private final Backlog backlog;

    private Writer writer;

    private boolean closed;

    /** How many appends the thread waits for before it takes them. */
    private int awaited = 1;

    /** How many the last batch had. The thread's own. */
    private int lastItems;

    /** How long the last batch took, and when the one under way began. */
    private volatile long lastNanos;

    private volatile long begun = System.nanoTime();

    private AppendLane(int number, SagaRepository repository, GroupCommit.Limits limits, StoreAvailability store) {
        this.repository = repository;
        // To wait for company takes a thread.
        this.asyncAppends = limits.gather().isZero() ? repository.asyncAppends().orElse(null) : null;
        this.writer = asyncAppends == null ? Writer.THREAD : Writer.NOBODY;
        this.limits = limits;
        this.store = store;
        this.backlog = new Backlog(limits);
        // A platform thread: drivers of embedded stores block in native code, where a virtual one would hold its
        // carrier.
        this.thread =
                Thread.ofPlatform().daemon().name("alpha-append-" + number).unstarted(this::run);
    }

    static AppendLane start(int number, SagaRepository repository, GroupCommit.Limits limits, StoreAvailability store) {
        AppendLane lane = new AppendLane(number, repository, limits, store);
        lane.thread.start();
        return lane;
    }

    void submit(Append append, AppendListener waiter) {
        RuntimeException refusal = offer(Item.of(append, waiter));
        if (refusal != null) waiter.failed(refusal);
    }

    private @Nullable RuntimeException offer(Item item) {
        lock.lock();
        try {
            if (closed) return new RepositoryUnavailableException("The repository is closed and takes no appends.");
            if (item.begins() && store.isAway()) return store.refuse(true);
            if (!backlog.fits(item)) return busy(item.begins());
            backlog.add(item);
            switch (writer) {
                case THREAD -> {
                    if (backlog.items() == awaited) changed.signalAll();
                    return null;
                }
                case LOOP -> {
                    return null;
                }
                case NOBODY -> writer = Writer.LOOP;
            }
        } finally {
            lock.unlock();
        }
        writeLater();
        return null;
    }

    private RepositoryBusyException busy(boolean begin) {
        (begin ? refusedBegins : refusedAppends).increment();
        long batches = 1L + backlog.items() / limits.batchItems();
        // While the queue is full a batch is under way, and it may hang.
        long nanos = Math.max(lastNanos, System.nanoTime() - begun);
        Duration drained = Duration.ofNanos(nanos).multipliedBy(batches);
        return new RepositoryBusyException(
                "%d appends (%d bytes) wait for the store already, at most %d (%d bytes) may%s: the store is too slow for the load."
                        .formatted(
                                backlog.items(),
                                backlog.bytes(),
                                limits.queueItems(),
                                limits.queueBytes(),
                                begin ? ", and half of that for a saga to begin" : ""),
                drained.compareTo(RETRY_AFTER_MIN) < 0
                        ? RETRY_AFTER_MIN
                        : drained.compareTo(RETRY_AFTER_MAX) > 0 ? RETRY_AFTER_MAX : drained);
    }

    // ---- the event loop

    private void writeLater() {
        try {
            requireNonNull(asyncAppends).loop().execute(this::writeNext);
        } catch (RuntimeException e) { // It has ended: the thread learns from the store what is the matter.
            handOver();
        }
    }

    private void writeNext() {
        if (!store.isServing()) {
            handOver();
            return;
        }
        AppendBatch batch = takeOrRest();
        if (batch.items().isEmpty()) return;
        begun = System.nanoTime();
        CompletableFuture<List<AppendResult>> answer;
        try {
            answer = requireNonNull(asyncAppends).append(batch.appends());
        } catch (Throwable e) { // Whatever it is: nobody may wait for ever, and the lane goes on.
            answer = CompletableFuture.failedFuture(e);
        }
        var unused = answer.whenComplete((results, failure) -> answered(batch, results, failure));
    }

    private void answered(AppendBatch batch, List<AppendResult> results, @Nullable Throwable failure) {
        lastNanos = System.nanoTime() - begun;
        try {
            if (failure == null) stored(batch, results);
            else failed(batch, cause(failure));
        } finally {
            writeLater();
        }
    }

    /** Of what depends on a future that failed. */
    private static Throwable cause(Throwable failure) {
        return failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
    }

    private AppendBatch takeOrRest() {
        lock.lock();
        try {
            if (backlog.isEmpty()) {
                writer = Writer.NOBODY;
                if (closed) changed.signalAll();
                return AppendBatch.NONE;
            }
            return new AppendBatch(backlog.takeBatch());
        } finally {
            lock.unlock();
        }
    }

    private void handOver() {
        lock.lock();
        try {
            writer = Writer.THREAD;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    // ---- the thread

    private void run() {
        while (awaitItems()) {
            gather();
            if (store.awaitTurn(LOOK_EVERY)) write(take());
            else refuseOverdue();
            handBack();
        }
    }

    /** Whether there are any that it is to write; false when closed and drained. */
    private boolean awaitItems() {
        lock.lock();
        try {
            while (writer == Writer.THREAD ? backlog.isEmpty() && !closed : writer == Writer.LOOP || !closed) {
                changed.awaitUninterruptibly();
            }
            return !backlog.isEmpty();
        } finally {
            lock.unlock();
        }
    }

    private void handBack() {
        if (asyncAppends == null || !store.isServing()) return;
        lock.lock();
        try {
            writer = Writer.LOOP;
        } finally {
            lock.unlock();
        }
        writeLater();
    }

    /**
     * Waits a little for as many as the last batch had. Those who were answered together come back within a short time
     * of each other: the batch that takes the first of them alone leaves the others to one more, and splits them for good.
     * Where one saga works alone nothing waits, and where many did and no longer do, one batch waits in vain.
     */
    private void gather() {
        long left = limits.gather().toNanos();
        if (left == 0 || lastItems <= 1) return;
        lock.lock();
        try {
            awaited = lastItems;
            while (backlog.items() < awaited && left > 0 && !closed) left = changed.awaitNanos(left);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            awaited = 1;
            lock.unlock();
        }
    }

    private AppendBatch take() {
        lock.lock();
        try {
            return new AppendBatch(backlog.takeBatch());
        } finally {
            lock.unlock();
        }
    }

    /** Nothing of them was sent, and they may be sent again later. */
    private void refuseOverdue() {
        boolean away = store.isAway();
        long now = System.nanoTime();
        List<Item> overdue;
        lock.lock();
        try {
            overdue = backlog.takeWhile(item -> item.begins() ? away : now - item.since() > HOLD.toNanos());
        } finally {
            lock.unlock();
        }
        for (Item item : overdue) item.waiter().failed(store.refuse(item.begins()));
    }

    private void write(AppendBatch batch) {
        if (batch.items().isEmpty()) return; // Closed meanwhile.
        begun = System.nanoTime();
        lastItems = batch.items().size();
        List<AppendResult> results;
        try {
            results = repository.append(batch.appends());
        } catch (Throwable e) { // As above.
            failed(batch, e);
            return;
        } finally {
            lastNanos = System.nanoTime() - begun;
        }
        stored(batch, results);
    }

    private void stored(AppendBatch batch, List<AppendResult> results) {
        try {
            batch.requireAnswered(results);
            store.stored();
        } catch (Throwable e) {
            failed(batch, e);
            return;
        }
        batch.stored(results);
    }

    private void failed(AppendBatch batch, Throwable failure) {
        try {
            if (failure instanceof RepositoryUnavailableException)
                store.failed(batch.items().size(), failure);
            else store.failedForAnotherReason(batch.items().size());
        } finally {
            batch.failed(failure);
        }
    }

    // ---- closing

    void close() {
        lock.lock();
        try {
            closed = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Waits for the thread to write what is queued; what it does not get to fails. */
    void drain(Duration within) {
        try {
            if (thread.join(within)) return;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        AppendBatch left;
        lock.lock();
        try {
            left = new AppendBatch(backlog.takeWhile(item -> true));
        } finally {
            lock.unlock();
        }
        left.failed(new RepositoryUnavailableException("The repository was closed before this append was written."));
    }

    // ---- figures

    int queuedItems() {
        lock.lock();
        try {
            return backlog.items();
        } finally {
            lock.unlock();
        }
    }

    long queuedBytes() {
        lock.lock();
        try {
            return backlog.bytes();
        } finally {
            lock.unlock();
        }
    }

    Duration longestWait() {
        lock.lock();
        try {
            Item oldest = backlog.oldest();
            return oldest == null ? Duration.ZERO : Duration.ofNanos(System.nanoTime() - oldest.since());
        } finally {
            lock.unlock();
        }
    }

    /** Appends refused because the queue was full. */
    long refused(boolean begins) {
        return (begins ? refusedBegins : refusedAppends).sum();
    }
}
