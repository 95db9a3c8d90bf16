package io.alphaomega.samples.shop.processes;

import static org.assertj.core.api.Assertions.assertThat;

import io.alphaomega.repository.servers.Patience;
import io.alphaomega.repository.servers.ServerProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** {@code scripts/demo shop}, on a directory and ports of its own. */
@Tag("processes")
@Tag("long")
class ShopTest {
    private static final Path DIRECTORY = Path.of(System.getProperty("processes.directory"));

    @Test
    void nothing_is_half_done_although_a_service_is_killed_amid_orders() throws IOException, InterruptedException {
        ServerProcess.delete(DIRECTORY);
        Path output = Files.createDirectories(DIRECTORY).resolve("output.log");
        ProcessBuilder script = new ProcessBuilder(List.of(
                        Path.of(System.getProperty("demo.script")).toString(),
                        "shop",
                        "--once",
                        "--no-build",
                        "--kill",
                        "stock",
                        "--directory",
                        DIRECTORY.resolve("demo").toString(),
                        "--port-base",
                        String.valueOf(ServerProcess.freeBase())))
                .redirectErrorStream(true)
                .redirectOutput(output.toFile());
        // On a busy machine alpha, the broker and the services take longer than the shop waits by itself.
        script.environment()
                .putAll(Map.of(
                        "OMEGA_SAGA_TIMEOUT", "3m",
                        "OMEGA_BEGIN_TIMEOUT", "30s",
                        "SPRING_HTTP_CLIENTS_READ_TIMEOUT", "50s",
                        "SPRING_KAFKA_PRODUCER_PROPERTIES_MAX_BLOCK_MS", "30000",
                        "SPRING_KAFKA_PRODUCER_PROPERTIES_DELIVERY_TIMEOUT_MS", "30000"));
        Process demo = script.start();
        try {
            assertThat(demo.waitFor(Patience.LIMIT.multipliedBy(6).toSeconds(), TimeUnit.SECONDS))
                    .as(() -> read(output))
                    .isTrue();
        } finally {
            demo.destroy();
            demo.onExit().join();
        }
        String told = read(output);
        assertThat(demo.exitValue()).as(told).isZero();
        assertThat(told)
                .contains(
                        "stock was killed; it is started again.",
                        "The bank refuses the card …0002.",
                        "No carrier finds 'somewhere'",
                        "ida orders a lamp as a gift, with a greeting that no card has room for",
                        "Nothing is half done.")
                .containsPattern("and mails, [1-9][0-9]* of them as gifts");
        assertThat(processes()).isEmpty();
    }

    /** Those of the demo, which all have its directory in their commands. */
    private static List<String> processes() {
        return ProcessHandle.allProcesses()
                .flatMap(process -> process.info().commandLine().stream())
                .filter(line -> line.contains(DIRECTORY.toString()))
                // This JVM is told the directory.
                .filter(line -> !line.contains("surefire"))
                .toList();
    }

    private static String read(Path output) {
        try {
            return Files.readString(output);
        } catch (IOException e) {
            return "There is no output: " + e;
        }
    }
}
