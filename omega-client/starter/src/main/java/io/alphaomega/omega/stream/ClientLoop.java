package io.alphaomega.omega.stream;

import java.time.Duration;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The one thread that the client's state lives on: nothing in it needs a lock, nothing on it may block. */
final class ClientLoop {
    private static final Logger log = LoggerFactory.getLogger(AlphaClient.class);

    private final ScheduledThreadPoolExecutor executor;

    ClientLoop(String name) {
        executor = new ScheduledThreadPoolExecutor(1, DaemonThreads.named(name));
        executor.setRemoveOnCancelPolicy(true);
        executor.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    }

    /** Runs the task soon, unless the loop is closed: then it says false. */
    boolean execute(Runnable task) {
        try {
            executor.execute(logged(task));
            return true;
        } catch (RejectedExecutionException closed) {
            return false;
        }
    }

    /** Runs the task after the delay; null if the loop is closed. */
    @Nullable
    ScheduledFuture<?> schedule(Duration delay, Runnable task) {
        try {
            return executor.schedule(logged(task), delay.toNanos(), TimeUnit.NANOSECONDS);
        } catch (RejectedExecutionException closed) {
            return null;
        }
    }

    /** Runs the task after the delay, unless the loop is closed by then. */
    void after(Duration delay, Runnable task) {
        ScheduledFuture<?> unused = schedule(delay, task);
    }

    void close() {
        executor.shutdown();
    }

    private static Runnable logged(Runnable task) {
        return () -> {
            try {
                task.run();
            } catch (RuntimeException e) {
                log.error("The client of alpha has a bug; it goes on with what comes next.", e);
            }
        };
    }
}
