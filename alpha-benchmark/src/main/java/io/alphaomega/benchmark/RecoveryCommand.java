package io.alphaomega.benchmark;

import io.alphaomega.benchmark.load.Recovery;
import io.alphaomega.benchmark.measure.Progress;
import io.alphaomega.benchmark.measure.Verification;
import io.alphaomega.benchmark.plan.LoadPlan;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Clock;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The command {@code recovery}: what an alpha does with the sagas that were open when it was killed. */
@Command(
        name = "recovery",
        mixinStandardHelpOptions = true,
        description = {
            "Leaves sagas open, has alpha killed and started again, and tells how fast it undoes them.",
            "With --kill and --restart it does both itself; else it says when. Alpha is started once all sagas are overdue. "
                    + "Ends with 3 if they were not all undone in time."
        })
final class RecoveryCommand implements Callable<Integer> {
    private static final int SAGAS = 100_000;
    private static final int UNVERIFIED = 3;
    private static final Duration PAUSE = Duration.ofMillis(100);

    /** A process that is killed is gone at once; a person takes a while. */
    private static final Duration AWAY_WITHIN = Duration.ofMinutes(5);

    @Spec
    @SuppressWarnings("NullAway.Init") // By picocli.
    private CommandSpec spec;

    @Mixin
    private LoadOptions load = new LoadOptions();

    @Option(
            names = "--timeout",
            paramLabel = "TIME",
            defaultValue = "2m",
            description = "The timeout of the sagas: longer than it takes to begin all of them. Default: 2m.")
    private Duration timeout = Duration.ZERO;

    @Option(
            names = "--kill",
            paramLabel = "PID",
            description = "Alpha's process, which gets SIGKILL once all are open.")
    private long pid;

    @Option(
            names = "--restart",
            paramLabel = "COMMAND",
            description = "Starts alpha again, by sh; it goes on running after this command.")
    private @Nullable String restart;

    @Option(
            names = "--within",
            paramLabel = "TIME",
            defaultValue = "15m",
            description = "How long alpha may take, at most. Default: 15m.")
    private Duration within = Duration.ZERO;

    @Override
    public Integer call() throws IOException {
        PrintWriter out = spec.commandLine().getOut();
        LoadPlan plan = load.planKeeping(SAGAS);
        if (restart != null && pid == 0) {
            throw new IllegalArgumentException(
                    "--restart must come with --kill: two alphas on one store are not what is measured.");
        }
        ProcessHandle alpha = pid == 0
                ? null
                : ProcessHandle.of(pid)
                        .orElseThrow(() -> new IllegalArgumentException(
                                "--kill must be the id of a process, but there is none of id " + pid + "."));
        try (Recovery recovery = Recovery.leave(
                plan, timeout, Clock.systemUTC(), new Lines(spec.commandLine().getErr()))) {
            return measure(out, plan, recovery, alpha);
        }
    }

    private int measure(PrintWriter out, LoadPlan plan, Recovery recovery, @Nullable ProcessHandle alpha)
            throws IOException {
        if (recovery.isOverdue()) {
            throw new IllegalArgumentException("--timeout must be longer than it took to begin the sagas.");
        }
        say(
                out,
                "%,d sagas of %d finished branches are open.",
                plan.amount().keptOpen(),
                plan.shape().branches());
        if (alpha != null) {
            boolean unused = alpha.destroyForcibly();
        } else {
            say(out, "Kill alpha now: kill -9 PID.");
        }
        require(await(() -> !recovery.isServed(), AWAY_WITHIN), "Alpha still serves: it was not killed.");
        say(out, "Alpha is gone. All sagas are overdue at %s.", recovery.overdueAt());
        if (restart != null) {
            require(await(recovery::isOverdue, timeout.plusMinutes(1)), "The clock stands still.");
            Process started = new ProcessBuilder("sh", "-c", "exec " + restart)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
            say(out, "Alpha is started again as process %d.", started.pid());
        } else {
            say(out, "Start it again then.");
        }
        require(await(recovery::isServed, within), "No alpha took a stream within " + within + ".");
        Recovery.Result result = recovery.drain(within, drained -> say(out, "%,d undone", drained));
        Verification verification = recovery.verify();
        say(
                out,
                "Of %,d sagas %,d were undone: the first compensation %.1f s after alpha took a stream, the last %.1f s; %,.0f sagas/s.",
                result.left(),
                result.drained(),
                result.toFirst().toMillis() / 1e3,
                result.toLast().toMillis() / 1e3,
                result.perSecond());
        verification.mismatches().forEach(out::println);
        if (verification.verified()) say(out, "Verified: alpha, the books and the participants agree.");
        out.flush();
        return result.drained() == result.left() && verification.verified() ? 0 : UNVERIFIED;
    }

    private static void require(boolean good, String sentence) {
        if (!good) throw new IllegalArgumentException(sentence);
    }

    private static boolean await(BooleanSupplier condition, Duration atMost) {
        long deadline = System.nanoTime() + atMost.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > deadline) return false;
            try {
                boolean unused = new CountDownLatch(1).await(PAUSE.toMillis(), TimeUnit.MILLISECONDS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return false;
            }
        }
        return true;
    }

    private static void say(PrintWriter out, String format, Object... of) {
        out.printf(Locale.ROOT, format + "%n", of);
        out.flush();
    }

    /** A line now and then while sagas are begun. */
    private record Lines(PrintWriter out) implements Progress {
        @Override
        public void show(Snapshot snapshot) {
            if (snapshot.phase() != Phase.OPENING) return;
            out.printf(Locale.ROOT, "%,d begun, %,.0f/s%n", snapshot.counts().started(), snapshot.rate());
            out.flush();
        }
    }
}
