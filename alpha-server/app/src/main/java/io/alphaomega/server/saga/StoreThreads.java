package io.alphaomega.server.saga;

import java.util.concurrent.Executor;

/** A virtual thread for each task that waits for the store. No bean, so that Spring keeps its own executor. */
public final class StoreThreads implements Executor {
    @Override
    public void execute(Runnable task) {
        Thread.ofVirtual().name("store").start(task);
    }
}
