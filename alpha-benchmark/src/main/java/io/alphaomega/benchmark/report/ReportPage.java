package io.alphaomega.benchmark.report;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.alphaomega.benchmark.measure.Latency;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramIterationValue;
import org.jspecify.annotations.Nullable;

/** The report as one page that needs nothing else: style, script and figures are in it. */
final class ReportPage {
    /** Points between one percentile and the one at half its distance from 100 %: enough for a smooth line. */
    private static final int POINTS_PER_HALVING = 8;

    private static final double MICROS_PER_MILLI = 1_000;

    private ReportPage() {}

    /** What the script draws from. */
    private record Content(Report report, Spectra spectra) {}

    /** Points of percentile and milliseconds. */
    private record Spectra(
            List<double[]> ack,
            List<double[]> saga,
            @Nullable List<double[]> sagaUncorrected) {}

    static String of(Report report) {
        Report.Histograms histograms = report.histograms();
        Spectra spectra = new Spectra(
                spectrum(histograms.ack()),
                spectrum(histograms.saga()),
                report.sagaUncorrectedMillis() == null ? null : spectrum(histograms.sagaUncorrected()));
        // So that nothing in it ends the script element.
        String content = Report.JSON
                .rebuild()
                .build()
                .writeValueAsString(new Content(report, spectra))
                .replace("<", "\\u003c");
        return resource("page.html")
                .replace("/*STYLE*/", resource("page.css"))
                .replace("/*SCRIPT*/", resource("charts.js") + resource("page.js"))
                .replace("/*REPORT*/", content);
    }

    private static List<double[]> spectrum(Latency latency) {
        Histogram micros = latency.micros();
        List<double[]> points = new ArrayList<>();
        if (micros.getTotalCount() == 0) return points;
        // The last of n values stands at 1 - 1/n: at 100 % it would be infinitely far to the right.
        double last = 100 * (1 - 1.0 / micros.getTotalCount());
        for (HistogramIterationValue value : micros.percentiles(POINTS_PER_HALVING)) {
            if (value.getPercentileLevelIteratedTo() == 0) continue; // The least of all would stretch the axis.
            double percentile = Math.min(last, value.getPercentileLevelIteratedTo());
            points.add(new double[] {percentile, value.getValueIteratedTo() / MICROS_PER_MILLI});
            if (percentile == last) break;
        }
        points.add(new double[] {last, micros.getMaxValue() / MICROS_PER_MILLI});
        return points;
    }

    private static String resource(String name) {
        try (InputStream in = ReportPage.class.getResourceAsStream(name)) {
            if (in == null) throw new IllegalStateException("The resource " + name + " is missing in this package.");
            return new String(in.readAllBytes(), UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
