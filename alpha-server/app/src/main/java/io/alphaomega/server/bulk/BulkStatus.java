package io.alphaomega.server.bulk;

import java.util.Optional;

/**
 * A bulk order, and how far it is.
 *
 * @param progress empty where it is known but not carried out
 */
public record BulkStatus(BulkOrder order, Optional<Progress> progress) {

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
     * @param done sagas of which it has ordered what was wanted
     * @param refused those that it was refused
     * @param left those that were still meant when it looked last
     * @param more whether there were others that nobody had looked at
     * @param over whether nothing is left to do
     */
    public record Progress(int done, int refused, int left, boolean more, boolean over) {}
}
