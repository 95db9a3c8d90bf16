package io.alphaomega.server.changes;

import io.alphaomega.server.problem.Problems;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;

/** Those who read streams: not too many, and sent away before the node stops. */
@Component
final class Watchers implements SmartLifecycle {
    /** Each may watch another saga, which is then read every two seconds: fifty reads in a second are little to any store. */
    static final int MAX = 100;

    /** People look for minutes. */
    private static final Duration COME_AGAIN = Duration.ofSeconds(30);

    private static final Duration RESTARTING = Duration.ofSeconds(2);

    private final Semaphore places = new Semaphore(MAX);
    private volatile CountDownLatch stopping = new CountDownLatch(1);

    /** Refused when there are as many as allowed, or this node stops. Who has entered leaves. */
    void enter() {
        if (stopping.getCount() == 0) throw Problems.notServing("This alpha node is stopping; ask again.", RESTARTING);
        if (!places.tryAcquire()) throw Problems.tooManyWatchers(MAX, COME_AGAIN);
    }

    void leave() {
        places.release();
    }

    /** Waits for so long, or until this node stops. */
    boolean stopsWithin(Duration pause) throws InterruptedException {
        return stopping.await(pause.toNanos(), TimeUnit.NANOSECONDS);
    }

    @Override
    public void start() {
        stopping = new CountDownLatch(1);
    }

    @Override
    public void stop() {
        stopping.countDown();
    }

    @Override
    public boolean isRunning() {
        return stopping.getCount() > 0;
    }

    /** Ended before the server is, which waits for all requests. */
    @Override
    public int getPhase() {
        return Integer.MAX_VALUE;
    }
}
