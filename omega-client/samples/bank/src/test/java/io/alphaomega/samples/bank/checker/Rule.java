package io.alphaomega.samples.bank.checker;

/** What is promised of every saga. */
public enum Rule {
    /** All of a saga is done, or none. */
    ATOMIC,
    /** Nothing takes effect twice. */
    ONCE,
    /** What is compensated was done before, and its saga was aborted. */
    COMPENSATION,
    /** What is confirmed was done before, and its saga was committed. */
    CONFIRMATION,
    /** Callers are told what is so. */
    TRUTH,
    /** A saga is decided once. */
    DECISION,
    /** What was acknowledged is in the history for ever after. */
    ACKED,
    /** Histories have no gaps, causes come first, and what finished last is undone first. */
    ORDER,
    /** No saga is undecided for longer than its deadline, but for faults. */
    DEADLINE,
    /** Once everything is mended, everything ends. */
    ENDED,
    /** Nothing of one saga or service shows in another. */
    CROSS_TALK,
    /** Balances are what the rows add up to. */
    MONEY
}
