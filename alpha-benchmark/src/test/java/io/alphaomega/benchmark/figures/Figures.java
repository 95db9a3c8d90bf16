package io.alphaomega.benchmark.figures;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
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
    /** Those whose recovery is worth a row. */
    private static final List<Store> RECOVERED = List.of(Store.EMBEDDED, Store.REDIS_EVERYSEC, Store.MARIADB);

    @Spec
    @SuppressWarnings("NullAway.Init") // By picocli.
    private CommandSpec spec;

    @Parameters(
            paramLabel = "ROW",
            description =
                    "Only the rows whose name begins so; without any, all but the tables and recoveries. --list names them.")
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

    @Option(
            names = "--plot",
            paramLabel = "FILE.json",
            description = "Measure nothing: draw the figures of the file beside it, as FILE.svg, and end.")
    private @Nullable Path plot;

    private final Path checkout = Path.of("").toAbsolutePath();
    private int worst;

    public static void main(String[] arguments) {
        System.exit(new CommandLine(new Figures()).execute(arguments));
    }

    @Override
    public Integer call() throws Exception {
        if (plot != null) {
            String name = plot.getFileName().toString().replaceFirst("\\.json$", "") + ".svg";
            Files.writeString(plot.resolveSibling(name), Plot.read(plot).svg());
            return 0;
        }
        List<Row> rows = Row.ALL.stream()
                .filter(row -> wanted.isEmpty() || isWanted(row.name()))
                .toList();
        List<Table> tables =
                Table.ALL.stream().filter(table -> isWanted(table.name())).toList();
        List<Spread> spreads =
                Spread.ALL.stream().filter(spread -> isWanted(spread.name())).toList();
        List<Store> recoveries =
                RECOVERED.stream().filter(store -> isWanted(recovery(store))).toList();
        if (list) {
            Row.ALL.forEach(row -> spec.commandLine().getOut().println(row.name()));
            Table.ALL.forEach(table -> spec.commandLine().getOut().println(table.name()));
            Spread.ALL.forEach(spread -> spec.commandLine().getOut().println(spread.name()));
            RECOVERED.forEach(store -> spec.commandLine().getOut().println(recovery(store)));
            return 0;
        }
        if (rows.isEmpty() && tables.isEmpty() && spreads.isEmpty() && recoveries.isEmpty()) {
            throw new ParameterException(
                    spec.commandLine(), "No row begins with %s; --list names them.".formatted(wanted));
        }
        Files.createDirectories(output);
        Map<Store, List<Row>> byStore =
                rows.stream().collect(Collectors.groupingBy(Row::store, LinkedHashMap::new, Collectors.toList()));
        List<String> compare = new ArrayList<>(List.of("compare"));
        for (Map.Entry<Store, List<Row>> each : byStore.entrySet())
            compare.addAll(measure(each.getKey(), each.getValue()));
        if (!rows.isEmpty()) benchmark(compare);
        for (Table table : tables) make(table);
        for (Spread spread : spreads) make(spread);
        for (Store store : recoveries) recover(store);
        return worst;
    }

    private boolean isWanted(String name) {
        return wanted.stream().anyMatch(name::startsWith);
    }

    private static String recovery(Store store) {
        return "recovery-" + store.label();
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
                    arguments.addAll(List.of("--address", node.address(), "--http", node.http()));
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

    private void make(Table table) throws IOException, InterruptedException {
        try (Store.Running running = table.store().start()) {
            try (Node node = new Node(checkout, running.alpha())) {
                List<String> arguments = table.arguments(running, node);
                arguments.addAll(List.of("--rounds", Integer.toString(rounds)));
                arguments.addAll(
                        List.of("--json", output.resolve(table.name() + ".json").toString()));
                arguments.addAll(List.of(
                        "--markdown", output.resolve(table.name() + ".md").toString()));
                benchmark(arguments);
            }
            ceilings(table.name(), running);
        }
    }

    private void make(Spread spread) throws IOException, InterruptedException {
        try (Store.Running running = spread.store().start()) {
            List<Node> nodes = new ArrayList<>();
            List<Agent> agents = new ArrayList<>();
            try {
                for (int i = 0; i < spread.nodes(); i++) {
                    List<String> alpha = new ArrayList<>(running.alpha());
                    if (i > 0)
                        alpha.add(
                                "--alpha.cluster.seed-nodes=" + nodes.getFirst().clusterAddress());
                    nodes.add(new Node(checkout, alpha));
                }
                for (int i = 0; i < spread.agents(); i++) agents.add(new Agent(checkout));
                for (int round = 1; round <= rounds; round++)
                    benchmark(arguments(spread, round, nodes, agents, running));
            } finally {
                agents.forEach(Agent::close);
                nodes.forEach(Node::close);
            }
            ceilings(spread.name(), running);
        }
    }

    private List<String> arguments(
            Spread spread, int round, List<Node> nodes, List<Agent> agents, Store.Running running) {
        String report =
                output.resolve("%s-%d.json".formatted(spread.name(), round)).toString();
        List<String> arguments = new ArrayList<>(List.of("run", "--label", spread.name(), "--json", report));
        arguments.addAll(List.of("--address", joined(nodes, Node::address), "--http", joined(nodes, Node::http)));
        arguments.addAll(List.of("--agents", joined(agents, Agent::address)));
        running.pid().ifPresent(pid -> arguments.addAll(List.of("--store-pid", Long.toString(pid))));
        arguments.addAll(spread.arguments());
        return arguments;
    }

    private static <T> String joined(List<T> of, Function<T, String> address) {
        return of.stream().map(address).collect(Collectors.joining(","));
    }

    /** What the store can do by itself, on this machine and now. */
    private void ceilings(String name, Store.Running running) throws IOException, InterruptedException {
        if (running.ceilings().isEmpty()) return;
        StringBuilder text = new StringBuilder("The store of %s by itself:%n".formatted(name));
        for (Ceiling ceiling : running.ceilings()) {
            StringBuilder said = new StringBuilder();
            for (List<String> command : ceiling.commands()) said.append(said(command));
            text.append("  %-28s %s%n".formatted(ceiling.what(), ceiling.figure(said.toString())));
        }
        spec.commandLine().getOut().println(text);
        Files.writeString(output.resolve(name + "-store.txt"), text);
    }

    private static String said(List<String> command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.waitFor() != 0) throw new IOException(String.join(" ", command) + ": " + said);
        return said;
    }

    /** The sagas that alpha leaves when it is killed, and how fast the next one undoes them. */
    private void recover(Store store) throws IOException, InterruptedException {
        Path pid = output.resolve(recovery(store) + ".pid").toAbsolutePath();
        try (Store.Running running = store.start();
                Node node = new Node(checkout, running.alpha())) {
            String again = "sh -c 'echo $$ > %s; exec %s'".formatted(pid, node.command());
            benchmark(List.of(
                    "recovery",
                    "--address",
                    node.address(),
                    "--http",
                    node.http(),
                    "--kill",
                    Long.toString(node.pid()),
                    "--restart",
                    again));
            ProcessHandle.of(Long.parseLong(Files.readString(pid).strip())).ifPresent(ProcessHandle::destroy);
        }
    }

    private void benchmark(List<String> arguments) throws IOException, InterruptedException {
        List<String> words = new ArrayList<>(
                List.of(checkout.resolve("scripts/alpha-benchmark").toString()));
        words.addAll(arguments);
        int code = new ProcessBuilder(words).inheritIO().start().waitFor();
        worst = Math.max(worst, code);
    }
}
