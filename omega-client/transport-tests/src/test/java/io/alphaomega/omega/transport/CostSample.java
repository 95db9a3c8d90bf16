package io.alphaomega.omega.transport;

import com.sun.management.OperatingSystemMXBean;
import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * What something takes that is done many times, one after the other.
 *
 * @param micros the median of one time
 * @param cpuMicros processor time of the whole process, by the number of times
 * @param bytes what all threads of the process have allocated, by the number of times
 */
record CostSample(double micros, double cpuMicros, double bytes) {
    private static final double NANOS_PER_MICRO = 1e3;

    static CostSample of(int times, Runnable what) {
        OperatingSystemMXBean process = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
        ThreadMXBean threads = ManagementFactory.getPlatformMXBean(ThreadMXBean.class);
        long[] nanos = new long[times];
        long cpu = process.getProcessCpuTime();
        long allocated = threads.getTotalThreadAllocatedBytes();
        for (int i = 0; i < times; i++) {
            long begin = System.nanoTime();
            what.run();
            nanos[i] = System.nanoTime() - begin;
        }
        return new CostSample(
                median(nanos) / NANOS_PER_MICRO,
                (process.getProcessCpuTime() - cpu) / NANOS_PER_MICRO / times,
                (double) (threads.getTotalThreadAllocatedBytes() - allocated) / times);
    }

    private static double median(long[] values) {
        Arrays.sort(values);
        return values[values.length / 2];
    }

    /** Of each figure by itself. */
    static CostSample median(List<CostSample> samples) {
        return new CostSample(
                median(samples, CostSample::micros),
                median(samples, CostSample::cpuMicros),
                median(samples, CostSample::bytes));
    }

    private static double median(List<CostSample> samples, ToDoubleFunction<CostSample> figure) {
        return samples.stream().mapToDouble(figure).sorted().toArray()[samples.size() / 2];
    }

    CostSample minus(CostSample other) {
        return new CostSample(micros - other.micros, cpuMicros - other.cpuMicros, bytes - other.bytes);
    }

    CostSample by(int number) {
        return new CostSample(micros / number, cpuMicros / number, bytes / number);
    }

    @Override
    public String toString() {
        return micros + " " + cpuMicros + " " + bytes;
    }

    static CostSample parse(String text) {
        String[] figures = text.split(" ", -1);
        return new CostSample(
                Double.parseDouble(figures[0]), Double.parseDouble(figures[1]), Double.parseDouble(figures[2]));
    }
}
