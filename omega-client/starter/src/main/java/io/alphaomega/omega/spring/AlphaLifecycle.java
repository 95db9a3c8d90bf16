package io.alphaomega.omega.spring;

import io.alphaomega.omega.stream.AlphaClient;
import org.springframework.context.SmartLifecycle;

/** Connects to alpha before the service takes requests, and leaves after the last one has been answered. */
final class AlphaLifecycle implements SmartLifecycle {
    /** The web server starts and stops at {@code DEFAULT_PHASE - 2048}. */
    private static final int PHASE = SmartLifecycle.DEFAULT_PHASE - 3072;

    private final AlphaClient alpha;
    private volatile boolean running;

    AlphaLifecycle(AlphaClient alpha) {
        this.alpha = alpha;
    }

    @Override
    public void start() {
        alpha.start();
        running = true;
    }

    @Override
    public void stop() {
        running = false;
        alpha.close();
    }

    @Override
    public boolean isRunning() {
        return running;
    }

    /** A closed client cannot be started again. */
    @Override
    public boolean isPauseable() {
        return false;
    }

    @Override
    public int getPhase() {
        return PHASE;
    }
}
