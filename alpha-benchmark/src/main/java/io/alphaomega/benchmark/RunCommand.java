package io.alphaomega.benchmark;

import io.alphaomega.benchmark.load.AlphaApi;
import io.alphaomega.benchmark.load.Latency;
import io.alphaomega.benchmark.load.Load;
import io.alphaomega.benchmark.load.Measurements;
import io.alphaomega.benchmark.load.Plan;
import io.alphaomega.benchmark.load.Progress;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.HdrHistogram.Histogram;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The command {@code run}: one load, its figures, and whether they are true. */
@Command(name = "run", mixinStandardHelpOptions = true, description = "Runs sagas and measures them.")
final class RunCommand implements Callable<Integer> {
    @Spec
    @SuppressWarnings("NullAway.Init") // By picocli.
    private CommandSpec spec;

    @Mixin
    private LoadOptions load = new LoadOptions();

    @Option(names = "--store-pid", paramLabel = "PID", description = "The store's process on this machine.")
    private long storePid;

    @Override
    public Integer call() throws Exception {
        Plan plan = load.plan();
        PrintWriter out = spec.commandLine().getOut();
        try (AlphaApi api = new AlphaApi(plan.http())) {
            Meter meter = new Meter(api, storePid);
            Measurements measured = Load.run(plan, meter);
            print(out, measured, meter);
        }
        return 0;
    }

    private static void print(PrintWriter out, Measurements measured, Meter meter) {
        double ended = Math.max(1, measured.counts().ended());
        out.printf(Locale.ROOT, "%s%n", measured.counts());
        out.printf(
                Locale.ROOT,
                "%,.0f sagas/s over %.1f s, %d errors%n",
                measured.throughput(),
                measured.seconds(),
                measured.errors());
        line(out, "saga ms", measured.saga());
        line(out, "saga ms, uncorrected", measured.sagaUncorrected());
        line(out, "ack ms", measured.ack());
        out.printf(
                Locale.ROOT,
                "CPU-ms per saga: alpha %.4f, store %.4f, generator %.4f%n",
                meter.alpha / ended,
                meter.store / ended,
                measured.generatorCpuMillis() / ended);
        out.flush();
    }

    private static void line(PrintWriter out, String what, Latency latency) {
        Histogram micros = latency.micros();
        if (micros.getTotalCount() == 0) return;
        out.printf(
                Locale.ROOT,
                "%-20s p50 %.2f  p90 %.2f  p99 %.2f  p99.9 %.2f  max %.2f%n",
                what,
                micros.getValueAtPercentile(50) / 1e3,
                micros.getValueAtPercentile(90) / 1e3,
                micros.getValueAtPercentile(99) / 1e3,
                micros.getValueAtPercentile(99.9) / 1e3,
                micros.getMaxValue() / 1e3);
    }

    /** Plain lines, and processor time from the begin of the measurement to its end. */
    private static final class Meter implements Progress {
        private final AlphaApi api;
        private final long storePid;
        double alpha = Double.NaN;
        double store = Double.NaN;

        Meter(AlphaApi api, long storePid) {
            this.api = api;
            this.storePid = storePid;
        }

        @Override
        public void show(Snapshot now) {
            System.err.printf(
                    Locale.ROOT,
                    "%s %.1f s: %,d ended, %,.0f/s, %d open, %d errors%n",
                    now.phase(),
                    now.elapsed().toMillis() / 1e3,
                    now.counts().ended(),
                    now.rate(),
                    now.open(),
                    now.errors());
        }

        @Override
        public void entered(Phase phase) {
            if (phase != Phase.MEASURING && phase != Phase.SETTLING) return;
            double sign = phase == Phase.MEASURING ? -1 : 1;
            try {
                alpha = (sign < 0 ? 0 : alpha) + sign * api.cpuMillis();
                if (storePid > 0) store = (sign < 0 ? 0 : store) + sign * storeMillis();
            } catch (AlphaApi.ApiException | IOException e) {
                System.err.println(e.getMessage());
            }
        }

        private double storeMillis() throws IOException {
            String[] fields = Files.readString(Path.of("/proc/" + storePid + "/stat"))
                    .replaceFirst("^.*\\) ", "")
                    .split(" ", -1);
            return (Long.parseLong(fields[11]) + Long.parseLong(fields[12])) * 10;
        }
    }
}
