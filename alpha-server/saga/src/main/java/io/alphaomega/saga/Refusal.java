package io.alphaomega.saga;

/** Why an input changes nothing. */
public enum Refusal {
    /** No saga of that id is known. */
    UNKNOWN_SAGA,
    /** The saga ended so long ago that its history is gone. */
    SAGA_PURGED,
    /** The saga has no branch of that id. */
    UNKNOWN_BRANCH,
    /** The saga has a branch of that id, but of another call: of another service, operation, parent or arguments. */
    BRANCH_CONFLICT,
    /** The branch is another service's: only the one that began it reports on it and answers its callbacks. */
    OTHER_SERVICE,
    /** The saga has {@link Limits#BRANCHES} branches. */
    TOO_MANY_BRANCHES,
    /** Arguments or result exceed {@link Limits#PAYLOAD_BYTES}. */
    PAYLOAD_TOO_LARGE,
    /** The saga would exceed {@link Limits#SAGA_BYTES}. */
    SAGA_TOO_LARGE,
    /** A callback's answer to an attempt that is no longer, or never was, under way. */
    STALE_ANSWER,
    /** The operator saw an older state of the saga. */
    SAGA_MOVED,
    /** Only a suspended saga can be retried, skipped or resolved. */
    NOT_SUSPENDED,
    /** The branch is not what the saga is suspended for. */
    BRANCH_NOT_STUCK,
    /** There is no callback to retry: a branch's end is unknown; skip it or resolve the saga. */
    NOTHING_TO_RETRY,
    /** The saga is decided otherwise: a committed saga is not compensated, an aborted one not committed. */
    DECIDED_OTHERWISE,
    /** The saga is a part of another, or has one that is a part of it, and this is for the other one to decide. */
    NESTED
}
