package io.alphaomega.omega;

/** Alpha has stored the request to commit, but branches still run: the saga is not decided yet. */
public final class SagaPendingException extends SagaException {
    private final String saga;

    public SagaPendingException(String saga) {
        super("Saga " + saga + " is not decided yet: branches still run; alpha commits it when they have ended well.");
        this.saga = saga;
    }

    public String saga() {
        return saga;
    }
}
