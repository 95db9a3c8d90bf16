package io.alphaomega.omega.rules;

import java.time.Duration;

/**
 * What the rules must know of a branch before it begins.
 *
 * @param retries how many tries may follow the first one
 * @param retryDelayNanos how long to pause before each of these
 * @param giveUpAt the instant, as {@link System#nanoTime} counts, by which the last try must begin; {@link #NEVER} if there
 *     is none
 * @param cleanOnException whether business that throws outside of transactions has done nothing
 * @param compensateOnException whether it may have done something elsewhere, whatever became of its local transaction
 * @param comesAgain whether a message brings the call again if it fails
 * @param inside whether all its work is done inside its local transaction
 * @param endMayTravel whether its end may be left to its caller to report, if it runs behind a fence
 */
public record BranchTerms(
        int retries,
        long retryDelayNanos,
        long giveUpAt,
        boolean cleanOnException,
        boolean compensateOnException,
        boolean comesAgain,
        boolean inside,
        boolean endMayTravel) {
    public static final long NEVER = Long.MAX_VALUE;

    /** A branch that has less time than this reports its end by itself: it may travel for a second or two. */
    private static final Duration TRAVELS_FROM = Duration.ofSeconds(5);

    /**
     * So does one that has more than this. A compensation does not wait for an end that travels but for the business, in
     * the database, and its attempts would be used up.
     */
    private static final Duration TRAVELS_TO = Duration.ofMinutes(5);

    /**
     * Whether the end of a branch that has so much time may travel.
     *
     * @param forwardTimeout of all tries together; zero if it has none of its own
     */
    public static boolean mayTravelFor(Duration forwardTimeout) {
        return forwardTimeout.isZero()
                || (forwardTimeout.compareTo(TRAVELS_FROM) >= 0 && forwardTimeout.compareTo(TRAVELS_TO) <= 0);
    }

    boolean hasTimeFor(long pauseNanos, long now) {
        return giveUpAt == NEVER || now + pauseNanos - giveUpAt < 0;
    }
}
