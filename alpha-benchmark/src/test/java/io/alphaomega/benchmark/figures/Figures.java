package io.alphaomega.benchmark.figures;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The figures of {@code docs/performance.md}, measured on this machine: for each store it, alpha and the generator. */
@Command(
        name = "figures",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = "Measures alpha on each store as docs/performance.md has it, in turns, and prints the medians.")
final class Figures implements Callable<Integer> {
    @Spec
    @SuppressWarnings("NullAway.Init") // By picocli.
    private CommandSpec spec;

    @Parameters(paramLabel = "ROW", description = "Only the rows whose name begins so; --list names them.")
    private List<String> wanted = List.of();

    @Option(names = "--list", description = "Name the rows and end.")
    private boolean list;

    @Option(names = "--rounds", defaultValue = "3", description = "Runs of each row. Default: ${DEFAULT-VALUE}.")
    private int rounds;

    @Option(names = "--duration", defaultValue = "20s", description = "Of a run. Default: ${DEFAULT-VALUE}.")
    private String duration = "";

    @Option(
            names = "--warmup",
            defaultValue = "20s",
            description = "Of an alpha that was just started. Default: ${DEFAULT-VALUE}.")
    private String warmup = "";

    @Option(
            names = "--again",
            defaultValue = "5s",
            description = "Warm-up of the runs after. Default: ${DEFAULT-VALUE}.")
    private String again = "";

    @Option(
            names = "--output",
            defaultValue = "target/figures",
            description = "Of the reports. Default: ${DEFAULT-VALUE}.")
    private Path output = Path.of("");

    private final Path checkout = Path.of("").toAbsolutePath();
    private int worst;

    public static void main(String[] arguments) {
        System.exit(new CommandLine(new Figures()).execute(arguments));
    }

    @Override
    public Integer call() throws Exception {
        List<Row> rows = Row.ALL.stream().filter(this::isWanted).toList();
        if (rows.isEmpty()) {
            throw new ParameterException(
                    spec.commandLine(), "No row begins with %s; --list names them.".formatted(wanted));
        }
        if (list) {
            rows.forEach(row -> spec.commandLine().getOut().println(row.name()));
            return 0;
        }
        Files.createDirectories(output);
        Map<Store, List<Row>> byStore =
                rows.stream().collect(Collectors.groupingBy(Row::store, LinkedHashMap::new, Collectors.toList()));
        List<String> reports = new ArrayList<>();
        for (Map.Entry<Store, List<Row>> each : byStore.entrySet())
            reports.addAll(measure(each.getKey(), each.getValue()));
        List<String> compare = new ArrayList<>(List.of("compare"));
        compare.addAll(reports);
        benchmark(compare);
        return worst;
    }

    private boolean isWanted(Row row) {
        return wanted.isEmpty() || wanted.stream().anyMatch(row.name()::startsWith);
    }

    /** All rows in turns, so that each has its share of what else the machine does. */
    private List<String> measure(Store store, List<Row> rows) throws IOException, InterruptedException {
        List<String> reports = new ArrayList<>();
        String before = warmup;
        try (Store.Running running = store.start();
                Node node = new Node(checkout, running.alpha())) {
            for (int round = 1; round <= rounds; round++) {
                for (Row row : rows) {
                    String report = output.resolve("%s-%d.json".formatted(row.name(), round))
                            .toString();
                    List<String> arguments = new ArrayList<>(List.of("run", "--label", row.name(), "--json", report));
                    arguments.addAll(List.of("--duration", duration, "--warmup", before));
                    arguments.addAll(node.options());
                    arguments.addAll(row.arguments());
                    running.pid().ifPresent(pid -> arguments.addAll(List.of("--store-pid", Long.toString(pid))));
                    benchmark(arguments);
                    reports.add(report);
                    before = again;
                }
            }
        }
        return reports;
    }

    private void benchmark(List<String> arguments) throws IOException, InterruptedException {
        List<String> words = new ArrayList<>(
                List.of(checkout.resolve("scripts/alpha-benchmark").toString()));
        words.addAll(arguments);
        int code = new ProcessBuilder(words).inheritIO().start().waitFor();
        worst = Math.max(worst, code);
    }
}
