package io.alphaomega.server.saga;

import io.alphaomega.saga.SagaState;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/**
 * What the sagas in this node's memory hold of the heap, about, and so for how long one that is idle may stay: the fuller
 * it is, the shorter. So however many sagas are open, memory is bounded; those that have left are loaded when they are
 * asked for. Safe for use by many threads.
 */
final class SagaMemory {
    /** An actor, its mailbox, its timer and an empty saga, measured as 2.5 KiB. */
    private static final int BYTES_EACH = 3 * 1024;

    /** Of the heap; the rest is for what is under way. */
    private static final int PART = 4;

    /** A branch's names and ids, besides what the saga itself counts. */
    private static final int BYTES_OF_BRANCH = 512;

    /** No shorter than this part, or every saga would be loaded for each input just when there is most to do. */
    private static final int SHORTEST = 300;

    /** Whatever is configured: a saga that may not leave yet looks again after as long, and shall do nothing else but that. */
    private static final Duration LEAST = Duration.ofMillis(50);

    private final long bytes;
    private final Duration most;
    private final AtomicLong taken = new AtomicLong();

    /** @param most how long a saga may stay while there is room for everybody */
    SagaMemory(long heapBytes, Duration most) {
        this.bytes = heapBytes / PART;
        this.most = most;
    }

    /** What a saga in that state holds. */
    static int size(SagaState state) {
        return state instanceof SagaState.Known known
                ? BYTES_EACH
                        + known.saga().bytes()
                        + BYTES_OF_BRANCH * known.saga().branches().size()
                : BYTES_EACH;
    }

    /** A saga has come, grown, or gone. */
    void take(int more) {
        if (more != 0) taken.addAndGet(more);
    }

    /** How long a saga that has heard nothing may stay. */
    Duration patience() {
        double free = Math.max(0, bytes - taken.get()) / (double) bytes;
        long millis = (long) (most.toMillis() * Math.max(free, 1.0 / SHORTEST));
        return Duration.ofMillis(Math.max(LEAST.toMillis(), millis));
    }
}
