package io.alphaomega.benchmark.load;

import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;

/** The sagas of a lane that were left open and that alpha undoes by itself. It belongs to the lane's thread. */
final class AbandonedSagas {
    private final int branches;
    private final Map<Long, BitSet> partly = new HashMap<>();
    private long drained;
    private long firstCall = Long.MAX_VALUE;
    private long lastEnd = Long.MIN_VALUE;

    /** @param branches of each saga, all ended */
    AbandonedSagas(int branches) {
        this.branches = branches;
    }

    /**
     * How far it is.
     *
     * @param firstCall when the first compensation came, by {@link System#nanoTime}
     * @param lastEnd when the last saga had all its branches compensated
     */
    record Standing(long drained, long firstCall, long lastEnd) {
        static final Standing NONE = new Standing(0, Long.MAX_VALUE, Long.MIN_VALUE);

        Standing plus(Standing other) {
            return new Standing(
                    drained + other.drained, Math.min(firstCall, other.firstCall), Math.max(lastEnd, other.lastEnd));
        }
    }

    /** A compensation. True if it was the saga's last. */
    boolean called(long ordinal, int branch, long now) {
        firstCall = Math.min(firstCall, now);
        BitSet called = partly.computeIfAbsent(ordinal, each -> new BitSet(branches));
        called.set(branch);
        if (called.cardinality() < branches) return false;
        partly.remove(ordinal);
        drained++;
        lastEnd = Math.max(lastEnd, now);
        return true;
    }

    Standing standing() {
        return new Standing(drained, firstCall, lastEnd);
    }
}
