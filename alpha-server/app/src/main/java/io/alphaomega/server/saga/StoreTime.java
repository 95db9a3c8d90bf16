package io.alphaomega.server.saga;

/**
 * How long one saga has waited for the store: of meaning only if its first event was stored by this owner, which then has
 * seen all of it.
 */
final class StoreTime {
    private final SagaMetrics metrics;
    private boolean whole;
    private long nanos;

    StoreTime(SagaMetrics metrics) {
        this.metrics = metrics;
    }

    /** So long has a load, or an append, been waited for. */
    void add(long waited) {
        nanos += waited;
    }

    /** {@code lot} is stored. */
    void stored(Lot lot) {
        if (lot.begins()) whole = true;
        if (whole && lot.ends()) metrics.waitedForStore(nanos);
    }
}
