package io.alphaomega.benchmark.measure;

/**
 * What became of sagas.
 *
 * @param started those that alpha may know: their begin was sent
 * @param unknown started, but nobody could say what became of them
 * @param failed their begin was refused, so they are no sagas
 */
public record OutcomeCounts(long started, long committed, long compensated, long suspended, long unknown, long failed) {
    public static final OutcomeCounts NONE = new OutcomeCounts(0, 0, 0, 0, 0, 0);

    /** Only these count in a throughput. */
    public long ended() {
        return committed + compensated;
    }

    /** Those of which nothing further is expected. */
    public long settled() {
        return committed + compensated + suspended + unknown;
    }

    public OutcomeCounts plus(OutcomeCounts other) {
        return new OutcomeCounts(
                started + other.started,
                committed + other.committed,
                compensated + other.compensated,
                suspended + other.suspended,
                unknown + other.unknown,
                failed + other.failed);
    }

    public OutcomeCounts minus(OutcomeCounts other) {
        return new OutcomeCounts(
                started - other.started,
                committed - other.committed,
                compensated - other.compensated,
                suspended - other.suspended,
                unknown - other.unknown,
                failed - other.failed);
    }
}
