package io.alphaomega.saga;

/** A journal that no sequence of decisions can have written. The saga is not touched any more; a person must look. */
public final class CorruptJournalException extends RuntimeException {
    private static final long serialVersionUID = 1;

    public CorruptJournalException(String message) {
        super(message);
    }

    public CorruptJournalException(String message, Throwable cause) {
        super(message, cause);
    }
}
