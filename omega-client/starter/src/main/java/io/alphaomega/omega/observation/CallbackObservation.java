package io.alphaomega.omega.observation;

import io.micrometer.common.KeyValue;
import io.micrometer.observation.Observation;

/** A run of a compensation or confirmation that alpha asked for. */
public final class CallbackObservation extends Observation.Context {
    private final String operation;
    private final String kind;
    private final String saga;
    private final String branch;
    private final long attempt;
    private final String traceparent;
    private String outcome = KeyValue.NONE_VALUE;

    /** @param traceparent W3C trace context of the forward call; empty if nobody traced it */
    public CallbackObservation(
            String operation, String kind, String saga, String branch, long attempt, String traceparent) {
        this.operation = operation;
        this.kind = kind;
        this.saga = saga;
        this.branch = branch;
        this.attempt = attempt;
        this.traceparent = traceparent;
    }

    /** The callback's logical name, as in {@code CarDesk.cancel}. */
    public String operation() {
        return operation;
    }

    /** COMPENSATION or CONFIRMATION. */
    public String kind() {
        return kind;
    }

    /** The saga's id. */
    public String saga() {
        return saga;
    }

    /** The id of the branch that is undone or confirmed. */
    public String branch() {
        return branch;
    }

    /** Which of alpha's requests it is, from 1. */
    public long attempt() {
        return attempt;
    }

    /** W3C trace context of the forward call; empty if nobody traced it. */
    public String traceparent() {
        return traceparent;
    }

    /** SUCCEEDED or the failure's code; none before. */
    public String outcome() {
        return outcome;
    }

    public void ended(String as) {
        outcome = as;
    }
}
