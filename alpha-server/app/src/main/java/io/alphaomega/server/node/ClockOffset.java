package io.alphaomega.server.node;

import java.time.Duration;
import java.time.Instant;

/**
 * How far another node's clock is ahead of this one's, as NTP measures it: the answer was given at some time between the
 * question and its arrival. A slow answer makes the error large, never the offset.
 *
 * @param ahead negative if it is behind
 * @param error by which that may be wrong, in either direction
 */
public record ClockOffset(Duration ahead, Duration error) {
    /** Nodes whose clocks are further apart time each other's sagas wrongly; with NTP they agree within milliseconds. */
    static final Duration MOST = Duration.ofSeconds(1);

    static final ClockOffset NONE = new ClockOffset(Duration.ZERO, Duration.ZERO);

    /** Clocks show whole milliseconds. */
    private static final Duration RESOLUTION = Duration.ofMillis(1);

    /**
     * Of an answer.
     *
     * @param sent when it was asked for, by this node's clock
     * @param theirs when it was given, by the other's
     * @param received when it was there, by this node's
     */
    static ClockOffset measured(Instant sent, Instant theirs, Instant received) {
        Duration half = Duration.between(sent, received).dividedBy(2);
        return new ClockOffset(Duration.between(sent.plus(half), theirs), half.plus(RESOLUTION));
    }

    /** Whether the two nodes' clocks, of which this and that were measured, are surely too far apart. */
    boolean isApartFrom(ClockOffset other) {
        Duration between = ahead.minus(other.ahead).abs();
        return between.minus(error).minus(other.error).compareTo(MOST) > 0;
    }
}
