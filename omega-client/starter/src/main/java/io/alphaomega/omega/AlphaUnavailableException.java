package io.alphaomega.omega;

import org.jspecify.annotations.Nullable;

/**
 * No alpha answered in time. The message names those that were tried, since when they have been away, and the last
 * error.
 */
public final class AlphaUnavailableException extends SagaException {
    public AlphaUnavailableException(String message) {
        super(message);
    }

    public AlphaUnavailableException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
