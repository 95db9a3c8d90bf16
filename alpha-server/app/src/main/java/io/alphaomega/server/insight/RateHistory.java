package io.alphaomega.server.insight;

import io.alphaomega.server.saga.SagaMetrics.Totals;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/** What the last five minutes brought to the sagas of this node. For one thread. */
final class RateHistory {
    private final Deque<Totals> seconds = new ArrayDeque<>();
    private Totals before;
    private long second;

    RateHistory(Instant now, Totals totals) {
        this.second = now.getEpochSecond();
        this.before = totals;
    }

    /** To be told about once a second. What a second that was left out brought counts in the one after it. */
    void note(Instant now, Totals totals) {
        long current = now.getEpochSecond();
        if (current <= second) return;
        for (long left = Math.max(second + 1, current - Rates.SECONDS_MAX); left < current; left++) add(Rates.NOTHING);
        add(Rates.minus(totals, before));
        before = totals;
        second = current;
    }

    private void add(Totals one) {
        seconds.add(one);
        if (seconds.size() > Rates.SECONDS_MAX) seconds.remove();
    }

    Rates rates() {
        return new Rates(second, List.copyOf(seconds));
    }
}
