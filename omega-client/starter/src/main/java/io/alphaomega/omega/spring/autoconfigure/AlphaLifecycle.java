package io.alphaomega.omega.spring.autoconfigure;

import io.alphaomega.omega.spring.fencing.RememberedMarks;
import io.alphaomega.omega.spring.reporting.BranchReports;
import io.alphaomega.omega.spring.reporting.HeldReports;
import io.alphaomega.omega.stream.AlphaClient;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;

/** Connects to alpha before the service takes requests, and leaves after the last one has been answered. */
public final class AlphaLifecycle implements SmartLifecycle {
    /** The web server starts and stops at {@code DEFAULT_PHASE - 2048}. */
    private static final int PHASE = SmartLifecycle.DEFAULT_PHASE - 3072;

    private static final Logger log = LoggerFactory.getLogger(AlphaLifecycle.class);

    private final AlphaClient alpha;
    private final HeldReports held;
    private final BranchReports reports;
    private final RememberedMarks marks;
    private final Duration drainTimeout;
    private volatile boolean running;

    AlphaLifecycle(
            AlphaClient alpha, HeldReports held, BranchReports reports, RememberedMarks marks, Duration drainTimeout) {
        this.alpha = alpha;
        this.held = held;
        this.reports = reports;
        this.marks = marks;
        this.drainTimeout = drainTimeout;
    }

    @Override
    public void start() {
        marks.start();
        alpha.start();
        running = true;
    }

    @Override
    public void stop() {
        running = false;
        long end = System.nanoTime() + drainTimeout.toNanos();
        int unsent = held.tellAll(drainTimeout);
        unsent += reports.close(Duration.ofNanos(Math.max(0, end - System.nanoTime())));
        int unanswered = alpha.close(Duration.ofNanos(Math.max(0, end - System.nanoTime())));
        marks.stop();
        if (unsent + unanswered == 0) return;
        log.warn(
                "This service stopped after {} (omega.drain-timeout) with {} reports that alpha had not answered; it takes"
                        + " the ends of their branches for unknown, and aborts at their timeouts.",
                drainTimeout,
                unsent + unanswered);
    }

    @Override
    public boolean isRunning() {
        return running;
    }

    /** A closed client cannot be started again. Spring 6 does not ask. */
    @SuppressWarnings("MissingOverride")
    public boolean isPauseable() {
        return false;
    }

    @Override
    public int getPhase() {
        return PHASE;
    }
}
