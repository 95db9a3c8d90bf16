package io.alphaomega.omega.simulation;

import io.alphaomega.omega.rules.BranchTerms;
import java.time.Duration;

/**
 * What a branch of a history is like.
 *
 * @param fenced whether it runs behind the fence, and so in a transaction
 * @param transactional whether its business runs in a transaction
 * @param inside whether that has all its work
 * @param callersTransaction whether that is its caller's
 * @param asynchronous whether its caller can cancel it
 */
record Plan(
        String branch,
        boolean fenced,
        boolean transactional,
        boolean inside,
        boolean callersTransaction,
        boolean asynchronous,
        int retries,
        boolean cleanOnException,
        boolean compensateOnException,
        boolean endMayTravel,
        boolean comesAgain) {
    static final Duration PAUSE = Duration.ofMillis(200);

    static Plan of(World world, String branch, boolean local) {
        boolean fenced = !world.oneIn(3);
        boolean callers = local && world.oneIn(3);
        boolean asynchronous = local && !callers && world.oneIn(2);
        boolean transactional = fenced || callers || world.oneIn(2);
        return new Plan(
                branch,
                fenced,
                transactional,
                fenced || !transactional || !world.oneIn(3),
                callers,
                asynchronous,
                callers ? 0 : world.below(3),
                !fenced && world.oneIn(2),
                fenced && !callers && world.oneIn(3),
                !asynchronous && world.oneIn(2),
                !local && world.oneIn(4));
    }

    /** Whether a try may leave something that the next one does once more. */
    boolean repeatsItself() {
        return retries > 0 && !transactional && !cleanOnException;
    }

    BranchTerms terms(long now) {
        return new BranchTerms(
                retries,
                PAUSE.toNanos(),
                now + Duration.ofSeconds(20).toNanos(),
                cleanOnException,
                compensateOnException,
                comesAgain,
                inside,
                endMayTravel);
    }
}
