package io.alphaomega.omega;

import org.jspecify.annotations.Nullable;

/** The superclass of everything that omega reports about a saga to its caller; each kind has a type of its own. */
public class SagaException extends RuntimeException {
    public SagaException(String message) {
        super(message);
    }

    public SagaException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
