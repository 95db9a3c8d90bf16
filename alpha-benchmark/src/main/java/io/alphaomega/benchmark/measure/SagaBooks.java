package io.alphaomega.benchmark.measure;

/**
 * What a generator knows of all sagas that it began, those of the warm-up too.
 *
 * @param keptOpen those that are open on purpose, and stay so
 */
public record SagaBooks(OutcomeCounts all, long keptOpen) {
    public static final SagaBooks EMPTY = new SagaBooks(OutcomeCounts.NONE, 0);

    public SagaBooks plus(SagaBooks other) {
        return new SagaBooks(all.plus(other.all), keptOpen + other.keptOpen);
    }
}
