package io.alphaomega.omega.context;

import io.alphaomega.protocol.v1.CallReports;
import org.jspecify.annotations.Nullable;

/** An answer to which only the thread that serves the call may add reports, until it is closed. */
public final class AnswerOfThread implements PendingReports.Answer {
    private volatile @Nullable Thread serving;
    private volatile boolean closed;
    private volatile @Nullable String brought;

    /** From now on that is this thread. */
    public void serveHere() {
        serving = Thread.currentThread();
    }

    /** From now on that is no thread. */
    public void serveNowhere() {
        serving = null;
    }

    /** Whether it was not closed before. */
    public boolean close() {
        boolean first = !closed;
        closed = true;
        return first;
    }

    /** What it brings, for a header; null for nothing. */
    public @Nullable String brought() {
        return brought;
    }

    @Override
    public boolean isOpen() {
        return !closed && Thread.currentThread().equals(serving);
    }

    @Override
    public void bring(CallReports reports) {
        brought = SagaHeaders.encoded(reports);
    }
}
