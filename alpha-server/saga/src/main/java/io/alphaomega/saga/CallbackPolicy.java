package io.alphaomega.saga;

import java.time.Duration;

/**
 * How long and how often a callback is asked before a person has to look.
 *
 * @param attempts failed attempts before giving up, 1 to {@link Limits#ATTEMPTS}
 * @param within time from the first request before giving up
 * @param firstDelay pause after the first failure; it doubles with each further one
 * @param maxDelay cap of the pause
 * @param timeout for the answer to one attempt
 */
public record CallbackPolicy(int attempts, Duration within, Duration firstDelay, Duration maxDelay, Duration timeout) {
    public static final CallbackPolicy DEFAULT = new CallbackPolicy(
            10, Duration.ofHours(24), Duration.ofSeconds(1), Duration.ofMinutes(5), Duration.ofSeconds(30));

    public CallbackPolicy {
        if (attempts < 1 || attempts > Limits.ATTEMPTS) {
            throw new IllegalArgumentException(
                    "callback attempts must be 1 to %d but was %d".formatted(Limits.ATTEMPTS, attempts));
        }
        Limits.requirePositive("callback time limit", within);
        Limits.requirePositive("callback first delay", firstDelay);
        Limits.requirePositive("callback maximum delay", maxDelay);
        Limits.requirePositive("callback timeout", timeout);
        if (maxDelay.compareTo(firstDelay) < 0) {
            throw new IllegalArgumentException(
                    "callback maximum delay %s is shorter than the first delay %s".formatted(maxDelay, firstDelay));
        }
    }

    /**
     * For a service that is away: whoever connects wakes the saga, so asking is only a safety net, and the rarer the longer
     * that has been so. So a journal grows with the logarithm of the time.
     */
    CallbackPolicy patient(Duration away) {
        Duration share = Duration.ofMillis(away.toMillis() / Limits.AWAY_SHARE);
        Duration delay = longest(share, longest(Limits.AWAY_DELAY, maxDelay));
        return new CallbackPolicy(attempts, within, firstDelay, delay, timeout);
    }

    /** For a service that is there and busy: it will have time soon, and nobody says when. */
    CallbackPolicy brief(Duration waited) {
        Duration delay = longest(Duration.ofMillis(waited.toMillis() / Limits.BUSY_SHARE), Limits.BUSY_DELAY);
        Duration first = firstDelay.compareTo(delay) < 0 ? firstDelay : delay;
        return new CallbackPolicy(attempts, within, first, delay, timeout);
    }

    private static Duration longest(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? other : one;
    }
}
