package io.alphaomega.benchmark.report;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.alphaomega.benchmark.measure.Measurements;
import java.io.ByteArrayInputStream;
import java.util.List;
import org.HdrHistogram.EncodableHistogram;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogReader;
import org.junit.jupiter.api.Test;

class HdrLogTest {
    @Test
    void HdrHistograms_own_reader_finds_every_second_again() {
        Measurements measured = Samples.measured(5, false);
        Report report =
                Samples.report("a run", Samples.PLAN, Samples.found(measured, Samples.AGREES, List.of()), List.of());
        Histogram sagas = new Histogram(3);
        HistogramLogReader reader = new HistogramLogReader(
                new ByteArrayInputStream(HdrLog.of(report, measured).getBytes(UTF_8)));
        int intervals = 0;
        while (reader.hasNext()) {
            EncodableHistogram interval = reader.nextIntervalHistogram();
            if ("saga".equals(interval.getTag())) sagas.add((Histogram) interval);
            intervals++;
        }
        assertThat(intervals).isEqualTo(10);
        assertThat(reader.getStartTimeSec()).isEqualTo(Samples.BEGIN.toEpochMilli() / 1e3);
        assertThat(sagas).isEqualTo(measured.saga().micros());
    }
}
