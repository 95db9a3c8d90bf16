package io.alphaomega.benchmark.report;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.alphaomega.benchmark.measure.Latency;
import io.alphaomega.benchmark.measure.Measurements;
import java.io.ByteArrayOutputStream;
import java.time.Instant;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogWriter;

/**
 * The distributions of every second in HdrHistogram's log format, version 1.3, tagged saga and ack: what HdrHistogram's
 * own tools read. In microseconds; the maxima beside them in milliseconds, as is usual.
 */
final class HdrLog {
    private static final double MICROS_PER_MILLI = 1_000;

    private HdrLog() {}

    static String of(Report report, Measurements measured) {
        Instant begin = measured.firstBegin() == null ? Instant.EPOCH : measured.firstBegin();
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        HistogramLogWriter writer = new HistogramLogWriter(bytes);
        writer.outputComment("alpha-benchmark " + report.setup().generator().version() + ": " + report.title());
        writer.outputComment("Values are microseconds; intervals are tagged saga (begin to end) and ack.");
        writer.outputLogFormatVersion();
        writer.outputStartTime(begin.toEpochMilli());
        writer.outputLegend();
        for (Measurements.Second second : measured.series()) {
            write(writer, "saga", begin.plusSeconds(second.second()), second.saga());
            write(writer, "ack", begin.plusSeconds(second.second()), second.ack());
        }
        writer.close();
        return bytes.toString(UTF_8);
    }

    private static void write(HistogramLogWriter writer, String tag, Instant from, Latency latency) {
        Histogram micros = latency.micros();
        micros.setTag(tag);
        double seconds = from.toEpochMilli() / 1e3;
        writer.outputIntervalHistogram(seconds, seconds + 1, micros, MICROS_PER_MILLI);
    }
}
