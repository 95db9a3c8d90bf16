package io.alphaomega.server.clock;

import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;

/**
 * Wall time at its start plus the time that has passed since, in whole milliseconds: a step of the wall clock causes no
 * wave of timeouts. It follows the wall clock slowly, never runs backwards and is safe for use by many threads.
 */
public final class SteadyClock extends Clock {
    /** It gains or loses at most a hundredth: a minute is caught up in under two hours, and no timeout is off by more. */
    static final int SLEW = 100;

    /** The wall clock is looked at this rarely, because nobody needs it more often. */
    private static final long LOOK_NANOS = 100_000_000;

    private static final long NANOS_PER_MILLI = 1_000_000;

    /** From {@code from} at the time {@code at} after the start towards {@code wanted}, as fast as {@link #SLEW} allows. */
    private record Correction(long at, long from, long wanted) {
        /** A thread that was held up between two reads may ask for a time before the correction: it gets no share of it. */
        long after(long elapsed) {
            long most = Math.max(0, elapsed - at) / SLEW;
            return Math.clamp(wanted, from - most, from + most);
        }
    }

    private final Clock wall;
    private final LongSupplier nanoTime;
    private final Instant start;
    private final long startNanos;
    private final long startEpochNanos;
    private final AtomicReference<Correction> correction = new AtomicReference<>(new Correction(0, 0, 0));

    public SteadyClock() {
        this(Clock.systemUTC(), System::nanoTime);
    }

    SteadyClock(Clock wall, LongSupplier nanoTime) {
        this.wall = wall;
        this.nanoTime = nanoTime;
        this.start = wall.instant();
        this.startNanos = nanoTime.getAsLong();
        this.startEpochNanos = Instant.EPOCH.until(start, ChronoUnit.NANOS);
    }

    @Override
    public Instant instant() {
        long elapsed = nanoTime.getAsLong() - startNanos;
        Correction known = correction.get();
        if (elapsed - known.at() >= LOOK_NANOS) {
            long wanted = start.until(wall.instant(), ChronoUnit.NANOS) - elapsed;
            correction.compareAndSet(known, new Correction(elapsed, known.after(elapsed), wanted));
        }
        // Every input asks for the time: in one long until the last step, which holds until the year 2262.
        return Instant.ofEpochMilli(Math.floorDiv(startEpochNanos + elapsed + known.after(elapsed), NANOS_PER_MILLI));
    }

    @Override
    public long millis() {
        return instant().toEpochMilli();
    }

    @Override
    public ZoneId getZone() {
        return wall.getZone();
    }

    @Override
    public Clock withZone(ZoneId zone) {
        return new SteadyClock(wall.withZone(zone), nanoTime);
    }
}
