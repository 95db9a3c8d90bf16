package io.alphaomega.server.bulk;

import java.util.Optional;

/**
 * A bulk retry, and how far it is.
 *
 * @param progress empty where it is known but not carried out
 */
public record BulkStatus(BulkRetry order, Optional<Progress> progress) {

    /** What a person wants to know first. */
    public enum State {
        /** No node carries it out yet. */
        KNOWN,
        RUNNING,
        DONE,
        CANCELLED
    }

    /** What has become of it. */
    public State state() {
        if (order.cancelled()) return State.CANCELLED;
        return progress.map(now -> now.over() ? State.DONE : State.RUNNING).orElse(State.KNOWN);
    }

    /**
     * How far the node is that carries it out.
     *
     * @param retried sagas that it has retried
     * @param refused those that it was refused, because they had moved on or could not be retried
     * @param left those that were still to be retried when it looked last
     * @param over whether nothing is left to do
     */
    public record Progress(int retried, int refused, int left, boolean over) {}
}
