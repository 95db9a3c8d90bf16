package io.alphaomega.benchmark;

import io.alphaomega.benchmark.load.Endurance;
import io.alphaomega.benchmark.load.Measurements;
import io.alphaomega.benchmark.load.Outage;
import io.alphaomega.benchmark.load.Plan;
import io.alphaomega.benchmark.load.Verification;
import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
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
            "For example --disturb 'scripts/cluster kill 1' --heal 'scripts/cluster heal'. Ends with 3 if what became of "
                    + "the sagas could not be verified."
        })
final class DisturbCommand implements Callable<Integer> {
    private static final int UNVERIFIED = 3;

    /** A shard that answers nothing for longer although it is asked stands still. */
    private static final Duration STILL = Duration.ofSeconds(1);

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

    /** One disturbance, and the seconds of the measurement in which it was watched. */
    private record Seen(Outage outage, int from, int to) {}

    @Override
    public Integer call() throws IOException {
        if (times < 1) throw new IllegalArgumentException("--times must be 1 or more, but is " + times + ".");
        Plan plan = load.planUntilStopped();
        PrintWriter out = spec.commandLine().getOut();
        try (Endurance endurance = Endurance.begin(plan)) {
            pause(plan.amount().warmup(), endurance);
            List<Seen> all = new ArrayList<>();
            for (int i = 1; i <= times; i++) {
                Seen seen = disturbed(endurance);
                all.add(seen);
                say(out, "%d: %s", i, text(seen.outage(), plan));
                if (heal != null) run(heal);
            }
            Measurements measured = endurance.end();
            report(out, all, measured);
            Verification verification = endurance.verify();
            verification.mismatches().forEach(out::println);
            if (verification.verified()) say(out, "Verified: alpha, the books and the participants agree.");
            out.flush();
            return verification.verified() ? 0 : UNVERIFIED;
        }
    }

    private Seen disturbed(Endurance endurance) throws IOException {
        pause(calm, endurance);
        int from = endurance.watch();
        run(disturb);
        pause(watch, endurance);
        return new Seen(endurance.outage(), from, endurance.second());
    }

    private static String text(Outage outage, Plan plan) {
        List<Duration> still = outage.still(STILL);
        String shards = still.isEmpty()
                ? "no shard stood still for longer than " + STILL.toSeconds() + " s"
                : "%d of %d shards stood still for longer than %d s, at most for %s"
                        .formatted(still.size(), outage.shards().size(), STILL.toSeconds(), seconds(still.getLast()));
        String streams = outage.lost() == 0
                ? "no stream was lost"
                : "%d streams were lost of %d, and %s"
                        .formatted(
                                outage.lost(),
                                plan.wiring().services() * plan.wiring().connections(),
                                outage.missing() > 0
                                        ? outage.missing() + " are not back"
                                        : "all were back after %s, %s after the first of them"
                                                .formatted(seconds(outage.missingFor()), seconds(outage.comingBack())));
        return "no saga was begun for at most %s; %s; %s.".formatted(seconds(outage.withoutBegin()), shards, streams);
    }

    private void report(PrintWriter out, List<Seen> all, Measurements measured) {
        List<Duration> still = all.stream()
                .flatMap(each -> each.outage().still(STILL).stream())
                .sorted()
                .toList();
        say(
                out,
                "%d times: no saga was begun for at most %s.",
                all.size(),
                seconds(longest(all.stream().map(each -> each.outage().withoutBegin()))));
        say(
                out,
                still.isEmpty() ? "No shard stood still." : "%d times a shard stood still: p50 %s, p95 %s, max %s.",
                still.size(),
                seconds(percentile(still, 50)),
                seconds(percentile(still, 95)),
                seconds(percentile(still, 100)));
        say(
                out,
                "All streams were back after at most %s.",
                seconds(longest(all.stream().map(each -> each.outage().missingFor()))));
        Settling settling = new Settling(measured.series());
        for (Seen each : all) {
            double before = settling.p99(each.from() - (int) calm.toSeconds(), (int) calm.toSeconds());
            int settled = settling.settledAfter(each.from(), each.to(), before);
            say(
                    out,
                    settled < 0
                            ? "The p99 of a saga was %.1f ms before, and had not settled after %3$d s: then it was %4$.1f ms."
                            : "The p99 of a saga was %.1f ms before, and settled %d s after; %3$d s after it was %4$.1f ms.",
                    before,
                    settled,
                    each.to() - each.from(),
                    settling.p99(each.to() - Settling.SECONDS, Settling.SECONDS));
        }
        say(
                out,
                "%,d sagas begun, %,d committed, %,d compensated, %,d suspended, %,d unknown.",
                measured.counts().started(),
                measured.counts().committed(),
                measured.counts().compensated(),
                measured.counts().suspended(),
                measured.counts().unknown());
    }

    private static Duration longest(Stream<Duration> all) {
        return all.max(Duration::compareTo).orElse(Duration.ZERO);
    }

    /** Of sorted ones. */
    static Duration percentile(List<Duration> sorted, int percent) {
        if (sorted.isEmpty()) return Duration.ZERO;
        return sorted.get(Math.max(0, (int) Math.ceil(percent / 100.0 * sorted.size()) - 1));
    }

    private static String seconds(Duration duration) {
        return String.format(Locale.ROOT, "%.1f s", duration.toMillis() / 1e3);
    }

    private static void run(String command) throws IOException {
        Process process = new ProcessBuilder("sh", "-c", command)
                .redirectOutput(ProcessBuilder.Redirect.to(new File("/dev/null")))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        int code = process.onExit().join().exitValue();
        if (code != 0) throw new IllegalArgumentException("'%s' ended with %d.".formatted(command, code));
    }

    private static void pause(Duration time, Endurance endurance) {
        long until = System.nanoTime() + time.toNanos();
        CountDownLatch never = new CountDownLatch(1);
        try {
            for (long left = time.toNanos(); left > 0; left = until - System.nanoTime()) {
                boolean unused = never.await(Math.min(left, STILL.toNanos()), TimeUnit.NANOSECONDS);
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
