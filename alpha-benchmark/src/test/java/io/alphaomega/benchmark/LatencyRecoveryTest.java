package io.alphaomega.benchmark;

import static org.assertj.core.api.Assertions.assertThat;

import io.alphaomega.benchmark.measure.Latency;
import io.alphaomega.benchmark.measure.Measurements;
import java.util.ArrayList;
import java.util.List;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

final class LatencyRecoveryTest {
    /** One second after the other, each with one saga of so many milliseconds; of 0 with none. */
    private static LatencyRecovery settling(int... millis) {
        List<Measurements.Second> series = new ArrayList<>();
        for (int second = 0; second < millis.length; second++) {
            Histogram histogram = new Histogram(3);
            if (millis[second] > 0) histogram.recordValue(millis[second] * 1_000L);
            Latency latency = Latency.of(histogram);
            series.add(new Measurements.Second(second, 1, 1, 0, latency, latency));
        }
        return new LatencyRecovery(series);
    }

    @Test
    void latency_has_settled_when_it_stays_near_what_it_was() {
        LatencyRecovery settling = settling(10, 12, 11, 900, 0, 20, 500, 21, 10, 11, 12, 13, 14);
        double before = settling.p99(0, 3);

        assertThat(before).isBetween(11.9, 12.1);
        assertThat(settling.settledAfter(3, 13, before)).hasValue(4);
    }

    @Test
    void latency_that_rises_late_has_settled_after_that() {
        int[] millis = {10, 10, 10, 10, 10, 10, 10, 10, 10, 5000, 10, 10, 10, 10, 10};
        assertThat(settling(millis).settledAfter(2, 15, 10)).hasValue(8);
    }

    @Test
    void latency_that_stays_high_has_not_settled() {
        assertThat(settling(10, 10, 30, 30, 30, 30, 30, 30, 30).settledAfter(2, 8, 10))
                .isEmpty();
    }
}
