package io.alphaomega.saga.simulation;

/** A history in which the rules did not keep what a saga promises. */
final class BrokenPromiseError extends AssertionError {
    private static final long serialVersionUID = 1;

    BrokenPromiseError(String message) {
        super(message);
    }
}
