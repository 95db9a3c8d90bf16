package io.alphaomega.omega.spring.fencing;

/** A callback has come, and the fence cannot tell whether it has anything to do: only a person can. */
public class UnknowableException extends RuntimeException {
    UnknowableException(String message) {
        super(message);
    }
}
