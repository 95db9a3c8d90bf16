package io.alphaomega.server.health;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The JVM that this node is, for those who compare nodes or measure them.
 *
 * @param jvmOptions those that begin with -X; others may hold secrets
 * @param cores that the JVM may use
 * @param residentBytes of memory, now; null where the system does not say
 */
record JvmProcess(
        long pid,
        String jvm,
        List<String> jvmOptions,
        int cores,
        @Nullable Long residentBytes) {
    private static final Path STATUS = Path.of("/proc/self/status");
    private static final String RESIDENT = "VmRSS:";

    static JvmProcess now() {
        return new JvmProcess(
                ProcessHandle.current().pid(),
                System.getProperty("java.vm.name") + " " + Runtime.version(),
                ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                        .filter(argument -> argument.startsWith("-X"))
                        .toList(),
                Runtime.getRuntime().availableProcessors(),
                residentNow());
    }

    private static @Nullable Long residentNow() {
        try (var lines = Files.lines(STATUS)) {
            return lines.filter(line -> line.startsWith(RESIDENT))
                    .map(line -> Long.parseLong(line.replaceAll("\\D", "")) * 1024)
                    .findFirst()
                    .orElse(null);
        } catch (IOException | RuntimeException e) {
            return null; // Not Linux.
        }
    }
}
