package io.alphaomega.benchmark.preset;

import io.alphaomega.benchmark.measure.Measurements;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/** ServiceComb Pack's table: for each row the medians over the rounds. */
final class PackTable {
    /** Begin and end of a saga of {@link PackPlan#BRANCHES}, begin and end of each branch. */
    private static final int EVENTS = 2 + 2 * PackPlan.BRANCHES;

    private static final double MICROS_PER_MILLI = 1_000;

    /** What is varied: sagas in all, and at a time. */
    record Row(int sagas, int concurrency) {}

    /** A line, in seconds, milliseconds, and sagas that ended per second. */
    record Line(Row row, double seconds, double meanMillis, double p99Millis, double throughput) {}

    private final List<Line> lines;
    private final int rounds;
    private final List<String> faults;

    /** @param faults sentences; none if all figures are verified */
    PackTable(Map<Row, List<Measurements>> measured, int rounds, List<String> faults) {
        lines = measured.entrySet().stream()
                .map(each -> line(each.getKey(), each.getValue()))
                .toList();
        this.rounds = rounds;
        this.faults = faults;
    }

    private static Line line(Row row, Collection<Measurements> measured) {
        return new Line(
                row,
                median(measured, Measurements::seconds),
                median(measured, each -> each.saga().micros().getMean() / MICROS_PER_MILLI),
                median(measured, each -> each.saga().percentileMillis(99)),
                median(measured, Measurements::throughput));
    }

    private static double median(Collection<Measurements> measured, ToDoubleFunction<Measurements> figure) {
        return Median.of(measured.stream().mapToDouble(figure));
    }

    /** In Markdown, with aligned columns, and what one needs to know to read it. */
    String text() {
        StringBuilder text = new StringBuilder();
        text.append("|  sagas | at a time | total time, s | mean, ms | p99, ms | sagas/s | events/s |\n");
        text.append("| -----: | --------: | ------------: | -------: | ------: | ------: | -------: |\n");
        for (Line line : lines) {
            text.append(String.format(
                    Locale.ROOT,
                    "| %6d | %9d | %13.2f | %8.1f | %7.1f | %,7.0f | %,8.0f |%n",
                    line.row().sagas(),
                    line.row().concurrency(),
                    line.seconds(),
                    line.meanMillis(),
                    line.p99Millis(),
                    line.throughput(),
                    line.throughput() * EVENTS));
        }
        text.append(String.format(
                Locale.ROOT,
                "%n%d branches, %d events per saga, each sent when the one before was acknowledged; medians of %d rounds. Mean and p99: from a saga's begin to its end. sagas/s: sagas that have ended, by the total time. Pack's own tool counts events that it has put into its queue, finished or not.%n",
                PackPlan.BRANCHES,
                EVENTS,
                rounds));
        return text.toString();
    }

    Map<String, ?> json() {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("preset", "pack");
        json.put("rounds", rounds);
        json.put("rows", lines.stream().map(PackTable::json).toList());
        json.put("verified", faults.isEmpty());
        json.put("faults", faults);
        return json;
    }

    private static Map<String, ?> json(Line line) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("sagas", line.row().sagas());
        json.put("concurrency", line.row().concurrency());
        json.put("seconds", line.seconds());
        json.put("meanMillis", line.meanMillis());
        json.put("p99Millis", line.p99Millis());
        json.put("throughput", line.throughput());
        return json;
    }
}
