package io.alphaomega.server.properties;

/** A property that alpha does not start with. The message is a sentence that names the property. */
public final class RefusedPropertyException extends RuntimeException {
    private static final long serialVersionUID = 1;

    public RefusedPropertyException(String message) {
        super(message);
    }

    public RefusedPropertyException(String message, Throwable cause) {
        super(message, cause);
    }
}
