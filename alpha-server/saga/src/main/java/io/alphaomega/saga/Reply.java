package io.alphaomega.saga;

/** What the sender of an input is told, once the decision's events are stored. */
public sealed interface Reply {
    /** It is stored, now or before. */
    record Accepted() implements Reply {}

    /** The saga is decided: committed. */
    record Committed() implements Reply {}

    /** The wish to commit is stored, branches still run, nothing is decided. */
    record Pending() implements Reply {}

    /** The saga is decided: aborted. */
    record Aborted(Abort abort) implements Reply {}

    /** Nothing changes. {@code text} is a sentence: what was expected, what was found. */
    record Rejected(Refusal reason, String text) implements Reply {}

    /** Nothing can be said of the saga now; whoever asks again later may be told more. {@code text} is a sentence. */
    record NotNow(String text) implements Reply {}

    /**
     * Whether the reply states only what is journaled and can no longer change, so that an owner that has not looked
     * at the store just now may give it. A refusal is not: a newer owner may have journaled what this one misses.
     */
    default boolean isSettled() {
        return !(this instanceof Rejected);
    }
}
