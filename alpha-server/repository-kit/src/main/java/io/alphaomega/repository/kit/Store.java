package io.alphaomega.repository.kit;

import io.alphaomega.repository.SagaRepository;
import java.time.Duration;

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

    /** Ends whatever trouble there is. Returns once the store would serve a new client. */
    void start();

    /**
     * From now until {@link #start()} the store executes what it is asked to append, but no answer arrives: the
     * connection is cut instead. Of other requests the answers may be lost as well.
     */
    void loseAnswers();

    /**
     * From now on each answer comes so much later, at least each to an append; {@link Duration#ZERO} ends it at once,
     * for answers that are under way as well.
     */
    void slowDown(Duration delay);

    /** Ends the test, in an outage too. */
    @Override
    void close();
}
