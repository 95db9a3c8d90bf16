package io.alphaomega.omega;

/** What happens to a call of a {@link Compensable} method outside a saga, which would never be undone. */
public enum OutsideSaga {
    /**
     * The service's {@code omega.compensable.outside}. Without that property {@link #WARN}, or {@link #REJECT} if the
     * request or message that the thread serves names a saga.
     */
    AS_CONFIGURED,
    /** It runs as an ordinary method: such calls are intended. */
    RUN,
    /** It runs as an ordinary method, and the log names it once. */
    WARN,
    /** It does not run, and its caller gets a {@link SagaException}. */
    REJECT
}
