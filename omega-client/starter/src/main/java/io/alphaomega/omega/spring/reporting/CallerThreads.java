package io.alphaomega.omega.spring.reporting;

import java.util.concurrent.Executor;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Where callers go on after omega has waited for alpha: never on the thread of alpha's connections. As many as are needed,
 * since callers may block and wait for one another there.
 */
public final class CallerThreads {
    public static final Executor EXECUTOR =
            new ThreadPoolExecutor(0, Integer.MAX_VALUE, 10, TimeUnit.SECONDS, new SynchronousQueue<>(), task -> {
                Thread thread = new Thread(task, "omega-later");
                thread.setDaemon(true);
                return thread;
            });

    private CallerThreads() {}
}
