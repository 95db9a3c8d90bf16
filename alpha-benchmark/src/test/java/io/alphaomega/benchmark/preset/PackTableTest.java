package io.alphaomega.benchmark.preset;

import static org.assertj.core.api.Assertions.assertThat;

import io.alphaomega.benchmark.measure.Latency;
import io.alphaomega.benchmark.measure.Measurements;
import io.alphaomega.benchmark.measure.OutcomeCounts;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
final class PackTableTest {
    private static Measurements measured(int seconds) {
        Histogram saga = new Histogram(3);
        saga.recordValue(10_000);
        saga.recordValue(30_000);
        return new Measurements(
                new OutcomeCounts(1_000, 1_000, 0, 0, 0, 0),
                Latency.NONE,
                Latency.of(saga),
                Latency.NONE,
                List.of(),
                Instant.EPOCH,
                Instant.EPOCH.plusSeconds(seconds),
                0,
                0);
    }

    @Test
    void a_row_has_the_medians_of_its_rounds_and_eight_events_for_each_saga_that_ended() {
        PackTable table = new PackTable(
                Map.of(new PackTable.Row(1_000, 100), List.of(measured(1), measured(2), measured(50))), 3, List.of());

        assertThat(table.text())
                .contains("|   1000 |       100 |          2.00 |     20.0 |    30.0 |     500 |    4,000 |");
    }
}
