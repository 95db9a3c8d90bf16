package io.alphaomega.omega;

import org.jspecify.annotations.Nullable;

/** Something about a saga that its caller must know; each kind is a type of its own. */
public class SagaException extends RuntimeException {
    public SagaException(String message) {
        super(message);
    }

    public SagaException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
