package io.alphaomega.benchmark.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * Processes of this machine with all their children: a database may have one for each connection. Read from /proc, see
 * proc(5).
 */
final class ProcessTree {
    /** USER_HZ, which every Linux that Java runs on has. */
    static final double TICKS_PER_SECOND = 100;

    /** The fields of /proc/PID/stat after the name, which may hold anything, and its parenthesis. */
    private static final int USER_TIME = 11;

    private static final int CHILDREN_SYSTEM_TIME = 14;

    private static final Path PROC = Path.of("/proc");

    private final List<Long> roots;

    ProcessTree(List<Long> roots) {
        this.roots = List.copyOf(roots);
    }

    /** @throws IllegalArgumentException with a sentence if one of them cannot be read */
    void check() {
        for (long pid : roots) {
            if (!Files.isReadable(PROC.resolve(pid + "/stat"))) {
                throw new IllegalArgumentException(
                        "--store-pid must be processes of this machine, but there is none with the id " + pid
                                + " under /proc: leave the option away, or run the generator where the store is.");
            }
        }
    }

    /** Processor time of all, with that of children that have ended. One that is gone counts no more. */
    double cpuSeconds() {
        return all().mapToDouble(ProcessTree::cpuSecondsOf).sum();
    }

    long residentBytes() {
        return all().mapToLong(ProcessTree::residentBytesOf).sum();
    }

    private Stream<Long> all() {
        return roots.stream()
                .flatMap(pid -> ProcessHandle.of(pid).stream())
                .flatMap(process -> Stream.concat(Stream.of(process), process.descendants()))
                .map(ProcessHandle::pid)
                .distinct();
    }

    private static double cpuSecondsOf(long pid) {
        try {
            String stat = Files.readString(PROC.resolve(pid + "/stat"));
            String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
            long ticks = 0;
            for (int field = USER_TIME; field <= CHILDREN_SYSTEM_TIME; field++) ticks += Long.parseLong(fields[field]);
            return ticks / TICKS_PER_SECOND;
        } catch (IOException | RuntimeException e) {
            return 0;
        }
    }

    static long residentBytesOf(long pid) {
        try (Stream<String> lines = Files.lines(PROC.resolve(pid + "/status"))) {
            return lines.filter(line -> line.startsWith("VmRSS:"))
                    .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) * 1024)
                    .sum();
        } catch (IOException | RuntimeException e) {
            return 0;
        }
    }
}
