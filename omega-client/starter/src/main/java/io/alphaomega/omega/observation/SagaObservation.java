package io.alphaomega.omega.observation;

import io.micrometer.common.KeyValue;
import io.micrometer.observation.Observation;

/** A run of a method that begins a saga. */
public final class SagaObservation extends Observation.Context {
    private final String operation;
    private final String saga;
    private String outcome = KeyValue.NONE_VALUE;

    public SagaObservation(String operation, String saga) {
        this.operation = operation;
        this.saga = saga;
    }

    /** The method, as in {@code TripService.book}. */
    public String operation() {
        return operation;
    }

    /** The saga's id. */
    public String saga() {
        return saga;
    }

    /**
     * COMMITTED, ABORTED, PENDING or UNKNOWN as its caller was told, PREPARED if it is nested and its parent decides, OPEN if
     * the method did not end it; none before.
     */
    public String outcome() {
        return outcome;
    }

    public void ended(String as) {
        outcome = as;
    }
}
