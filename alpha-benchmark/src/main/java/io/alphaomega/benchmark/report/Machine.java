package io.alphaomega.benchmark.report;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Where the generator ran.
 *
 * @param version of alpha-benchmark
 * @param cpu the model; empty where the system does not say
 * @param jvmOptions those that begin with -X
 * @param loadAverage of 1, 5 and 15 minutes, before the run; empty where the system does not say
 */
record Machine(
        String version,
        String cpu,
        int cores,
        long memoryBytes,
        String kernel,
        String jvm,
        List<String> jvmOptions,
        List<Double> loadAverage) {
    private static final Path PROC = Path.of("/proc");

    static Machine now() {
        String version = Machine.class.getPackage().getImplementationVersion();
        return new Machine(
                version == null ? "not packaged" : version,
                lines(PROC.resolve("cpuinfo"))
                        .filter(line -> line.startsWith("model name"))
                        .map(line -> line.substring(line.indexOf(':') + 1).trim())
                        .findFirst()
                        .orElse(""),
                Runtime.getRuntime().availableProcessors(),
                system().getTotalMemorySize(),
                System.getProperty("os.name") + " " + System.getProperty("os.version") + " "
                        + System.getProperty("os.arch"),
                System.getProperty("java.vm.name") + " " + Runtime.version(),
                ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                        .filter(argument -> argument.startsWith("-X"))
                        .toList(),
                lines(PROC.resolve("loadavg"))
                        .flatMap(line -> Arrays.stream(line.split(" ", -1)).limit(3))
                        .map(Double::valueOf)
                        .toList());
    }

    static OperatingSystemMXBean system() {
        return ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
    }

    /**
     * What all processors did so far, in ticks.
     *
     * @param stolen that the hypervisor gave to others
     */
    record Ticks(long busy, long stolen, long all) {
        /** The first line of /proc/stat: user nice system idle iowait irq softirq steal. */
        static @Nullable Ticks now() {
            return lines(PROC.resolve("stat")).findFirst().map(Ticks::of).orElse(null);
        }

        private static Ticks of(String line) {
            long[] fields = Arrays.stream(line.split(" +", -1))
                    .skip(1)
                    .limit(8)
                    .mapToLong(Long::parseLong)
                    .toArray();
            long all = Arrays.stream(fields).sum();
            long idle = fields[3] + fields[4];
            long stolen = fields.length > 7 ? fields[7] : 0;
            return new Ticks(all - idle - stolen, stolen, all);
        }
    }

    private static Stream<String> lines(Path file) {
        try {
            return Files.readAllLines(file).stream();
        } catch (IOException e) {
            return Stream.of();
        }
    }
}
