package io.alphaomega.omega.spring.execution;

/** Lets through what a functional interface has declared that it throws, and what is unchecked, as it is. */
public final class Rethrown {
    private Rethrown() {}

    /** To be thrown, so that the compiler knows that nothing follows. */
    @SuppressWarnings("unchecked")
    public static <X extends Throwable> RuntimeException as(Throwable thrown) throws X {
        throw (X) thrown;
    }
}
