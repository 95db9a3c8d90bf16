package io.alphaomega.benchmark;

import io.alphaomega.benchmark.load.Measurements;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** When latency is again what it was before a disturbance. */
final class Settling {
    /** A percentile of one second varies by that much when nothing happens. */
    private static final double FACTOR = 2;

    /** For so long it must stay. */
    private static final int SECONDS = 5;

    private final Map<Integer, Double> p99 = new HashMap<>();

    Settling(List<Measurements.Second> series) {
        for (Measurements.Second each : series) {
            if (each.saga().count() > 0) p99.put(each.second(), each.saga().percentileMillis(99));
        }
    }

    /** The median over the seconds before; 0 if no saga ended in them. */
    double p99Before(int second, int seconds) {
        List<Double> before = p99.entrySet().stream()
                .filter(each -> each.getKey() >= second - seconds && each.getKey() < second)
                .map(Map.Entry::getValue)
                .sorted()
                .toList();
        return before.isEmpty() ? 0 : before.get(before.size() / 2);
    }

    /**
     * Seconds from then until the last one is over whose p99 was more than twice that, or in which nothing ended: sagas
     * that stood still are seen only when they end. -1 if that was less than five seconds before the end.
     */
    int settledAfter(int from, int to, double before) {
        int lastBad = from - 1;
        for (int second = from; second < to; second++) {
            if (p99.getOrDefault(second, Double.MAX_VALUE) > FACTOR * before) lastBad = second;
        }
        return to - lastBad > SECONDS ? lastBad + 1 - from : -1;
    }
}
