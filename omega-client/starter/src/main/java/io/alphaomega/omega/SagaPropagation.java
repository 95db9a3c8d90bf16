package io.alphaomega.omega;

/**
 * What becomes of a {@link SagaStart} method, or of {@link SagaTemplate#execute}, inside and outside a saga. All but
 * {@link #OUTERMOST} mean what Spring's {@code Propagation} means by these words for transactions.
 *
 * <p>What joins a saga is a part of it. <b>That it returns does not mean that the saga is committed</b>: whoever began
 * the saga is told. An exception that would abort a saga of its own ({@link SagaStart#abortFor}) aborts the one that was
 * joined, at once, also if somebody further out catches it: their method then throws {@link SagaAbortedException} at its
 * end. The joined saga keeps its own timeout, order, business key and attributes, whatever the joining method says.
 *
 * <p>There is no {@code NESTED}: a saga cannot undo a part of itself and go on.
 */
public enum SagaPropagation {
    /** Begins a saga. Inside a saga it is refused with a {@link SagaException}, and does not run. */
    OUTERMOST,
    /** Joins the saga it is called in; begins one where there is none. */
    REQUIRED,
    /**
     * Begins a saga of its own in any case. The one it is called in waits meanwhile and goes on afterwards; neither is
     * undone because of the other. So what it has committed stays done if the outer saga is aborted later, and a
     * repetition of the outer call begins another one.
     */
    REQUIRES_NEW,
    /** Joins the saga it is called in. Outside it is refused with a {@link SagaException}, and does not run. */
    MANDATORY,
    /** Joins the saga it is called in; outside it runs without one. */
    SUPPORTS,
    /** Runs without a saga: what it calls is no part of the one it is called in, and is not undone with it. */
    NOT_SUPPORTED,
    /** Runs without a saga. Inside one it is refused with a {@link SagaException}, and does not run. */
    NEVER;

    /** Whether it ever begins a saga, so that how sagas begin and end is its own to say. */
    public boolean mayBegin() {
        return this == OUTERMOST || this == REQUIRED || this == REQUIRES_NEW;
    }

    /** Whether it may be a part of a saga that it has not begun. */
    public boolean mayJoin() {
        return this == REQUIRED || this == MANDATORY || this == SUPPORTS;
    }
}
