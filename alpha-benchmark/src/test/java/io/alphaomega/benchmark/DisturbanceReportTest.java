package io.alphaomega.benchmark;

import static org.assertj.core.api.Assertions.assertThat;

import io.alphaomega.benchmark.DisturbanceReport.Seen;
import io.alphaomega.benchmark.measure.Latency;
import io.alphaomega.benchmark.measure.Measurements;
import io.alphaomega.benchmark.measure.Outage;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

/** What thresholds of {@code disturb} are held against. */
final class DisturbanceReportTest {
    private static Outage outage(int withoutBegin, List<Integer> shards, int missing, int missingFor) {
        return new Outage(
                Duration.ofMillis(withoutBegin),
                shards.stream().map(Duration::ofMillis).toList(),
                4,
                missing,
                Duration.ofMillis(missingFor),
                Duration.ZERO);
    }

    /** A saga of 10 ms in each second, and from one on of so many. */
    private static DisturbanceReport noticed(int slowFrom, int slowMillis, Outage... outages) {
        List<Measurements.Second> series = IntStream.range(0, 20)
                .mapToObj(second -> {
                    Histogram histogram = new Histogram(3);
                    histogram.recordValue((second < slowFrom ? 10 : slowMillis) * 1_000L);
                    Latency latency = Latency.of(histogram);
                    return new Measurements.Second(second, 1, 1, 0, latency, latency);
                })
                .toList();
        List<Seen> all =
                List.of(outages).stream().map(outage -> new Seen(outage, 5, 20)).toList();
        return new DisturbanceReport(all, new LatencyRecovery(series), 5);
    }

    @Test
    void figures_are_of_all_disturbances_together() {
        DisturbanceReport noticed = noticed(
                20, 0, outage(300, List.of(200, 3_000, 1_500), 0, 800), outage(900, List.of(100, 4_000), 0, 700));

        assertThat(noticed.figures())
                .containsOnlyKeys(DisturbanceReport.FIGURES)
                .containsEntry("beginlessMillis.max", 900.0)
                .containsEntry("standstillMillis.p50", 3_000.0)
                .containsEntry("standstillMillis.p95", 4_000.0)
                .containsEntry("standstillMillis.max", 4_000.0)
                .containsEntry("streamsBackMillis.max", 800.0)
                .containsEntry("settledSeconds.max", 0.0);
    }

    @Test
    void what_was_not_over_when_the_watching_was_has_no_figure() {
        DisturbanceReport noticed =
                noticed(8, 90, outage(300, List.of(200), 1, 800), outage(300, List.of(200), 0, 800));

        assertThat(noticed.figures()).doesNotContainKeys("streamsBackMillis.max", "settledSeconds.max");
        assertThat(noticed.lines())
                .contains(
                        "No shard stood still.",
                        "The p99 of a saga was 10.0 ms before, and had not settled after 15 s: then it was 90.0 ms.");
    }
}
