package io.alphaomega.server.journal;

/**
 * A stored event that this alpha cannot understand: damaged, or written by a newer version. Its saga is left as it is:
 * nothing is guessed and nothing appended. The message is a sentence for people; it does not name the saga.
 */
public final class JournalUnreadableException extends RuntimeException {
    private static final long serialVersionUID = 1;

    JournalUnreadableException(String message) {
        super(message);
    }

    JournalUnreadableException(String message, Throwable cause) {
        super(message, cause);
    }
}
