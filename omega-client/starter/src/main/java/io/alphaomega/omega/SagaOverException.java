package io.alphaomega.omega;

/** What was to run in a saga comes too late: the saga is committed or ending, and takes nothing more. It did not run. */
public class SagaOverException extends SagaException {
    private final String saga;

    public SagaOverException(String saga, String message) {
        super(message);
        this.saga = saga;
    }

    public final String saga() {
        return saga;
    }
}
