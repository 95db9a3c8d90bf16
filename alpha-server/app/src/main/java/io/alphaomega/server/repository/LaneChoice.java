package io.alphaomega.server.repository;

import io.alphaomega.saga.SagaId;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;

/**
 * Which lane an append goes to. While few are under way one lane takes them all, so that they share its batches; the more
 * there are, the more lanes take a part of the sagas. An append follows those of its saga that are still under way, so
 * that they keep their order.
 */
final class LaneChoice {
    /** Sagas of one stripe follow each other as well, which matters little where there are so many. */
    private static final int STRIPES = 1 << 12;

    private final int lanes;
    private final int itemsPerLane;
    private final AtomicInteger underWay = new AtomicInteger();

    /** Of each stripe how many are under way, times the lanes, and the lane that they are in. */
    private final AtomicIntegerArray stripes = new AtomicIntegerArray(STRIPES);

    /** @param itemsPerLane so many under way are enough for one lane */
    LaneChoice(int lanes, int itemsPerLane) {
        this.lanes = lanes;
        this.itemsPerLane = itemsPerLane;
    }

    /** The lane for an append that is under way from now on. */
    int enter(SagaId id) {
        int used = Math.min(lanes, 1 + underWay.getAndIncrement() / itemsPerLane);
        int hash = hash(id);
        int wanted = hash % used;
        return stripes.updateAndGet(hash % STRIPES, stripe -> stripe < lanes ? lanes + wanted : stripe + lanes) % lanes;
    }

    /** It is no longer under way. */
    void leave(SagaId id) {
        stripes.addAndGet(hash(id) % STRIPES, -lanes);
        underWay.decrementAndGet();
    }

    private static int hash(SagaId id) {
        int hash = id.hashCode();
        return (hash ^ (hash >>> 16)) & Integer.MAX_VALUE;
    }
}
