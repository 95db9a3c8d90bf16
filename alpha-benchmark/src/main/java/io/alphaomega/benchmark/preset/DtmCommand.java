package io.alphaomega.benchmark.preset;

import io.alphaomega.benchmark.plan.DurationConverter;
import java.io.IOException;
import java.io.PrintWriter;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code preset dtm}: what a coordinator leaves of the throughput of a business that works on MySQL or MariaDB. */
@Command(
        name = "dtm",
        mixinStandardHelpOptions = true,
        exitCodeOnInvalidInput = 1,
        sortOptions = false,
        description = {
            "Makes DTM's table: sagas of 2 branches, each a call of a service by HTTP, whose business is 0, 2 or 10 statements of SQL in a local transaction, with and without a fence row, and the same without a coordinator. Rounds take turns, the table has the medians.",
            "Makes its own tables benchmark_accounts, benchmark_journal and omega_fence in the database, and empties the first two. Ends with 3 if the books do not balance."
        })
final class DtmCommand implements Callable<Integer> {
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
            names = "--mysql-url",
            paramLabel = "URL",
            description = "Where the business keeps its books, such as jdbc:mariadb://127.0.0.1:3306/business.")
    private @Nullable String url;

    @Option(names = "--mysql-user", paramLabel = "NAME", defaultValue = "root", description = "Default: root.")
    private String user = "";

    @Option(names = "--mysql-password", paramLabel = "TEXT", defaultValue = "", description = "Default: none.")
    private String password = "";

    @Option(names = "--empty-only", description = "Only the row without SQL, which needs no database.")
    private boolean emptyOnly;

    @Option(
            names = "-c",
            paramLabel = "N",
            defaultValue = "20",
            description = "Global transactions at a time. Default: ${DEFAULT-VALUE}.")
    private int concurrency;

    @Option(names = "--rounds", paramLabel = "N", defaultValue = "3", description = "Default: ${DEFAULT-VALUE}.")
    private int rounds;

    @Option(
            names = "--duration",
            paramLabel = "TIME",
            converter = DurationConverter.class,
            defaultValue = "10s",
            description = "How long each row takes in each round. Default: ${DEFAULT-VALUE}.")
    private Duration duration = Duration.ZERO;

    @Option(
            names = "--warmup",
            paramLabel = "TIME",
            converter = DurationConverter.class,
            defaultValue = "60s",
            description = "Before the first round, for the JVMs. Default: ${DEFAULT-VALUE}.")
    private Duration warmup = Duration.ZERO;

    @Mixin
    private final TableFiles files = new TableFiles();

    @Override
    public Integer call() throws IOException, InterruptedException {
        PrintWriter out = spec.commandLine().getOut();
        PrintWriter err = spec.commandLine().getErr();
        try {
            DtmRun.Result result = new DtmRun(plan(), err).run();
            DtmTable table = new DtmTable(result);
            out.println(table.text());
            result.faults().forEach(err::println);
            files.write(table.json(), table.text());
            return result.faults().isEmpty() ? 0 : NOT_VERIFIED;
        } catch (IllegalArgumentException e) {
            err.println(e.getMessage());
        } catch (SQLException e) {
            err.println("The database of --mysql-url cannot be used: " + e.getMessage());
        } finally {
            out.flush();
            err.flush();
        }
        return USAGE;
    }

    private DtmPlan plan() {
        if (emptyOnly == (url != null)) {
            throw new IllegalArgumentException(
                    "Either --mysql-url or --empty-only must be given, not both or neither.");
        }
        DtmPlan.Database database = url == null ? null : new DtmPlan.Database(url, user, password);
        return new DtmPlan(addresses, database, concurrency, rounds, duration, warmup);
    }
}
