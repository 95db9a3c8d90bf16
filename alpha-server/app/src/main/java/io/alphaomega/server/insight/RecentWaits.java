package io.alphaomega.server.insight;

import io.alphaomega.server.meters.Waits;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Supplier;

/** How long things took in the last ten seconds. For one thread. */
final class RecentWaits {
    private static final int SECONDS = 10;

    private final Supplier<Waits> sinceStart;
    private final Deque<Waits> seconds = new ArrayDeque<>();
    private Waits before;

    RecentWaits(Supplier<Waits> sinceStart) {
        this.sinceStart = sinceStart;
        this.before = sinceStart.get();
    }

    /** To be told about once a second. */
    void note() {
        Waits now = sinceStart.get();
        seconds.add(now.minus(before));
        before = now;
        if (seconds.size() > SECONDS) seconds.remove();
    }

    Waits waits() {
        return seconds.stream().reduce(Waits.NONE, Waits::plus);
    }
}
