package io.alphaomega.benchmark.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.alphaomega.repository.servers.Command;
import io.alphaomega.repository.servers.ServerProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Clock;
import java.time.Instant;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** {@code scripts/aot}, and what {@code scripts/alpha} makes of its cache. */
@Tag("processes")
@Tag("long")
final class AotScriptTest {
    private final Path directory = ServerProcess.newDirectory("aot");

    @AfterEach
    void delete() {
        ServerProcess.delete(directory);
    }

    @Test
    void a_node_has_its_classes_from_the_cache_unless_that_is_of_another_jar() throws Exception {
        Path built = Path.of(System.getProperty("alpha.target"));
        Path jar = directory.resolve("alpha-server.jar");
        Command.of("cp", "-rp", built.resolve("alpha-server.jar"), built.resolve("lib"), directory)
                .run(directory);

        script("aot")
                .with("--jar", jar, "--seconds", "5", "--port-base", ClusterScript.freeBase())
                .run(directory);
        assertThat(classesFromCache(jar)).isGreaterThan(100);

        Files.setLastModifiedTime(jar, FileTime.from(Instant.EPOCH));
        assertThat(classesFromCache(jar)).as("refused by the JVM").isZero();
        Files.setLastModifiedTime(jar, FileTime.from(Clock.systemUTC().instant()));
        assertThat(classesFromCache(jar)).as("older than the jar").isZero();
    }

    private static Command script(String name) {
        return Command.of(ClusterScript.script(name)).environment("JAVA_HOME", System.getProperty("java.home"));
    }

    /** Of alpha's own ones, by a node that started and serves. */
    private static long classesFromCache(Path jar) throws IOException {
        int http = ServerProcess.freePort();
        Path own = ServerProcess.newDirectory("alpha");
        Path loaded = own.resolve("loaded");
        Command alpha = script("alpha")
                .environment("ALPHA_JAR", jar.toString())
                .environment("JAVA_OPTS", "-Xlog:class+load:file=" + loaded)
                .with("--server.port=" + http)
                .with("--alpha.grpc.port=" + ServerProcess.freePort())
                .with("--alpha.cluster.port=" + ServerProcess.freePort())
                .with("--alpha.repository.embedded.directory=" + own.resolve("data"));
        try (ServerProcess node = new ServerProcess(own, alpha, ServerProcess.listening(http)).start();
                Stream<String> lines = Files.lines(loaded)) {
            assertThat(node.isRunning()).isTrue();
            return lines.filter(line -> line.contains(" io.alphaomega."))
                    .filter(line -> line.endsWith("source: shared objects file"))
                    .count();
        }
    }
}
