package io.alphaomega.omega.stream;

import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A limited number of places, for threads that wait for one and for callers that may not. */
final class Places {
    private final Semaphore free;
    private final Queue<CompletableFuture<Boolean>> waiting = new ConcurrentLinkedQueue<>();
    private volatile boolean closed;

    Places(int places) {
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
     * @return whether it is taken: not after that time, nor once nobody may have one
     */
    CompletableFuture<Boolean> takeLater(Duration within, ClientLoop loop) {
        if (free.tryAcquire()) return CompletableFuture.completedFuture(true);
        CompletableFuture<Boolean> place = new CompletableFuture<>();
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

    int free() {
        return free.availablePermits();
    }

    /** Nobody waits any more. */
    void close() {
        closed = true;
        waiting.forEach(this::refuse);
    }
}
