package io.alphaomega.repository;

import java.util.List;
import java.util.concurrent.Executor;

/**
 * Appends of a store whose driver needs no thread that waits: they are sent, and whoever asked is told, on the event loop
 * that talks to the store. What {@link SagaRepository#append} promises and says of failures holds here, too.
 */
public interface AsyncAppends {

    /** Who is told, once, what became of a batch; on the event loop, or at once. Neither blocks nor throws. */
    interface Answer {
        /** One result per item, in order. */
        void stored(List<AppendResult> results);

        /** The outcome is unknown. */
        void failed(RuntimeException failure);
    }

    /** The event loop. A task that comes from it runs after what it has at hand. Takes tasks until the repository is closed. */
    Executor loop();

    /** Sends a batch, on the event loop and without blocking; {@code answer} is told within a bounded time. */
    void append(List<Append> batch, Answer answer);
}
