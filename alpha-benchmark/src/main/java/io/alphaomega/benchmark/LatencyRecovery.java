package io.alphaomega.benchmark;

import io.alphaomega.benchmark.measure.Latency;
import io.alphaomega.benchmark.measure.Measurements;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;

/** When latency is again what it was before a disturbance. */
final class LatencyRecovery {
    /** The p99 of a few seconds varies by that much when nothing happens. */
    private static final double FACTOR = 2;

    /** So many seconds are taken together: in a single one two or three sagas are the slowest hundredth. */
    static final int SECONDS = 5;

    private final Map<Integer, Latency> seconds = new HashMap<>();

    LatencyRecovery(List<Measurements.Second> series) {
        for (Measurements.Second each : series) {
            if (each.saga().count() > 0) seconds.put(each.second(), each.saga());
        }
    }

    /** Of all sagas that ended in so many seconds from then on; 0 if none did. */
    double p99(int from, int count) {
        Latency all = Latency.NONE;
        for (int second = from; second < from + count; second++) {
            all = all.plus(seconds.getOrDefault(second, Latency.NONE));
        }
        return all.count() == 0 ? 0 : all.percentileMillis(99);
    }

    /**
     * Seconds from then until the last five are over whose p99 was more than twice that, or until the last one in which
     * nothing ended: sagas that stood still are seen only when they end. Empty if that was at the end.
     */
    OptionalInt settledAfter(int from, int to, double before) {
        for (int second = to - 1; second >= from; second--) {
            boolean good =
                    seconds.containsKey(second) && p99(Math.min(second, to - SECONDS), SECONDS) <= FACTOR * before;
            if (!good) return second > to - SECONDS ? OptionalInt.empty() : OptionalInt.of(second + 1 - from);
        }
        return OptionalInt.of(0);
    }
}
