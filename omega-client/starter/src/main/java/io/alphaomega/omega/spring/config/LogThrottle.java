package io.alphaomega.omega.spring.config;

import java.time.Duration;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;

/** Logs one of many messages that say the same of different sagas, and counts the others: an outage would fill the log. */
public final class LogThrottle {
    private final long everyNanos;
    private final LongSupplier nanoTime;
    private long nextAt;
    private long others;

    public LogThrottle(Duration every) {
        this(every, System::nanoTime);
    }

    public LogThrottle(Duration every, LongSupplier nanoTime) {
        this.everyNanos = every.toNanos();
        this.nanoTime = nanoTime;
        this.nextAt = nanoTime.getAsLong();
    }

    /**
     * Logs the message if one is due.
     *
     * @param message is given how many were not logged since the last one that was
     */
    public void log(LongConsumer message) {
        long unsaid;
        synchronized (this) {
            long now = nanoTime.getAsLong();
            if (now - nextAt < 0) {
                others++;
                return;
            }
            nextAt = now + everyNanos;
            unsaid = others;
            others = 0;
        }
        message.accept(unsaid);
    }
}
