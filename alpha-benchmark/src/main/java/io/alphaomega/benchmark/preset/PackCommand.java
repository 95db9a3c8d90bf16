package io.alphaomega.benchmark.preset;

import io.alphaomega.benchmark.load.Load;
import io.alphaomega.benchmark.measure.Measurements;
import io.alphaomega.benchmark.measure.Progress;
import io.alphaomega.benchmark.plan.DurationConverter;
import io.alphaomega.benchmark.plan.LoadPlan;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code preset pack}: how long so many sagas take, so many at a time. */
@Command(
        name = "pack",
        mixinStandardHelpOptions = true,
        exitCodeOnInvalidInput = 1,
        sortOptions = false,
        description = {
            "Makes ServiceComb Pack's table: 10,000 and 50,000 sagas of 3 branches, 100 to 2,000 at a time, with total time, mean and throughput. Only sagas that have ended count; Pack's own tool counts events that it has put into its queue.",
            "Ends with 3 if what it counted is not what alpha says."
        })
final class PackCommand implements Callable<Integer> {
    private static final int USAGE = 1;
    private static final int NOT_VERIFIED = 3;

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Option(
            names = "--address",
            paramLabel = "HOST:PORT",
            split = ",",
            defaultValue = "127.0.0.1:8071",
            description = "The gRPC address of alpha, or of several. Default: ${DEFAULT-VALUE}.")
    private List<String> addresses = List.of();

    @Option(
            names = "--http",
            split = ",",
            paramLabel = "HOST:PORT",
            description = "Where the same alphas answer REST. Default: the hosts of --address, port 8090.")
    private List<String> http = List.of();

    @Option(
            names = "-n",
            paramLabel = "SAGAS",
            split = ",",
            defaultValue = "10000,50000",
            description = "Sagas of a row. Default: ${DEFAULT-VALUE}.")
    private List<Integer> sagas = List.of();

    @Option(
            names = "-c",
            paramLabel = "N",
            split = ",",
            defaultValue = "100,500,1000,2000",
            description = "Sagas at a time. Default: ${DEFAULT-VALUE}.")
    private List<Integer> concurrencies = List.of();

    @Option(names = "--rounds", paramLabel = "N", defaultValue = "3", description = "Default: ${DEFAULT-VALUE}.")
    private int rounds;

    @Option(
            names = "--warmup",
            paramLabel = "TIME",
            converter = DurationConverter.class,
            defaultValue = "30s",
            description = "Before the first round, for the JVMs. Default: ${DEFAULT-VALUE}.")
    private Duration warmup = Duration.ZERO;

    @Mixin
    private final TableFiles files = new TableFiles();

    @Override
    public Integer call() throws IOException {
        PrintWriter out = spec.commandLine().getOut();
        PrintWriter err = spec.commandLine().getErr();
        try {
            PackPlan plan = new PackPlan(addresses, http, sagas, concurrencies, rounds, warmup);
            plan.rows().forEach(plan::plan); // What is nonsense is refused before anything runs.
            List<String> faults = new ArrayList<>();
            PackTable table = new PackTable(measured(plan, err, faults), rounds, faults);
            out.println(table.text());
            faults.forEach(err::println);
            files.write(table.json(), table.text());
            return faults.isEmpty() ? 0 : NOT_VERIFIED;
        } catch (IllegalArgumentException | Load.UnreachableException e) {
            err.println(e.getMessage());
            return USAGE;
        } finally {
            out.flush();
            err.flush();
        }
    }

    private static Map<PackTable.Row, List<Measurements>> measured(
            PackPlan plan, PrintWriter progress, List<String> faults) {
        if (!plan.warmup().isZero()) run(plan.warmingUp(), "Warming up", faults);
        Map<PackTable.Row, List<Measurements>> measured = new LinkedHashMap<>();
        for (int round = 1; round <= plan.rounds(); round++) {
            for (PackTable.Row row : plan.rows()) {
                String name = "round %d of %d: %d sagas, %d at a time"
                        .formatted(round, plan.rounds(), row.sagas(), row.concurrency());
                Measurements each = run(plan.plan(row), name, faults);
                measured.computeIfAbsent(row, unused -> new ArrayList<>()).add(each);
                progress.printf(Locale.ROOT, "%s: %,.0f/s%n", name, each.throughput());
                progress.flush();
            }
        }
        return measured;
    }

    private static Measurements run(LoadPlan plan, String name, List<String> faults) {
        try (Load load = Load.connect(plan, Clock.systemUTC(), Progress.UNSEEN)) {
            Measurements measured = load.run();
            for (String mismatch : load.verify(true).mismatches()) faults.add(name + ": " + mismatch);
            return measured;
        }
    }
}
