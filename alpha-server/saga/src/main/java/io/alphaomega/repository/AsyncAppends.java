package io.alphaomega.repository;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

/**
 * The appends of a store whose driver needs no thread that waits: they are sent on the event loop that talks to the store.
 * What {@link SagaRepository#append} promises and says of failures holds here, too.
 */
public interface AsyncAppends {

    /** The event loop. A task that comes from it runs after what it has at hand. Takes tasks until the repository is closed. */
    Executor loop();

    /**
     * Sends a batch, on the event loop and without blocking.
     *
     * @return completes within a bounded time, as a rule on the event loop, so what depends on it must not block; also
     *     with what kept the batch from being sent
     */
    CompletableFuture<List<AppendResult>> append(List<Append> batch);
}
