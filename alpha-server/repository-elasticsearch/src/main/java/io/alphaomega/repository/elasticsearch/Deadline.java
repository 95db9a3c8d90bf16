package io.alphaomega.repository.elasticsearch;

import java.time.Duration;

/** When an operation has taken long enough, whatever it consists of. */
record Deadline(long nanos) {
    /** Under the ten seconds that callers of alpha wait. */
    private static final Duration OPERATION = Duration.ofSeconds(8);

    static Deadline ofOperation() {
        return in(OPERATION);
    }

    static Deadline in(Duration duration) {
        return new Deadline(System.nanoTime() + duration.toNanos());
    }

    Duration left() {
        return Duration.ofNanos(Math.max(0, nanos - System.nanoTime()));
    }

    boolean isOver() {
        return left().isZero();
    }
}
