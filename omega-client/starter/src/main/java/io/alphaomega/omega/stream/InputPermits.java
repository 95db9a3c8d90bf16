package io.alphaomega.omega.stream;

import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** A limited number of places, for threads that wait for one and for callers that may not. */
final class InputPermits {
    /** Callers without a thread of their own, whom nothing else bounds while alpha is away. */
    private static final int WAITING_MAX = 10_000;

    private final Semaphore free;

    /** Without a lock, for which a thread could wait. */
    private final Queue<CompletableFuture<Boolean>> waiting = new ConcurrentLinkedQueue<>();

    /** How many have not got a place and have not left, as {@link #waiting}, whose size is counted one by one. */
    private final AtomicInteger waitingCount = new AtomicInteger();

    private volatile boolean closed;

    InputPermits(int places) {
        this.free = new Semaphore(places);
    }

    boolean take() {
        return free.tryAcquire();
    }

    /** Waits for one, on this thread. */
    boolean take(long nanos) throws InterruptedException {
        return free.tryAcquire(nanos, TimeUnit.NANOSECONDS);
    }

    /**
     * Takes one as soon as there is one.
     *
     * @return whether it is taken: not after that time, nor once nobody may have one, nor if {@value #WAITING_MAX} callers
     *     wait already
     */
    CompletableFuture<Boolean> takeLater(Duration within, ClientLoop loop) {
        if (free.tryAcquire()) return CompletableFuture.completedFuture(true);
        if (within.isZero()) return CompletableFuture.completedFuture(false);
        if (waitingCount.incrementAndGet() > WAITING_MAX) {
            waitingCount.decrementAndGet();
            return CompletableFuture.completedFuture(false);
        }
        CompletableFuture<Boolean> place = new CompletableFuture<>();
        CompletableFuture<Boolean> unused = place.whenComplete((taken, none) -> waitingCount.decrementAndGet());
        waiting.add(place);
        serve();
        if (closed) close();
        if (place.isDone()) return place;
        ScheduledFuture<?> tooLate = loop.schedule(within, () -> refuse(place));
        if (tooLate == null) refuse(place);
        return place.whenComplete((taken, none) -> cancel(tooLate));
    }

    private static void cancel(@Nullable ScheduledFuture<?> timer) {
        if (timer != null) timer.cancel(false);
    }

    @SuppressWarnings("CollectionUndefinedEquality") // Each is itself.
    private void refuse(CompletableFuture<Boolean> place) {
        if (place.complete(false)) waiting.remove(place);
    }

    void giveBack() {
        free.release();
        serve();
    }

    private void serve() {
        while (!waiting.isEmpty() && free.tryAcquire()) {
            CompletableFuture<Boolean> next = waiting.poll();
            if (next == null || !next.complete(true)) free.release();
        }
    }

    /** How many callers wait without a thread. */
    int waiting() {
        return waitingCount.get();
    }

    int free() {
        return free.availablePermits();
    }

    /** Nobody waits any more. */
    void close() {
        closed = true;
        waiting.forEach(this::refuse);
    }
}
