package io.alphaomega.server.repository;

import io.alphaomega.repository.AppendResult;
import io.alphaomega.repository.RepositoryUnavailableException;

/**
 * Who is told, once, what became of an append. It is told on the thread of a lane or of the store's event loop, or at once by the thread that
 * submitted the append; so it must neither block nor throw.
 */
public interface AppendListener {
    /** The store has answered. */
    void stored(AppendResult result);

    /**
     * There is no answer.
     *
     * @param failure a {@link RepositoryBusyException} if nothing is stored, a {@link RepositoryUnavailableException} if
     *     nobody knows
     */
    void failed(RuntimeException failure);
}
