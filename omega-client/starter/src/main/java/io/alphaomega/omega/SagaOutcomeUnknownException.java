package io.alphaomega.omega;

import org.jspecify.annotations.Nullable;

/**
 * Alpha did not report the decision in time. The saga is decided, or will be at its deadline at the latest: get its
 * outcome later ({@link SagaTemplate#outcome}).
 */
public final class SagaOutcomeUnknownException extends SagaException {
    private final String saga;

    public SagaOutcomeUnknownException(String saga, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.saga = saga;
    }

    public String saga() {
        return saga;
    }
}
