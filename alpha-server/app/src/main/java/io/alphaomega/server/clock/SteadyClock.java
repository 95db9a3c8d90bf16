package io.alphaomega.server.clock;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;

/**
 * Wall time at its start plus the time that has passed since, in whole milliseconds: a step of the wall clock causes no
 * wave of timeouts. It follows the wall clock by running faster or slower, never runs backwards and is safe for use by
 * many threads.
 *
 * <p>A timeout that comes too early aborts what is healthy, one that comes late does no harm. So it gives way quickly when
 * it is far ahead, less so when it is far behind.
 */
public final class SteadyClock extends Clock {
    /** An error up to this is made up for by a hundredth: no timeout is off by more. */
    static final Duration SMALL = Duration.ofSeconds(1);

    private static final int SLEW = 100;

    /** Far ahead it runs at half speed: a minute is gone after two, and timeouts take up to twice as long meanwhile. */
    private static final int SLEW_BACK = 2;

    /** Far behind it gains a tenth: a minute is made up for in ten, and timeouts are a tenth shorter meanwhile. */
    private static final int SLEW_FORWARD = 10;

    /** The wall clock is looked at this rarely, because nobody needs it more often. */
    private static final long LOOK_NANOS = 100_000_000;

    private static final long NANOS_PER_MILLI = 1_000_000;

    /** From {@code from} at the time {@code at} after the start towards {@code wanted}; all in nanoseconds. */
    private record Correction(long at, long from, long wanted) {
        /** A thread that was held up between two reads may ask for a time before the correction: it gets no share of it. */
        long after(long elapsed) {
            long most = Math.max(0, elapsed - at) / slew();
            return Math.clamp(wanted, from - most, from + most);
        }

        private int slew() {
            if (from - wanted > SMALL.toNanos()) return SLEW_BACK;
            return wanted - from > SMALL.toNanos() ? SLEW_FORWARD : SLEW;
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

    /** How far it is ahead of the wall clock; negative if it is behind. */
    public Duration aheadOfWall() {
        return Duration.between(wall.instant(), instant());
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
