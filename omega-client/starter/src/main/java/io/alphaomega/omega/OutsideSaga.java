package io.alphaomega.omega;

/** What becomes of a {@link Compensable} method that is called outside a saga, where nobody will undo it. */
public enum OutsideSaga {
    /**
     * What the service says in {@code omega.compensable.outside}. If it says nothing, {@link #WARN}, but {@link #REJECT}
     * where the request or message that the thread serves names a saga.
     */
    AS_CONFIGURED,
    /** It runs as an ordinary method: it is meant to be called so. */
    RUN,
    /** It runs as an ordinary method, and the log names it once. */
    WARN,
    /** It does not run, and its caller gets a {@link SagaException}. */
    REJECT
}
