package io.alphaomega.benchmark.load;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;

/** The hour of the day of a {@link System#nanoTime}: the clock is read once, so that its steps change no duration. */
final class WallClock {
    private final Instant begun;
    private final long begunNanos = System.nanoTime();

    WallClock(Clock clock) {
        begun = clock.instant();
    }

    Instant at(long nanoTime) {
        return begun.plusNanos(nanoTime - begunNanos);
    }

    long nanoTimeAt(Instant instant) {
        return begunNanos + Duration.between(begun, instant).toNanos();
    }
}
