package io.alphaomega.server.bench;

import io.alphaomega.server.meters.Histograms;
import io.micrometer.core.instrument.Timer;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** What it costs to record one time, and to ask for it; with {@code -t 2} while another thread does the same. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class TimerBenchmark {
    private final Timer histogram =
            Histograms.ofWaits("input").register(new PrometheusMeterRegistry(PrometheusConfig.DEFAULT));

    private final Timer summary =
            Timer.builder("input").register(new PrometheusMeterRegistry(PrometheusConfig.DEFAULT));

    /** Some milliseconds each, as under load: no two in the same bucket for long. */
    @State(Scope.Thread)
    public static class Waits {
        private static final int NANOS_MAX = 20_000_000;

        private final long[] nanos =
                new SplittableRandom(1).longs(256, 0, NANOS_MAX).toArray();
        private int next;

        long next() {
            next = (next + 1) % nanos.length;
            return nanos[next];
        }
    }

    @Benchmark
    public void histogram(Waits waits) {
        histogram.record(waits.next(), TimeUnit.NANOSECONDS);
    }

    @Benchmark
    public void summary(Waits waits) {
        summary.record(waits.next(), TimeUnit.NANOSECONDS);
    }

    @Benchmark
    public long time() {
        return System.nanoTime();
    }
}
