package io.alphaomega.benchmark.report;

import io.alphaomega.benchmark.report.CpuMeter.Reading;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/** What was used between the first reading and the last. */
record CpuUse(List<Reading> readings) {
    private static final double NANOS_PER_SECOND = 1e9;

    /** 0 unless there are two readings. */
    double seconds() {
        return readings.size() < 2 ? 0 : seconds(readings.getFirst(), readings.getLast());
    }

    /** Processor time in seconds; null where it could not be read. */
    @Nullable
    Double of(String role) {
        return used(reading -> reading.of(role));
    }

    /** The same of one alpha. */
    @Nullable
    Double ofNode(int number) {
        return used(reading -> reading.alphas().get(number));
    }

    private @Nullable Double used(ToDoubleFunction<Reading> of) {
        if (readings.size() < 2) return null;
        double used = of.applyAsDouble(readings.getLast()) - of.applyAsDouble(readings.getFirst());
        return Double.isFinite(used) && used >= 0 ? used : null;
    }

    /** Cores in use in each second of the measurement, from its begin; null where it could not be read. */
    List<@Nullable Double> cores(String role) {
        List<@Nullable Double> cores = new ArrayList<>();
        for (int second = 0; second < Math.ceil(seconds()); second++) cores.add(coresIn(second, role));
        return cores;
    }

    private @Nullable Double coresIn(int second, String role) {
        long middle = readings.getFirst().nanos() + (long) ((second + 0.5) * NANOS_PER_SECOND);
        for (int i = 1; i < readings.size(); i++) {
            Reading before = readings.get(i - 1);
            Reading after = readings.get(i);
            if (after.nanos() < middle) continue;
            double cores = (after.of(role) - before.of(role)) / seconds(before, after);
            return Double.isFinite(cores) ? FigureText.rounded(cores, 3) : null;
        }
        return null;
    }

    /** The share of its time that the busiest thread of the generator ran; 0 if nobody knows. */
    double busiestThread() {
        if (readings.size() < 2) return 0;
        Reading first = readings.getFirst();
        long most = 0;
        for (var thread : readings.getLast().threadNanos().entrySet()) {
            most = Math.max(most, thread.getValue() - first.threadNanos().getOrDefault(thread.getKey(), 0L));
        }
        return most / NANOS_PER_SECOND / seconds();
    }

    /** The share of what the machine could have done that it did; 0 if nobody knows. */
    double machineBusy() {
        Machine.Ticks ticks = machine();
        return ticks.all() - ticks.stolen() == 0 ? 0 : (double) ticks.busy() / (ticks.all() - ticks.stolen());
    }

    /**
     * Cores that were busy with neither the generator nor alpha nor its store, at least: the last two may be elsewhere. 0
     * if nobody knows.
     */
    double coresOfOthers() {
        Machine.Ticks ticks = machine();
        if (ticks.all() == 0) return 0;
        double ours = 0;
        for (String role : List.of(Cpu.ALPHA, Cpu.STORE, Cpu.GENERATOR)) {
            Double used = of(role);
            if (used != null) ours += used;
        }
        return Math.max(0, (ticks.busy() / ProcessTree.TICKS_PER_SECOND - ours) / seconds());
    }

    /** The share of its time that the hypervisor gave to others. */
    double machineStolen() {
        Machine.Ticks ticks = machine();
        return ticks.all() == 0 ? 0 : (double) ticks.stolen() / ticks.all();
    }

    private Machine.Ticks machine() {
        Machine.Ticks none = new Machine.Ticks(0, 0, 0);
        if (readings.size() < 2) return none;
        Machine.Ticks first = readings.getFirst().machine();
        Machine.Ticks last = readings.getLast().machine();
        if (first == null || last == null) return none;
        return new Machine.Ticks(last.busy() - first.busy(), last.stolen() - first.stolen(), last.all() - first.all());
    }

    private static double seconds(Reading first, Reading last) {
        return (last.nanos() - first.nanos()) / NANOS_PER_SECOND;
    }
}
