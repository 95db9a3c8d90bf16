package io.alphaomega.server.repository;

import java.time.Duration;

/**
 * An append that was not taken, because too many wait already or the store is away. Nothing of it is stored; it may be
 * sent again later.
 */
public final class RepositoryBusyException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final Duration retryAfter;

    RepositoryBusyException(String message, Duration retryAfter) {
        // Thrown by the thousand when the store is slow, and always from the same place: no stack trace.
        super(message, null, false, false);
        this.retryAfter = retryAfter;
    }

    /** When it is worth another try. */
    public Duration retryAfter() {
        return retryAfter;
    }
}
