package io.alphaomega.server.saga;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;

/**
 * The time of one saga: that of its node, moved forward by as much as the saga was ahead of it when it came. For a saga
 * time never runs backwards, as its rules ask for, and never stands still: one that comes from a node whose clock is a
 * minute ahead goes on from its last event, instead of waiting for a minute.
 */
final class SagaTime {
    private final Clock clock;
    private Duration lead = Duration.ZERO;
    private Instant decidedAt = Instant.EPOCH;

    SagaTime(Clock clock) {
        this.clock = clock;
    }

    Instant now() {
        return clock.instant().plus(lead);
    }

    /** Now, at which something is decided; never before what was decided last. */
    Instant decide() {
        Instant now = now();
        if (now.isAfter(decidedAt)) decidedAt = now;
        return decidedAt;
    }

    /** When something was decided last. */
    Instant decidedAt() {
        return decidedAt;
    }

    /** Something was decided then, maybe on another node. */
    void reached(Instant at) {
        Duration ahead = Duration.between(clock.instant(), at);
        if (ahead.compareTo(lead) > 0) lead = ahead;
    }
}
