package io.alphaomega.repository;

/** The store did not answer as it should. After an append the outcome is unknown; anything else may simply be repeated. */
public final class RepositoryUnavailableException extends RuntimeException {
    private static final long serialVersionUID = 1;

    public RepositoryUnavailableException(String message) {
        super(message);
    }

    public RepositoryUnavailableException(String message, Throwable cause) {
        super(message, cause);
    }
}
