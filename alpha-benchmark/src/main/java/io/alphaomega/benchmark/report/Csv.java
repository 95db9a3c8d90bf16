package io.alphaomega.benchmark.report;

import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The series as CSV: a line per second; empty where nothing ended, or nothing could be read. */
final class Csv {
    private static final String HEAD =
            "second,started,ended,errors,saga_p50_ms,saga_p99_ms,ack_p50_ms,ack_p99_ms,alpha_cores,store_cores,generator_cores\n";

    private Csv() {}

    static String of(Report report) {
        return report.series().stream().map(Csv::line).collect(Collectors.joining("", HEAD, ""));
    }

    private static String line(Report.Second of) {
        return Stream.<@Nullable Object>of(
                        of.second(),
                        of.started(),
                        of.ended(),
                        of.errors(),
                        of.sagaP50Millis(),
                        of.sagaP99Millis(),
                        of.ackP50Millis(),
                        of.ackP99Millis(),
                        of.alphaCores(),
                        of.storeCores(),
                        of.generatorCores())
                .map(value -> value == null ? "" : value.toString())
                .collect(Collectors.joining(",", "", "\n"));
    }
}
