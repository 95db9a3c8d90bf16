package io.alphaomega.benchmark;

import io.alphaomega.benchmark.load.ContinuousLoad;
import io.alphaomega.benchmark.measure.Measurements;
import io.alphaomega.benchmark.measure.OutcomeCounts;
import io.alphaomega.benchmark.measure.Verification;
import io.alphaomega.benchmark.plan.LoadPlan;
import io.alphaomega.benchmark.report.Threshold;
import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The command {@code disturb}: what services notice when alphas are killed, paused, cut off or restarted. */
@Command(
        name = "disturb",
        mixinStandardHelpOptions = true,
        description = {
            "Makes load, has alpha disturbed meanwhile, again and again, and tells what the services noticed.",
            "For example --disturb 'scripts/cluster kill 1' --heal 'scripts/cluster heal'. Ends with 2 if a --threshold is "
                    + "missed, and with 3 if what became of the sagas could not be verified."
        })
final class DisturbCommand implements Callable<Integer> {
    private static final int MISSED = 2;
    private static final int UNVERIFIED = 3;

    /** Whether the load has ended, which it should not. */
    private static final Duration LOOK_EVERY = Duration.ofSeconds(1);

    @Spec
    @SuppressWarnings("NullAway.Init") // By picocli.
    private CommandSpec spec;

    @Mixin
    private LoadOptions load = new LoadOptions();

    @Option(names = "--disturb", required = true, paramLabel = "COMMAND", description = "What disturbs alpha, by sh.")
    private String disturb = "";

    @Option(names = "--heal", paramLabel = "COMMAND", description = "What makes it good again, by sh; it waits for it.")
    private @Nullable String heal;

    @Option(names = "--times", paramLabel = "K", defaultValue = "1", description = "How often. Default: 1.")
    private int times;

    @Option(
            names = "--calm",
            paramLabel = "TIME",
            defaultValue = "10s",
            description = "Load before each, to compare with. Default: 10s.")
    private Duration calm = Duration.ZERO;

    @Option(
            names = "--watch",
            paramLabel = "TIME",
            defaultValue = "20s",
            description = "Load after --disturb has ended, until --heal begins. Default: 20s.")
    private Duration watch = Duration.ZERO;

    @Option(
            names = "--threshold",
            paramLabel = "EXPR",
            description =
                    "End with 2 unless a figure of all disturbances together is such: 'beginlessMillis.max<3000'. May be "
                            + "repeated. Another one names all figures.")
    private List<String> thresholds = new ArrayList<>();

    @Override
    public Integer call() throws IOException {
        if (times < 1) throw new IllegalArgumentException("--times must be 1 or more, but is " + times + ".");
        List<Threshold> wanted = thresholds.stream()
                .map(text -> Threshold.parse(text, DisturbanceReport.FIGURES))
                .toList();
        LoadPlan plan = load.planUntilStopped();
        PrintWriter out = spec.commandLine().getOut();
        try (ContinuousLoad endurance = ContinuousLoad.begin(plan)) {
            pause(plan.amount().warmup(), endurance);
            List<DisturbanceReport.Seen> all = new ArrayList<>();
            for (int i = 1; i <= times; i++) {
                DisturbanceReport.Seen seen = disturbed(endurance);
                all.add(seen);
                say(out, "%d: %s", i, DisturbanceReport.text(seen.outage(), plan.wiring()));
                if (heal != null) run(heal);
            }
            Measurements measured = endurance.end();
            DisturbanceReport noticed =
                    new DisturbanceReport(all, new LatencyRecovery(measured.series()), (int) calm.toSeconds());
            report(out, noticed, measured.counts());
            Map<String, Double> figures = noticed.figures();
            List<Threshold.Outcome> outcomes = wanted.stream()
                    .map(threshold -> threshold.judge(figures.get(threshold.figure())))
                    .toList();
            outcomes.forEach(outcome -> say(out, "%s", outcome.text()));
            Verification verification = endurance.verify();
            verification.mismatches().forEach(out::println);
            if (verification.verified()) say(out, "Verified: alpha, the books and the participants agree.");
            out.flush();
            if (!verification.verified()) return UNVERIFIED;
            return outcomes.stream().allMatch(Threshold.Outcome::met) ? 0 : MISSED;
        }
    }

    private DisturbanceReport.Seen disturbed(ContinuousLoad endurance) throws IOException {
        pause(calm, endurance);
        int from = endurance.watch();
        run(disturb);
        pause(watch, endurance);
        return new DisturbanceReport.Seen(endurance.outage(), from, endurance.second());
    }

    private void report(PrintWriter out, DisturbanceReport noticed, OutcomeCounts counts) {
        noticed.lines().forEach(line -> say(out, "%s", line));
        say(
                out,
                "%,d sagas begun, %,d committed, %,d compensated, %,d suspended, %,d unknown.",
                counts.started(),
                counts.committed(),
                counts.compensated(),
                counts.suspended(),
                counts.unknown());
    }

    private static void run(String command) throws IOException {
        Process process = new ProcessBuilder("sh", "-c", command)
                .redirectOutput(ProcessBuilder.Redirect.to(new File("/dev/null")))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        int code = process.onExit().join().exitValue();
        if (code != 0) throw new IllegalArgumentException("'%s' ended with %d.".formatted(command, code));
    }

    private static void pause(Duration time, ContinuousLoad endurance) {
        long until = System.nanoTime() + time.toNanos();
        CountDownLatch never = new CountDownLatch(1);
        try {
            for (long left = time.toNanos(); left > 0; left = until - System.nanoTime()) {
                boolean unused = never.await(Math.min(left, LOOK_EVERY.toNanos()), TimeUnit.NANOSECONDS);
                if (endurance.isOver()) {
                    throw new IllegalArgumentException("The load has ended: no alpha could be reached for a minute.");
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void say(PrintWriter out, String format, Object... of) {
        out.printf(Locale.ROOT, format + "%n", of);
        out.flush();
    }
}
