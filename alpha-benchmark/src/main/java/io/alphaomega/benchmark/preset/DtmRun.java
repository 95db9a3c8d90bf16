package io.alphaomega.benchmark.preset;

import com.sun.management.OperatingSystemMXBean;
import io.alphaomega.omega.fence.Fence;
import java.io.IOException;
import java.io.PrintWriter;
import java.lang.management.ManagementFactory;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.mariadb.jdbc.MariaDbDataSource;

/** Measures the rows of DTM's table, each in every round, and checks the books. */
final class DtmRun {
    /** Until all threads are busy and what the row before has left is written. */
    private static final Duration ROW_WARMUP = Duration.ofSeconds(1);

    private static final double NANOS_PER_MILLI = 1e6;
    private static final double NANOS_PER_SECOND = 1e9;

    private final DtmPlan plan;
    private final PrintWriter progress;
    private long rowsExpected;
    private long failed;
    private long unknown;

    /** @param progress gets a line for each row */
    DtmRun(DtmPlan plan, PrintWriter progress) {
        this.plan = plan;
        this.progress = progress;
    }

    /**
     * What was measured, and what is wrong with it.
     *
     * @param database what the database server is and how it writes; empty if there is none
     * @param faults sentences; none if every transaction took effect and the books balance
     */
    record Result(DtmPlan plan, String database, List<Measured> measured, List<String> faults) {}

    Result run() throws SQLException, IOException, InterruptedException {
        DtmPlan.Database database = plan.database();
        if (database == null) return run(null);
        MariaDbDataSource source = new MariaDbDataSource(database.url());
        source.setUser(database.user());
        source.setPassword(database.password());
        return run(source);
    }

    private Result run(@Nullable MariaDbDataSource source) throws SQLException, IOException, InterruptedException {
        // Else the JDK's server lets answers wait for the caller's delayed acknowledgement, 40 ms.
        System.setProperty("sun.net.httpserver.nodelay", "true");
        Fence fence = new Fence(Clock.systemUTC());
        AccountBooks books = source == null ? null : new AccountBooks(source);
        if (source != null && books != null) {
            books.open(plan.concurrency() * Drive.ACCOUNTS_PER_THREAD);
            fence.createTableIfMissing(source);
        }
        String database = books == null ? "" : books.server();
        List<Measured> measured = new ArrayList<>();
        try (ConnectionPool pool = source == null ? null : new ConnectionPool(source, plan.concurrency());
                Teller from = new Teller(plan.addresses(), "benchmark-from", pool, fence, plan.concurrency());
                Teller to = new Teller(plan.addresses(), "benchmark-to", pool, fence, plan.concurrency());
                InitiatorService initiator = new InitiatorService(plan.addresses(), from.uri(), to.uri())) {
            requireAlpha(initiator);
            warmUp(initiator, source);
            for (int round = 1; round <= plan.rounds(); round++) {
                for (BusinessWork work : plan.works()) {
                    Measured row = measure(initiator, work, round, plan.duration(), source);
                    measured.add(row);
                    show(row);
                }
            }
        }
        return new Result(plan, database, measured, faults(books));
    }

    private void show(Measured row) {
        progress.printf(
                Locale.ROOT,
                "round %d of %d: %s: %,.0f/s, generator %.2f CPU-ms each%n",
                row.round(),
                plan.rounds(),
                row.work().label(),
                row.throughput(),
                row.generatorCpuMillisEach());
        progress.flush();
    }

    private void requireAlpha(InitiatorService initiator) throws InterruptedException {
        if (initiator.run(BusinessWork.EMPTY, 0, 0) != InitiatorService.Outcome.DONE) {
            throw new IllegalArgumentException("--address must be an alpha that serves, but %s did not commit a saga."
                    .formatted(String.join(",", plan.addresses())));
        }
    }

    /** All rows in turn, so that the last one finds the JVMs as warm as the first. */
    private void warmUp(InitiatorService initiator, @Nullable MariaDbDataSource source)
            throws SQLException, InterruptedException {
        List<BusinessWork> works = plan.works();
        Duration each = plan.warmup().dividedBy(works.size());
        for (BusinessWork work : works) measure(initiator, work, 0, each, source);
    }

    private Measured measure(
            InitiatorService initiator,
            BusinessWork work,
            int round,
            Duration duration,
            @Nullable MariaDbDataSource source)
            throws SQLException, InterruptedException {
        Drive drive = new Drive(initiator, work, plan.concurrency());
        Measured measured;
        try (drive) {
            Drive.await(ROW_WARMUP);
            DatabaseCounters before = counters(source);
            long begun = System.nanoTime();
            long cpu = cpuNanos();
            long done = drive.count(InitiatorService.Outcome.DONE);
            Drive.await(duration);
            done = drive.count(InitiatorService.Outcome.DONE) - done;
            cpu = cpuNanos() - cpu;
            double seconds = (System.nanoTime() - begun) / NANOS_PER_SECOND;
            DatabaseCounters counted = counters(source).since(before);
            measured = new Measured(
                    work, round, seconds, done, counted.commits(), counted.statements(), cpu / NANOS_PER_MILLI);
        }
        rowsExpected += drive.count(InitiatorService.Outcome.DONE) * work.sql();
        failed += drive.count(InitiatorService.Outcome.FAILED);
        unknown += drive.count(InitiatorService.Outcome.UNKNOWN);
        return measured;
    }

    private static DatabaseCounters counters(@Nullable MariaDbDataSource source) throws SQLException {
        return source == null ? new DatabaseCounters(0, 0) : DatabaseCounters.read(source);
    }

    private static long cpuNanos() {
        return ((OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean()).getProcessCpuTime();
    }

    private List<String> faults(@Nullable AccountBooks books) throws SQLException {
        List<String> faults = new ArrayList<>();
        if (failed > 0) faults.add(failed + " global transactions failed; nobody asked them to.");
        if (unknown > 0) faults.add(unknown + " sagas have an unknown outcome.");
        if (books != null) faults.addAll(books.faults(failed + unknown == 0 ? rowsExpected : -1));
        return faults;
    }
}
