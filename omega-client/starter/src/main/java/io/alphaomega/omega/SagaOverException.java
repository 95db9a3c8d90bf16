package io.alphaomega.omega;

/** The work came too late for its saga, which is committed or ending and accepts nothing more. It did not run. */
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
