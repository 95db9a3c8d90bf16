package io.alphaomega.benchmark.preset;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/** DTM's table: for each row the medians over the rounds. */
final class DtmTable {
    /**
     * A line.
     *
     * @param global global transactions per second that took effect
     * @param database commits per second of the database server
     * @param operations statements per second of the database server
     * @param kept of the throughput that the same business has without a coordinator; NaN if nothing compares
     */
    record Line(
            BusinessWork work, double global, double database, double operations, double kept, double generatorCpu) {}

    private final List<Line> lines;

    private final DtmRun.Result result;

    DtmTable(DtmRun.Result result) {
        this.result = result;
        List<Measured> measured = result.measured();
        lines = measured.stream()
                .map(Measured::work)
                .distinct()
                .map(work -> line(work, measured))
                .toList();
    }

    private static Line line(BusinessWork work, List<Measured> measured) {
        double global = median(work, measured, Measured::throughput);
        double bare =
                work.coordinated() && work.sql() > 0 ? median(work.bare(), measured, Measured::throughput) : Double.NaN;
        return new Line(
                work,
                global,
                median(work, measured, Measured::commitsPerSecond),
                median(work, measured, Measured::statementsPerSecond),
                global / bare,
                median(work, measured, Measured::generatorCpuMillisEach));
    }

    private static double median(BusinessWork work, List<Measured> measured, ToDoubleFunction<Measured> figure) {
        return Median.of(
                measured.stream().filter(each -> each.work().equals(work)).mapToDouble(figure));
    }

    List<Line> lines() {
        return lines;
    }

    /** In Markdown, with aligned columns, and what one needs to know to read it. */
    String text() {
        StringBuilder text = new StringBuilder();
        text.append("| business of 2 branches | Global-TPS |  DB-TPS |     OPS | kept | generator CPU-ms |\n");
        text.append("| ---------------------- | ---------: | ------: | ------: | ---: | ---------------: |\n");
        for (Line line : lines) {
            text.append(String.format(
                    Locale.ROOT,
                    "| %-22s | %,10.0f | %,7.0f | %,7.0f | %4s | %16.2f |%n",
                    line.work().label(),
                    line.global(),
                    line.database(),
                    line.operations(),
                    Double.isNaN(line.kept()) ? "" : String.format(Locale.ROOT, "%.2f", line.kept()),
                    line.generatorCpu()));
        }
        DtmPlan plan = result.plan();
        text.append(String.format(
                Locale.ROOT,
                "%n%d at a time, medians of %d rounds of %.0f s. Global-TPS: global transactions per second, all of whose branches took effect. DB-TPS and OPS: commits and statements per second of the database server, those of alpha included where it keeps its sagas there. kept: of the throughput without a coordinator.%n",
                plan.concurrency(),
                plan.rounds(),
                plan.duration().toMillis() / 1e3));
        if (!result.database().isEmpty())
            text.append("Database: ").append(result.database()).append(".\n");
        return text.toString();
    }

    Map<String, ?> json() {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("preset", "dtm");
        json.put("concurrency", result.plan().concurrency());
        json.put("rounds", result.plan().rounds());
        json.put("seconds", result.plan().duration().toMillis() / 1e3);
        json.put("database", result.database());
        json.put("rows", lines.stream().map(this::json).toList());
        json.put("verified", result.faults().isEmpty());
        json.put("faults", result.faults());
        return json;
    }

    private Map<String, ?> json(Line line) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("business", line.work().label());
        json.put("sql", line.work().sql());
        json.put("fence", line.work().fence());
        json.put("coordinated", line.work().coordinated());
        json.put("globalTps", line.global());
        json.put("dbTps", line.database());
        json.put("ops", line.operations());
        if (!Double.isNaN(line.kept())) json.put("kept", line.kept());
        json.put("generatorCpuMillis", line.generatorCpu());
        json.put(
                "globalTpsOfRounds",
                result.measured().stream()
                        .filter(each -> each.work().equals(line.work()))
                        .map(Measured::throughput)
                        .toList());
        return json;
    }
}
