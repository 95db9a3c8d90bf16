package io.alphaomega.benchmark.report;

import io.alphaomega.benchmark.measure.Progress;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Reads processor time while a load runs: at the begin and the end of the measurement, and once a second between them
 * for the curves. On a thread of its own, as a busy alpha may answer late.
 */
final class CpuMeter implements Progress, AutoCloseable {
    private static final double NANOS_PER_SECOND = 1e9;

    /** An answer of alpha that takes longer than this is not worth waiting for; see {@link Actuator}. */
    private static final long LAST_READING_SECONDS = 20;

    private final List<Actuator> alphas;
    private final @Nullable ProcessTree store;
    private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    private final ScheduledExecutorService reader = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("cpu-meter").factory());
    private final List<Reading> readings = new ArrayList<>();
    private volatile boolean measuring;

    CpuMeter(List<Actuator> alphas, @Nullable ProcessTree store) {
        this.alphas = alphas;
        this.store = store;
    }

    /**
     * All in seconds of processor time since each began; NaN where nobody says.
     *
     * @param alphas of each node, in the order of --http
     */
    record Reading(
            long nanos,
            List<Double> alphas,
            double store,
            double generator,
            Map<Long, Long> threadNanos,
            Machine.@Nullable Ticks machine) {
        double of(String role) {
            return switch (role) {
                case Cpu.ALPHA ->
                    alphas.isEmpty()
                            ? Double.NaN
                            : alphas.stream().mapToDouble(Double::doubleValue).sum();
                case Cpu.STORE -> store;
                case Cpu.GENERATOR -> generator;
                default -> throw new IllegalArgumentException(role);
            };
        }
    }

    @Override
    public void show(Snapshot snapshot) {}

    @Override
    public void entered(Phase phase) {
        switch (phase) {
            case CONNECTING, OPENING, WARMING_UP -> {}
            case MEASURING -> {
                measuring = true;
                var unused = reader.scheduleAtFixedRate(this::readWhileMeasuring, 0, 1, TimeUnit.SECONDS);
            }
            case SETTLING -> endMeasuring();
        }
    }

    private void endMeasuring() {
        if (!measuring) return;
        measuring = false;
        try {
            reader.execute(this::read);
            reader.shutdown();
        } catch (RejectedExecutionException e) {
            // It had ended before.
        }
    }

    private void readWhileMeasuring() {
        if (measuring) read();
    }

    private void read() {
        long before = System.nanoTime();
        List<Double> nodes = alphas.stream().map(Actuator::cpuSeconds).toList();
        long after = System.nanoTime();
        Map<Long, Long> threadNanos = new HashMap<>();
        for (long id : threads.getAllThreadIds()) threadNanos.put(id, threads.getThreadCpuTime(id));
        Reading reading = new Reading(
                before + (after - before) / 2,
                nodes,
                store == null ? Double.NaN : store.cpuSeconds(),
                Machine.system().getProcessCpuTime() / NANOS_PER_SECOND,
                threadNanos,
                Machine.Ticks.now());
        synchronized (readings) {
            readings.add(reading);
        }
    }

    /** What was read until the end of the measurement, the first one at its begin; fewer than two tell nothing. */
    List<Reading> readings() {
        endMeasuring();
        try {
            boolean unused = reader.awaitTermination(LAST_READING_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        synchronized (readings) {
            return List.copyOf(readings);
        }
    }

    @Override
    public void close() {
        reader.shutdownNow();
    }
}
