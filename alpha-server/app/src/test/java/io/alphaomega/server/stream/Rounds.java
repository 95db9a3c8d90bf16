package io.alphaomega.server.stream;

import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** What goes on beside a test until it is closed. After a round that failed no more follow, and closing says so. */
final class Rounds implements AutoCloseable {
    private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
    private final ScheduledExecutorService clock;

    /** @param atOnce how many rounds may run at a time */
    Rounds(int atOnce) {
        clock = Executors.newScheduledThreadPool(atOnce);
    }

    /** That often if it can; late rounds are made up for. */
    void every(long millis, Runnable round) {
        var unused = clock.scheduleAtFixedRate(() -> watched(round), 0, millis, TimeUnit.MILLISECONDS);
    }

    /** With that pause between two rounds. */
    void apart(long millis, Runnable round) {
        var unused = clock.scheduleWithFixedDelay(() -> watched(round), 0, millis, TimeUnit.MILLISECONDS);
    }

    private void watched(Runnable round) {
        try {
            round.run();
        } catch (RuntimeException | Error failed) {
            failure.compareAndSet(null, failed);
            throw failed; // The end of the schedule.
        }
    }

    @Override
    public void close() {
        clock.close();
        Throwable first = failure.get();
        if (first != null) throw new AssertionError("a round beside the test failed", first);
    }
}
