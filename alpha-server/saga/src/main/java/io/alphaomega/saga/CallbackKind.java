package io.alphaomega.saga;

/** What a callback does to its branch. */
public enum CallbackKind {
    /** Undoes a finished branch after the saga aborted. */
    COMPENSATION,
    /** Completes a branch after the saga committed. */
    CONFIRMATION
}
