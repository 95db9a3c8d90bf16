package io.alphaomega.omega;

/**
 * Spring's application event of a saga whose decision has become known, published by the service that has ended or
 * aborted it, on the thread that did so, before the method of the saga returns or throws. By then the thread has left
 * the saga. Exceptions of listeners are logged and change nothing.
 *
 * <p>It is a best effort, for counts, screens and tests: there is no event if the process dies, if alpha decides while
 * no caller waits (a timeout, an operator), or if the decision does not reach the service. For work that must be done
 * use {@link AfterCommit} and {@link AfterAbort}.
 */
public interface SagaDecidedEvent {
    /** The id of the saga. */
    String saga();

    /**
     * The method that began it, or the name that code gave it, as alpha shows it; empty if another service did and has
     * not reported it.
     */
    String operation();

    /** See {@link SagaStart#businessKey}; empty if there is none. */
    String businessKey();
}
