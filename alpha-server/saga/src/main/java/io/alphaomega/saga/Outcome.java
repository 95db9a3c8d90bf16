package io.alphaomega.saga;

/** How a saga ended. */
public enum Outcome {
    /** Every branch stays done. */
    COMMITTED,
    /** Every finished branch is undone. */
    COMPENSATED
}
