package io.alphaomega.benchmark;

import io.alphaomega.benchmark.load.Load;
import io.alphaomega.benchmark.measure.Measurements;
import io.alphaomega.benchmark.measure.Progress;
import io.alphaomega.benchmark.measure.Verification;
import io.alphaomega.benchmark.plan.LoadPlan;
import io.alphaomega.benchmark.plan.RateSearch;
import java.io.PrintWriter;
import java.time.Clock;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.HdrHistogram.Histogram;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The command {@code search}: open loops at one rate after the other. */
@Command(
        name = "search",
        mixinStandardHelpOptions = true,
        description = {
            "Finds the highest rate that alpha keeps with a given p99 of whole sagas: doubles it, then halves the distance.",
            "Each rate is an open loop for --duration (10s unless given) after --warmup. Ends with 2 if not even the first is kept, "
                    + "3 if a run could not be verified."
        })
final class SearchCommand implements Callable<Integer> {
    private static final Duration PROBE = Duration.ofSeconds(10);

    /** At most a moment's worth of sagas is still under way when a probe ends. */
    private static final double KEPT_SHARE = 0.97;

    private static final int MISSED = 2;
    private static final int UNVERIFIED = 3;
    private static final double MICROS_PER_MILLI = 1_000;

    @Spec
    @SuppressWarnings("NullAway.Init") // By picocli.
    private CommandSpec spec;

    @Mixin
    private LoadOptions load = new LoadOptions();

    @Option(
            names = "--p99",
            paramLabel = "TIME",
            defaultValue = "50ms",
            description = "What the 99th percentile of a saga's time, from the moment it should have begun, may be."
                    + " Default: 50ms.")
    private Duration p99 = Duration.ZERO;

    @Option(names = "--from", paramLabel = "RATE", defaultValue = "200", description = "Tried first. Default: 200.")
    private double from;

    @Option(
            names = "--most",
            paramLabel = "RATE",
            defaultValue = "100000",
            description = "Not exceeded. Default: 100000.")
    private double most;

    @Option(
            names = "--precision",
            paramLabel = "0..1",
            defaultValue = "0.05",
            description = "How near to the limit it ends. Default: 0.05.")
    private double precision;

    @Override
    public Integer call() {
        PrintWriter out = spec.commandLine().getOut();
        RateSearch search = new RateSearch(from, most, precision);
        while (!search.isOver()) {
            LoadPlan plan = load.planAt(search.next(), PROBE);
            Measurements measured;
            Verification verification;
            try (Load probe = Load.connect(plan, Clock.systemUTC(), Progress.UNSEEN)) {
                measured = probe.run();
                verification = probe.verify(true);
            }
            boolean kept = isKept(measured, search.next());
            print(out, search.next(), measured, kept);
            if (!verification.verified()) {
                verification.mismatches().forEach(out::println);
                out.flush();
                return UNVERIFIED;
            }
            search.tell(kept);
        }
        out.printf(
                Locale.ROOT,
                search.kept() > 0
                        ? "The highest rate kept with a p99 of %d ms or less: %,.0f sagas/s.%n"
                        : "No rate was kept with a p99 of %d ms or less, not even %2$,.0f sagas/s: try a lower --from.%n",
                p99.toMillis(),
                search.kept() > 0 ? search.kept() : from);
        out.flush();
        return search.kept() > 0 ? 0 : MISSED;
    }

    private boolean isKept(Measurements measured, double rate) {
        double share = measured.seconds() == 0 ? 0 : measured.counts().settled() / measured.seconds() / rate;
        return share >= KEPT_SHARE
                && measured.errors() == 0
                && measured.saga().percentileMillis(99) <= p99.toNanos() / 1e6;
    }

    private static void print(PrintWriter out, double rate, Measurements measured, boolean kept) {
        Histogram saga = measured.saga().micros();
        out.printf(
                Locale.ROOT,
                "%,9.0f/s asked: %,9.0f/s ended, p50 %,.1f ms, p99 %,.1f ms, %d errors: %s%n",
                rate,
                measured.throughput(),
                saga.getValueAtPercentile(50) / MICROS_PER_MILLI,
                saga.getValueAtPercentile(99) / MICROS_PER_MILLI,
                measured.errors(),
                kept ? "kept" : "not kept");
        out.flush();
    }
}
