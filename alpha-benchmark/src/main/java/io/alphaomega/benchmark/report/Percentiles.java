package io.alphaomega.benchmark.report;

import io.alphaomega.benchmark.measure.Latency;
import org.HdrHistogram.Histogram;

/** A distribution in figures, in milliseconds. All 0 where nothing was counted. */
record Percentiles(long count, double mean, double p50, double p90, double p99, double p999, double max) {
    private static final double MICROS_PER_MILLI = 1_000;

    static Percentiles of(Latency latency) {
        Histogram micros = latency.micros();
        if (micros.getTotalCount() == 0) return new Percentiles(0, 0, 0, 0, 0, 0, 0);
        return new Percentiles(
                micros.getTotalCount(),
                FigureText.rounded(micros.getMean() / MICROS_PER_MILLI, 3),
                millis(micros, 50),
                millis(micros, 90),
                millis(micros, 99),
                millis(micros, 99.9),
                micros.getMaxValue() / MICROS_PER_MILLI);
    }

    static double millis(Histogram micros, double percentile) {
        return micros.getValueAtPercentile(percentile) / MICROS_PER_MILLI;
    }
}
