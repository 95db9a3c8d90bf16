package io.alphaomega.omega;

import org.jspecify.annotations.Nullable;

/**
 * Alpha did not say in time how the saga was decided. It is, or will be at its deadline at the latest: ask for it later
 * ({@link SagaTemplate#outcome}).
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
