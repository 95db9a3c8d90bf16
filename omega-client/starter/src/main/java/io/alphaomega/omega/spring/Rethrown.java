package io.alphaomega.omega.spring;

/** Lets through what a functional interface has declared that it throws, and what is unchecked, as it is. */
final class Rethrown {
    private Rethrown() {}

    /** To be thrown, so that the compiler knows that nothing follows. */
    @SuppressWarnings("unchecked")
    static <X extends Throwable> RuntimeException as(Throwable thrown) throws X {
        throw (X) thrown;
    }
}
