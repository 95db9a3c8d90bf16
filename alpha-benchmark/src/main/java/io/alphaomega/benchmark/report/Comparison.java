package io.alphaomega.benchmark.report;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;

/** Groups of runs side by side: the median of each figure, from the least to the most, and the ratio to the first. */
final class Comparison {
    /** A figure's place in the JSON report, and its name in the table. */
    private record Figure(String name, String pointer) {}

    private static final List<Figure> FIGURES = List.of(
            new Figure("sagas/s", "/throughput"),
            new Figure("saga p50 ms", "/sagaMillis/p50"),
            new Figure("saga p99 ms", "/sagaMillis/p99"),
            new Figure("saga p99.9 ms", "/sagaMillis/p999"),
            new Figure("ack p50 ms", "/ackMillis/p50"),
            new Figure("ack p99 ms", "/ackMillis/p99"),
            new Figure("CPU ms, coordinator", "/cpu/coordinatorMillisPerSaga"),
            new Figure("CPU ms, alpha", "/cpu/alphaMillisPerSaga"),
            new Figure("CPU ms, store", "/cpu/storeMillisPerSaga"),
            new Figure("CPU ms, generator", "/cpu/generatorMillisPerSaga"));

    private Comparison() {}

    static String of(List<ComparedRun> runs) {
        Map<String, List<ComparedRun>> groups = runs.stream()
                .collect(Collectors.groupingBy(ComparedRun::label, LinkedHashMap::new, Collectors.toList()));
        TextTable table = new TextTable(heads());
        for (Figure figure : FIGURES) rows(table, figure, groups);
        StringBuilder text = new StringBuilder(String.join("\n", table.lines())).append('\n');
        groups.forEach((label, of) -> {
            long not = of.stream().filter(run -> !run.verified()).count();
            if (not > 0) text.append("NOT VERIFIED: %d of %d runs of %s.%n".formatted(not, of.size(), label));
        });
        return text.toString();
    }

    private static String[] heads() {
        return new String[] {"", "runs", "median", "least", "most", "to the first"};
    }

    private static void rows(TextTable table, Figure figure, Map<String, List<ComparedRun>> groups) {
        List<double[]> values = new ArrayList<>();
        for (List<ComparedRun> runs : groups.values()) values.add(sorted(figure, runs));
        if (values.stream().allMatch(each -> each.length == 0)) return;
        double first = median(values.getFirst());
        table.row(figure.name(), "", "", "", "", "");
        int i = 0;
        for (String label : groups.keySet()) {
            double[] of = values.get(i++);
            double median = median(of);
            table.row(
                    "  " + label,
                    Integer.toString(of.length),
                    FigureText.digits(median),
                    of.length == 0 ? "" : FigureText.digits(of[0]),
                    of.length == 0 ? "" : FigureText.digits(of[of.length - 1]),
                    Double.isFinite(median / first) ? FigureText.digits(median / first) + " x" : "");
        }
    }

    private static double[] sorted(Figure figure, List<ComparedRun> runs) {
        return runs.stream()
                .map(run -> run.figures().at(figure.pointer()))
                .filter(JsonNode::isNumber)
                .mapToDouble(JsonNode::asDouble)
                .sorted()
                .toArray();
    }

    /** NaN of nothing. */
    private static double median(double[] sorted) {
        if (sorted.length == 0) return Double.NaN;
        int middle = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }
}
