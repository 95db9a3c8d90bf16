package io.alphaomega.server.bulk;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * A bulk order, and how far it is.
 *
 * @param progress empty where it is known but not carried out
 * @param fate what has become of the sagas that are done; empty where nobody has looked yet
 */
public record BulkStatus(BulkOrder order, Optional<Progress> progress, Optional<Fate> fate) {
    /** Of whose sagas nobody has looked yet what has become. */
    public BulkStatus(BulkOrder order, Optional<Progress> progress) {
        this(order, progress, Optional.empty());
    }

    /**
     * What has become of the sagas of which it has ordered what was wanted, as of one look at all that are open.
     *
     * @param ended how many are over
     * @param stuck how many are stuck, again or still
     * @param waiting how many wait for a service of which no instance is connected, for less than a minute
     * @param moving how many others are not over
     * @param services for which the stuck and the waiting ones wait, some of them, by name
     */
    public record Fate(Instant asOf, int ended, int stuck, int waiting, int moving, List<String> services) {
        /** As many as a line has room for. */
        static final int SERVICES_MAX = 3;

        /** The one that was seen later. */
        public Fate later(Fate other) {
            return other.asOf().isAfter(asOf) ? other : this;
        }

        boolean isSettled() {
            return stuck == 0 && waiting == 0 && moving == 0;
        }
    }

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
