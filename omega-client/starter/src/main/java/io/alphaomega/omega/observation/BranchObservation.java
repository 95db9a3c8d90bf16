package io.alphaomega.omega.observation;

import io.micrometer.common.KeyValue;
import io.micrometer.observation.Observation;

/** A call of a {@link io.alphaomega.omega.Compensable} method within a saga, from what alpha is asked to the end. */
public final class BranchObservation extends Observation.Context {
    private final String operation;
    private final String saga;
    private final String branch;
    private String outcome = KeyValue.NONE_VALUE;

    public BranchObservation(String operation, String saga, String branch) {
        this.operation = operation;
        this.saga = saga;
        this.branch = branch;
    }

    /** The method, as in {@code CarDesk.book}. */
    public String operation() {
        return operation;
    }

    /** The saga's id. */
    public String saga() {
        return saga;
    }

    /** The branch's id, unique within the saga. */
    public String branch() {
        return branch;
    }

    /** ENDED, FAILED (rolled back) or UNKNOWN, OPEN if the caller's transaction goes on, NOT_BEGUN if alpha did not let it; none before. */
    public String outcome() {
        return outcome;
    }

    public void ended(String as) {
        outcome = as;
    }
}
