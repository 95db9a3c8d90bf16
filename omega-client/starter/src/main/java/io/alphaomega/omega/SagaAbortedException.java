package io.alphaomega.omega;

import java.util.Optional;

/** The saga is decided: aborted. The effects of its branches are being undone; the decision cannot change any more. */
public final class SagaAbortedException extends SagaException {
    private final String saga;
    private final Cause cause;
    private final String branch;
    private final String text;

    /**
     * @param branch the branch to blame, or empty
     * @param text alpha's sentence for people
     */
    public SagaAbortedException(String saga, Cause cause, String branch, String text) {
        super("Saga " + saga + " is aborted (" + cause + (branch.isEmpty() ? "" : ", branch " + branch) + "): " + text);
        this.saga = saga;
        this.cause = cause;
        this.branch = branch;
        this.text = text;
    }

    public String saga() {
        return saga;
    }

    public Cause reason() {
        return cause;
    }

    /** The branch to blame, if one is. */
    public Optional<String> branch() {
        return branch.isEmpty() ? Optional.empty() : Optional.of(branch);
    }

    /** Alpha's sentence for people. */
    public String text() {
        return text;
    }

    /** What made the saga abort. */
    public enum Cause {
        BRANCH_FAILED,
        BRANCH_TIMED_OUT,
        SAGA_TIMED_OUT,
        INITIATOR,
        OPERATOR,
        /** The saga that it is nested in was aborted. */
        PARENT,
        /** Unknown: no longer stored by alpha, or sent by a newer alpha as a value that this omega does not know. */
        OTHER
    }
}
