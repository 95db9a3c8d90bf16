package io.alphaomega.saga;

import java.time.Instant;

/**
 * Why a saga waits for a person.
 *
 * @param service the service whose people must act
 * @param attempts failed attempts so far
 * @param lastError what the last attempt said; a sentence for people
 */
public record Suspension(Reason reason, BranchId branch, String service, int attempts, String lastError, Instant at) {
    public Suspension {
        lastError = Limits.shortened(lastError, Limits.REASON_CHARS);
    }

    /** What alpha has given up on; each has an entry in docs/operating/runbook.md. */
    public enum Reason {
        /** A compensation ran out of attempts or time. */
        COMPENSATION_FAILED,
        /** A confirmation ran out of attempts or time. */
        CONFIRMATION_FAILED,
        /** A branch without a fence never reported its end, so nobody can tell whether to compensate it. */
        BRANCH_END_UNKNOWN,
        /** The participant cannot read the branch's arguments. */
        UNDECODABLE,
        /** A confirmation found no forward row in the fence. */
        FORWARD_MISSING,
        /** The fence lost the row of a branch that alpha has seen end. */
        FENCE_ROW_MISSING,
        /** No instance of the service was connected until the time limit. */
        NO_PARTICIPANT
    }
}
