package io.alphaomega.omega.simulation;

/** Something happened that alpha and omega promise does not. */
final class BrokenPromiseError extends AssertionError {
    BrokenPromiseError(String what) {
        super(what);
    }
}
