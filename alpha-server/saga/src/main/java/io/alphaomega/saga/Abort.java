package io.alphaomega.saga;

import java.time.Instant;
import java.util.Optional;

/**
 * The decision that a saga's finished branches are undone. There is at most one in a saga's life.
 *
 * @param branch the branch to blame, if one is
 * @param text a sentence for people
 */
public record Abort(Cause cause, Optional<BranchId> branch, String text, Instant at) {
    public Abort {
        text = Limits.shortened(text, Limits.REASON_CHARS);
    }

    /** What made the saga abort. */
    public enum Cause {
        BRANCH_FAILED,
        BRANCH_TIMED_OUT,
        SAGA_TIMED_OUT,
        INITIATOR,
        OPERATOR,
        /** The saga that it is a part of was aborted. */
        PARENT,
        /** Unknown by now: the saga was purged. Never journaled. */
        HISTORY_PURGED
    }
}
