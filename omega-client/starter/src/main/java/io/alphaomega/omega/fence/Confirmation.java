package io.alphaomega.omega.fence;

/** What the fence says about a confirmation. */
public enum Confirmation {
    /** Confirm the business. */
    RUN,
    /** It was confirmed before: answer success. */
    DONE_BEFORE,
    /** The branch is fenced, but this database has no row of its forward call: purged, or the wrong database. */
    FORWARD_MISSING
}
