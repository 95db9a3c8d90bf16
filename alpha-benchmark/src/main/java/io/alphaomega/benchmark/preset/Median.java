package io.alphaomega.benchmark.preset;

import java.util.stream.DoubleStream;

/** What the rounds of a measurement come to: half of them are below it. */
final class Median {
    private Median() {}

    /** Not a number if there are none. */
    static double of(DoubleStream values) {
        double[] sorted = values.sorted().toArray();
        if (sorted.length == 0) return Double.NaN;
        int middle = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }
}
