package io.alphaomega.benchmark.measure;

import java.time.Duration;

/** Whoever wants to see a load while it runs. Called by one thread, in order; it should return soon. */
public interface Progress {
    /** Nobody looks. */
    Progress UNSEEN = snapshot -> {};

    /** Comes a few times a second, and once more at the end of each phase. */
    void show(Snapshot snapshot);

    /** A phase begins. {@link Phase#MEASURING} and {@link Phase#SETTLING} are where processor time is read. */
    default void entered(Phase phase) {}

    /** What a load is doing; in this order. */
    enum Phase {
        CONNECTING,
        /** Begins the sagas that are kept open. */
        OPENING,
        WARMING_UP,
        MEASURING,
        /** Everything has begun, and nearly all has ended: what became of the rest is found out, the kept are ended. */
        SETTLING
    }

    /**
     * How far it is.
     *
     * @param elapsed since the phase began
     * @param share of the phase that is done, 0 to 1; negative where nobody can say
     * @param total sagas that will be measured; 0 where the duration says when to stop
     * @param counts since the measurement began; before that, since the start
     * @param open sagas under way
     * @param errors see {@link Measurements#errors}
     * @param rate ended sagas per second since the snapshot before
     * @param p50Millis of sagas that ended in this second; 0 if there were none. So with p99
     */
    record Snapshot(
            Phase phase,
            Duration elapsed,
            double share,
            long total,
            OutcomeCounts counts,
            long open,
            long errors,
            double rate,
            double p50Millis,
            double p99Millis) {}
}
