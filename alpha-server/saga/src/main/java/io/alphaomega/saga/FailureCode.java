package io.alphaomega.saga;

/** Why an attempt at a callback failed. */
public enum FailureCode {
    /** It threw. */
    THREW(true),
    /** No answer in time. */
    NO_ANSWER(true),
    /** The instance asked does not offer it; another version of the service may. */
    UNKNOWN_CALLBACK(true),
    /** The streams of the instances asked broke, again and again. */
    STREAM_LOST(true),
    /** No instance of the service was connected until the time limit. */
    NO_PARTICIPANT(false),
    /** Every instance of the service that was asked had too much to do until the time limit. */
    BUSY(false),
    /** The participant cannot read the arguments. */
    UNDECODABLE(false),
    /** A confirmation found no forward row in the fence. */
    FORWARD_MISSING(false),
    /** Alpha has seen the forward call end, but the fence has no row of it: purged, or the wrong database. */
    FENCE_ROW_MISSING(false);

    private final boolean retried;

    FailureCode(boolean retried) {
        this.retried = retried;
    }

    /** Whether trying again can help. */
    public boolean retried() {
        return retried;
    }
}
