package io.alphaomega.server.saga;

import java.time.Duration;

/** No saga could be asked just now. The same input may be sent again. */
public final class SagaUnavailableException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final Duration retryAfter;

    SagaUnavailableException(String message, Duration retryAfter) {
        super(message);
        this.retryAfter = retryAfter;
    }

    public Duration retryAfter() {
        return retryAfter;
    }
}
