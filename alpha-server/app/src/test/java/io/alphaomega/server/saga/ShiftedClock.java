package io.alphaomega.server.saga;

import io.alphaomega.server.clock.SteadyClock;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;

/** A node's clock that shows another time than those of the other nodes. */
public final class ShiftedClock extends Clock {
    private final Clock right = new SteadyClock();
    private volatile Duration ahead;

    /** @param ahead negative for one that is behind */
    public ShiftedClock(Duration ahead) {
        this.ahead = ahead;
    }

    /** From now on; as by a step. */
    public void shift(Duration now) {
        ahead = now;
    }

    public Duration ahead() {
        return ahead;
    }

    @Override
    public Instant instant() {
        return right.instant().plus(ahead);
    }

    @Override
    public ZoneId getZone() {
        return right.getZone();
    }

    @Override
    public Clock withZone(ZoneId zone) {
        throw new UnsupportedOperationException("there is one zone");
    }
}
