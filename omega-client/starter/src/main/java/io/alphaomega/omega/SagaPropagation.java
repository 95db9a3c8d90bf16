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
 * <p>{@link #NESTED} is the one that does not join and is a part of the other saga all the same.
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
    /**
     * Begins a saga of its own in the one that it is called in, which is a part of that: with its own timeout, order, business
     * key and attributes. If its method throws, it is undone alone, and who catches that goes on with the outer saga. If its
     * method returns, its work stays done only if the outer saga is committed: then its confirmations and what is {@link
     * AfterCommit} are called; if the outer saga is aborted, it is undone in its turn, as the branches of the outer one are.
     * Until then its branches stay as they are, and its timeout no longer counts. Outside a saga it begins one as {@link
     * #REQUIRED} does.
     *
     * <p>If alpha does not answer, so that nobody knows how the nested saga stands, the outer one is aborted. The nested saga
     * ends with its method, which waits for its branches: {@code autoClose}, {@code awaitDecision} and {@code unique} cannot be
     * said otherwise. A repetition of the outer call is a repetition of the nested saga.
     */
    NESTED,
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
        return this == OUTERMOST || this == REQUIRED || this == REQUIRES_NEW || this == NESTED;
    }

    /** Whether it may be a part of a saga that it has not begun. */
    public boolean mayJoin() {
        return this == REQUIRED || this == MANDATORY || this == SUPPORTS;
    }
}
