package io.alphaomega.omega.context;

/** What a call or a message says of its saga cannot be read. Whoever receives it refuses it: a repetition says the same. */
public final class MalformedSagaHeadersException extends IllegalArgumentException {
    /** Does not repeat the value: whoever sent it knows it. */
    MalformedSagaHeadersException(String header, String expected) {
        super("Header " + header + " must be " + expected + " but is not");
    }
}
