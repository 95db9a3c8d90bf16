package io.alphaomega.server.repository;

import io.alphaomega.repository.Append;
import io.alphaomega.repository.AppendResult;
import io.alphaomega.repository.RepositoryUnavailableException;
import io.alphaomega.repository.SagaRepository;
import io.alphaomega.repository.StoredEvent;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** A queue of appends and the thread that writes them, one batch at a time. */
final class Lane {
    /** What an append holds besides its events' bytes: ids, summary, objects. */
    private static final int ITEM_OVERHEAD_BYTES = 512;

    /** A caller that comes back sooner than this would only ask again; one that waits longer is felt by people. */
    private static final Duration RETRY_AFTER_MIN = Duration.ofMillis(50);

    private static final Duration RETRY_AFTER_MAX = Duration.ofSeconds(5);

    private record Item(Append append, int bytes, long since, CompletableFuture<AppendResult> result) {}

    private final SagaRepository repository;
    private final GroupCommit.Limits limits;
    private final Thread thread;
    private final LongAdder refused = new LongAdder();

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    /** These three guarded by the lock. */
    private final Queue<Item> queue = new ArrayDeque<>();

    private long queuedBytes;
    private boolean closed;

    /** How long the last batch took, and when the one under way began. */
    private volatile long lastNanos;

    private volatile long begun = System.nanoTime();

    private Lane(int number, SagaRepository repository, GroupCommit.Limits limits) {
        this.repository = repository;
        this.limits = limits;
        // A platform thread: drivers of embedded stores block in native code, where a virtual one would hold its
        // carrier.
        this.thread =
                Thread.ofPlatform().daemon().name("alpha-append-" + number).unstarted(this::run);
    }

    static Lane start(int number, SagaRepository repository, GroupCommit.Limits limits) {
        Lane lane = new Lane(number, repository, limits);
        lane.thread.start();
        return lane;
    }

    CompletableFuture<AppendResult> submit(Append append) {
        Item item = new Item(append, bytes(append), System.nanoTime(), new CompletableFuture<>());
        RuntimeException refusal = offer(item);
        if (refusal != null) item.result().completeExceptionally(refusal);
        return item.result();
    }

    private @Nullable RuntimeException offer(Item item) {
        lock.lock();
        try {
            if (closed) return new RepositoryUnavailableException("The repository is closed and takes no appends.");
            // An item larger than the queue is taken alone: it would never fit otherwise.
            boolean full = queue.size() >= limits.queueItems()
                    || (queuedBytes + item.bytes() > limits.queueBytes() && !queue.isEmpty());
            if (full) {
                refused.increment();
                return busy();
            }
            queue.add(item);
            queuedBytes += item.bytes();
            if (queue.size() == 1) changed.signalAll();
            return null;
        } finally {
            lock.unlock();
        }
    }

    private RepositoryBusyException busy() {
        long batches = 1L + queue.size() / limits.batchItems();
        // While the queue is full a batch is under way, and it may hang.
        long nanos = Math.max(lastNanos, System.nanoTime() - begun);
        Duration drained = Duration.ofNanos(nanos).multipliedBy(batches);
        return new RepositoryBusyException(
                "%d appends (%d bytes) wait for the store already, at most %d (%d bytes) may: the store is too slow for the load."
                        .formatted(queue.size(), queuedBytes, limits.queueItems(), limits.queueBytes()),
                drained.compareTo(RETRY_AFTER_MIN) < 0
                        ? RETRY_AFTER_MIN
                        : drained.compareTo(RETRY_AFTER_MAX) > 0 ? RETRY_AFTER_MAX : drained);
    }

    private static int bytes(Append append) {
        int bytes = ITEM_OVERHEAD_BYTES;
        for (StoredEvent event : append.events()) bytes += event.bytes().length;
        return bytes;
    }

    // ---- the thread

    private void run() {
        for (List<Item> batch = take(); !batch.isEmpty(); batch = take()) write(batch);
    }

    /** What has gathered, up to a batch; waits for the first item. Empty when closed and drained. */
    private List<Item> take() {
        lock.lock();
        try {
            while (queue.isEmpty() && !closed) changed.awaitUninterruptibly();
            List<Item> batch = new ArrayList<>(Math.min(queue.size(), limits.batchItems()));
            int bytes = 0;
            for (Item next = queue.peek(); next != null && batch.size() < limits.batchItems(); next = queue.peek()) {
                if (!batch.isEmpty() && bytes + next.bytes() > limits.batchBytes()) break;
                bytes += next.bytes();
                batch.add(queue.remove());
            }
            queuedBytes -= bytes;
            return batch;
        } finally {
            lock.unlock();
        }
    }

    private void write(List<Item> batch) {
        begun = System.nanoTime();
        try {
            List<AppendResult> results =
                    repository.append(batch.stream().map(Item::append).toList());
            if (results.size() != batch.size()) {
                throw new IllegalStateException(
                        "the repository answered %d appends with %d results".formatted(batch.size(), results.size()));
            }
            for (int i = 0; i < batch.size(); i++) batch.get(i).result().complete(results.get(i));
        } catch (Throwable e) { // Whatever it is: nobody may wait for ever, and the lane goes on.
            fail(batch, unavailable(e));
        } finally {
            lastNanos = System.nanoTime() - begun;
        }
    }

    private static RepositoryUnavailableException unavailable(Throwable failure) {
        return failure instanceof RepositoryUnavailableException already
                ? already
                : new RepositoryUnavailableException(
                        "The store failed while it appended, whether it has stored anything is unknown: " + failure,
                        failure);
    }

    private static void fail(Iterable<Item> items, RepositoryUnavailableException failure) {
        for (Item item : items) item.result().completeExceptionally(failure);
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
        List<Item> left;
        lock.lock();
        try {
            left = new ArrayList<>(queue);
            queue.clear();
            queuedBytes = 0;
        } finally {
            lock.unlock();
        }
        fail(left, new RepositoryUnavailableException("The repository was closed before this append was written."));
    }

    // ---- figures

    int queuedItems() {
        lock.lock();
        try {
            return queue.size();
        } finally {
            lock.unlock();
        }
    }

    long queuedBytes() {
        lock.lock();
        try {
            return queuedBytes;
        } finally {
            lock.unlock();
        }
    }

    Duration longestWait() {
        lock.lock();
        try {
            Item oldest = queue.peek();
            return oldest == null ? Duration.ZERO : Duration.ofNanos(System.nanoTime() - oldest.since());
        } finally {
            lock.unlock();
        }
    }

    long refused() {
        return refused.sum();
    }
}
