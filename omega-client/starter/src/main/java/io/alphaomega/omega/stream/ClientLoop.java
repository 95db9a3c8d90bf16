package io.alphaomega.omega.stream;

import java.time.Duration;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The one thread that the client's state lives on: nothing in it needs a lock, nothing on it may block. It is also the
 * thread of the connections, so that neither an input on its way out nor an answer on its way in changes threads twice.
 */
final class ClientLoop {
    private static final Logger log = LoggerFactory.getLogger(AlphaClient.class);

    private final NettyChannels channels;
    private final ScheduledExecutorService loop;

    /** Tasks that wait for their turn. While there are any, none runs before them. */
    private final AtomicInteger waiting = new AtomicInteger();

    /** Whether a task is under way; the loop's own. */
    private boolean running;

    /** @param tls of its connections; null for none */
    ClientLoop(String name, @Nullable Supplier<AlphaTls> tls) {
        channels = new NettyChannels(name, tls);
        loop = channels.thread();
    }

    /** The connections that live on it. */
    AlphaChannels channels() {
        return channels;
    }

    /**
     * Runs the task soon, unless the loop is closed: then it says false. What comes from a connection runs at once,
     * unless it came out of another task, which may rely on nothing happening meanwhile.
     */
    boolean execute(Runnable task) {
        if (channels.isHere() && !running && waiting.get() == 0) {
            run(task);
            return true;
        }
        waiting.incrementAndGet();
        try {
            loop.execute(() -> {
                waiting.decrementAndGet();
                run(task);
            });
            return true;
        } catch (RejectedExecutionException closed) {
            waiting.decrementAndGet();
            return false;
        }
    }

    /** Runs the task after the delay; null if the loop is closed. */
    @Nullable
    ScheduledFuture<?> schedule(Duration delay, Runnable task) {
        try {
            return loop.schedule(() -> run(task), delay.toNanos(), TimeUnit.NANOSECONDS);
        } catch (RejectedExecutionException closed) {
            return null;
        }
    }

    /** Runs the task after the delay, unless the loop is closed by then. */
    void after(Duration delay, Runnable task) {
        ScheduledFuture<?> unused = schedule(delay, task);
    }

    void close() {
        channels.close();
    }

    private void run(Runnable task) {
        running = true;
        try {
            task.run();
        } catch (RuntimeException e) {
            log.error("The client of alpha has a bug; it continues with the next task.", e);
        } finally {
            running = false;
        }
    }
}
