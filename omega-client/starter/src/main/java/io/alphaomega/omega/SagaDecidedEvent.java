package io.alphaomega.omega;

/**
 * Spring's application event of a saga whose decision has become known, published by the service that has ended or aborted
 * it, on the thread that did so, before the method of the saga returns or throws. The thread is outside of the saga by
 * then. Listeners' exceptions are logged and change nothing.
 *
 * <p>It is the best effort of a process, for counts, screens and tests: nothing comes of a process that dies, of a
 * decision that alpha makes while nobody waits for it (a timeout, an operator), or of one that nobody learns. For work that
 * must be done there are {@link AfterCommit} and {@link AfterAbort}.
 */
public interface SagaDecidedEvent {
    /** The id of the saga. */
    String saga();

    /** The method that began it, or the name that code gave it, as alpha shows it; empty if another service did and has not said. */
    String operation();

    /** See {@link SagaStart#businessKey}; empty if there is none. */
    String businessKey();
}
