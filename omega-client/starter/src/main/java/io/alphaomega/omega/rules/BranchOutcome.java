package io.alphaomega.omega.rules;

/** How a branch has ended, as far as that is known when its method has. */
public enum BranchOutcome {
    /** It is done. */
    ENDED,
    FAILED,
    UNKNOWN,
    /** Its local transaction, begun by a caller, has not ended yet. */
    OPEN,
    NOT_BEGUN
}
