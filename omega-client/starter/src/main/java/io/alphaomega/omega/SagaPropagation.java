package io.alphaomega.omega;

/**
 * How a {@link SagaStart} method, or {@link SagaTemplate#execute}, behaves inside and outside a saga. All but
 * {@link #OUTERMOST} mean what the same words in Spring's {@code Propagation} mean for transactions.
 *
 * <p>A method that joins a saga is a part of it. <b>When it returns, the saga is not yet committed</b>: only the
 * initiator learns the outcome. An exception that would abort a saga of its own ({@link SagaStart#abortFor}) aborts the
 * joined one at once, even if a caller catches it: the initiator's method then throws {@link SagaAbortedException} at
 * its end. The saga keeps the timeout, order, business key and attributes that it began with.
 *
 * <p>{@link #NESTED} does not join the other saga, but is a part of it all the same.
 */
public enum SagaPropagation {
    /** Begins a saga. Inside a saga the call is refused with a {@link SagaException}, and does not run. */
    OUTERMOST,
    /** Joins the saga it is called in, or begins one if there is none. */
    REQUIRED,
    /**
     * Always begins a saga of its own. The saga it is called in waits meanwhile and continues afterwards; neither is
     * undone because of the other. So its work stays done if the outer saga is aborted later, and a repetition of the
     * outer call begins another one.
     */
    REQUIRES_NEW,
    /**
     * Begins a saga of its own as a part of the one it is called in, with its own timeout, order, business key and
     * attributes. If its method throws, it is undone alone, and a caller that catches the exception continues with the
     * outer saga. If its method returns, its work stays done only if the outer saga is committed: then its
     * confirmations and methods that are {@link AfterCommit} are called. If the outer saga is aborted, it is undone in
     * its turn, like the branches of the outer one. Until then its branches stay as they are, and its timeout no longer
     * counts. Outside a saga it begins one as {@link #REQUIRED} does.
     *
     * <p>If alpha does not answer, so that the state of the nested saga is unknown, the outer one is aborted. The
     * nested saga ends with its method, which waits for its branches: {@code autoClose}, {@code awaitDecision} and
     * {@code unique} keep their defaults. A repetition of the outer call is a repetition of the nested saga.
     */
    NESTED,
    /**
     * Joins the saga it is called in. Outside a saga the call is refused with a {@link SagaException}, and does not
     * run.
     */
    MANDATORY,
    /** Joins the saga it is called in; outside it runs without one. */
    SUPPORTS,
    /** Runs without a saga: its calls are no part of the saga it is called in, and are not undone with it. */
    NOT_SUPPORTED,
    /** Runs without a saga. Inside one the call is refused with a {@link SagaException}, and does not run. */
    NEVER;

    /** Whether it ever begins a saga, so that settings for the begin and the end mean something. */
    public boolean mayBegin() {
        return this == OUTERMOST || this == REQUIRED || this == REQUIRES_NEW || this == NESTED;
    }

    /** Whether it may be a part of a saga that it did not begin. */
    public boolean mayJoin() {
        return this == REQUIRED || this == MANDATORY || this == SUPPORTS;
    }
}
