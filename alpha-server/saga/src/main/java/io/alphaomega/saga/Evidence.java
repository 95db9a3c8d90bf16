package io.alphaomega.saga;

import java.time.Instant;
import java.util.Optional;

/**
 * What the fence of a branch's service has of the branch: what a person goes by who ends a saga that is held. It proves what
 * became of this branch, never what became of the saga: the saga may have had branches since that the store does not know.
 *
 * @param at when that was written, by the service's clock; empty if the fence does not say
 * @param text why it cannot be told; empty if it can
 */
public record Evidence(Finding finding, Optional<Instant> at, String text) {
    /** What a fence has. */
    public enum Finding {
        /** Nothing, and nothing of that age was deleted: the business has not been committed, so far. */
        NO_ROW,
        /** The business was committed, and was neither undone nor confirmed. */
        RAN,
        /** The business left nothing behind and never will: it failed, or its compensation came first. */
        NEVER_RAN,
        /** The business was committed and undone: alpha had aborted the saga. */
        UNDONE,
        /** The branch was confirmed: alpha had committed the saga. */
        CONFIRMED,
        /** Nobody can tell. */
        UNKNOWN
    }

    public Evidence {
        text = Limits.shortened(text, Limits.REASON_CHARS);
    }

    /** Whether it says more than what was known before. */
    boolean addsTo(Optional<Evidence> known) {
        return known.isEmpty() || (known.get().finding() == Finding.UNKNOWN && finding != Finding.UNKNOWN);
    }
}
