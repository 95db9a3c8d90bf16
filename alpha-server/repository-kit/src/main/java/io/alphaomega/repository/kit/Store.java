package io.alphaomega.repository.kit;

import io.alphaomega.repository.SagaRepository;

/**
 * A store as its operator sees it: what can be opened, lost and brought back.
 *
 * <p>Every store has outages, one inside the server's own process too: a server that is killed, a network that is cut, a
 * lock that somebody else holds, a disk that takes no more. {@link #stop()} causes the most complete one that the store
 * knows. What is stored may be there already when the test begins: tests invent their ids and clear nothing. Only one
 * test at a time uses a store.
 */
public interface Store extends AutoCloseable {

    /**
     * A new repository on this store, as a server that starts would construct it; it works while the store runs. The
     * contract closes it, and never has two open at once.
     */
    SagaRepository open();

    /** Begins an outage: from now until {@link #start()} no append succeeds. What was stored stays stored. */
    void stop();

    /** Ends the outage. Returns once the store would serve a new client. */
    void start();

    /** Ends the test, in an outage too. */
    @Override
    void close();
}
