package io.alphaomega.benchmark.report;

import io.alphaomega.benchmark.measure.Latency;
import io.alphaomega.benchmark.measure.Measurements;
import io.alphaomega.benchmark.measure.OutcomeCounts;
import io.alphaomega.benchmark.measure.Verification;
import io.alphaomega.benchmark.plan.LoadPlan;
import io.alphaomega.benchmark.report.CpuMeter.Reading;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/** Runs that never were: the same figures every time. */
final class Samples {
    static final Instant BEGIN = Instant.parse("2026-11-20T13:40:12Z");
    static final LoadPlan PLAN = LoadPlan.against(List.of("127.0.0.1:8071"))
            .with(LoadPlan.Amount.lasting(Duration.ofSeconds(20)).afterWarmup(Duration.ofSeconds(10)))
            .with(LoadPlan.Pace.atATime(200));
    static final LoadPlan OPEN_PLAN = PLAN.with(LoadPlan.Pace.perSecond(5_000, 10_000));
    static final String COMMAND =
            "alpha-benchmark run --address 127.0.0.1:8071 -c 200 --duration 20s --warmup 10s --store-pid 4211";
    static final AlphaNode ALPHA = alpha("127.0.0.1:8090");
    static final Machine MACHINE = new Machine(
            "1.0.0",
            "AMD EPYC",
            2,
            24L << 30,
            "Linux 6.18.44 amd64",
            "OpenJDK 64-Bit Server VM 25.0.1+8-LTS",
            List.of("-Xms64m"),
            List.of(0.75, 0.76, 1.3));
    static final Verification AGREES = new Verification(
            List.of("started = committed + compensated + suspended + unknown", "alpha counts the same"), List.of());
    static final Verification DIFFERS =
            new Verification(List.of(), List.of("alpha counts 3 committed sagas less than </script> the generator"));

    private Samples() {}

    static AlphaNode alpha(String address) {
        return new AlphaNode(
                address,
                "1.0.0",
                "redis",
                "PROCESS_CRASH",
                "appendonly=yes appendfsync=everysec maxmemory-policy=noeviction",
                "OpenJDK 64-Bit Server VM 25.0.1+8-LTS",
                List.of("-Xms64m", "-XX:+ExitOnOutOfMemoryError"),
                2,
                612L << 20,
                null);
    }

    /** @param seconds of 1,000 sagas each, of which one in 20 is compensated, and 8 inputs per saga */
    static Measurements measured(int seconds, boolean open) {
        Random random = new Random(7);
        Histogram acks = new Histogram(3);
        Histogram sagas = new Histogram(3);
        List<Measurements.Second> series = new ArrayList<>();
        for (int second = 0; second < seconds; second++) {
            double slow = second == seconds / 2 ? 4 : second == 0 ? 2 : 1;
            Histogram ack = lognormal(random, 8_000, 300 * slow);
            Histogram saga = lognormal(random, 1_000, 2_500 * slow);
            acks.add(ack);
            sagas.add(saga);
            series.add(new Measurements.Second(second, 1_000, 1_000, 0, Latency.of(ack), Latency.of(saga)));
        }
        long ended = seconds * 1_000L;
        return new Measurements(
                new OutcomeCounts(ended, ended - ended / 20, ended / 20, 0, 0, 0),
                Latency.of(acks),
                Latency.of(sagas),
                open ? Latency.of(lognormal(random, (int) ended, 2_000)) : Latency.NONE,
                series,
                BEGIN,
                BEGIN.plusSeconds(seconds),
                0,
                seconds * 620.0);
    }

    private static Histogram lognormal(Random random, int count, double medianMicros) {
        Histogram histogram = new Histogram(3);
        for (int i = 0; i < count; i++) {
            histogram.recordValue(Math.round(medianMicros * Math.exp(0.5 * random.nextGaussian())));
        }
        return histogram;
    }

    /** 0.85 cores of alpha, 0.22 of the store, 0.62 of the generator, and a bit more or less in each second. */
    static CpuUse use(int seconds) {
        Random random = new Random(7);
        List<Reading> readings = new ArrayList<>();
        double alpha = 10;
        double store = 20;
        double generator = 30;
        for (int second = 0; second <= seconds; second++) {
            readings.add(new Reading(
                    second * 1_000_000_000L,
                    List.of(alpha * 2 / 3, alpha / 3),
                    store,
                    generator,
                    Map.of(1L, second * 410_000_000L),
                    new Machine.Ticks(second * 180L, 0, second * 200L)));
            alpha += 0.85 + random.nextGaussian() / 50;
            store += 0.22 + random.nextGaussian() / 50;
            generator += 0.62 + random.nextGaussian() / 50;
        }
        return new CpuUse(readings);
    }

    static Findings found(Measurements measured, Verification verification, List<Report.Agent> agents) {
        return new Findings(
                measured,
                verification,
                agents,
                use((int) measured.seconds()),
                Map.of(Cpu.ALPHA, 612L << 20, Cpu.STORE, 870L << 20, Cpu.GENERATOR, 298L << 20));
    }

    static Report closedLoop(@Nullable String label) {
        return report(label, PLAN, found(measured(20, false), AGREES, List.of()), List.of());
    }

    static Report report(@Nullable String label, LoadPlan plan, Findings found, List<Threshold> thresholds) {
        return Report.of(label, new Report.Setup(BEGIN, COMMAND, plan, MACHINE, List.of(ALPHA)), found, thresholds);
    }
}
