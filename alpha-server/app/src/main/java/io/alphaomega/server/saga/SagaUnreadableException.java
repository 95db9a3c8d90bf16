package io.alphaomega.server.saga;

/** The saga's journal cannot be read, so it takes no inputs until a person has looked. */
public final class SagaUnreadableException extends RuntimeException {
    private static final long serialVersionUID = 1;

    SagaUnreadableException(String message) {
        super(message);
    }
}
