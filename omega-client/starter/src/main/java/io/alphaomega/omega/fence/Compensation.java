package io.alphaomega.omega.fence;

/** What the fence says about a compensation. */
public enum Compensation {
    /** Undo the business: it was committed here, or it had begun and may have done something elsewhere. */
    RUN,
    /** It was undone before, or there was nothing to undo: answer success. */
    DONE_BEFORE,
    /** The business never ran, and from now on it never will: answer success. */
    NOTHING_TO_UNDO,
    /** Alpha has seen the forward call end, but this database has no row of it: purged, or the wrong database. */
    FENCE_ROW_MISSING
}
