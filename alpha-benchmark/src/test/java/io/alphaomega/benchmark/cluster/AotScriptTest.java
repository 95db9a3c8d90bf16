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

/** {@code scripts/aot}, which the build runs, and what {@code scripts/alpha} makes of its cache. */
@Tag("processes")
final class AotScriptTest {
    private final Path directory = ServerProcess.newDirectory("aot");
    private final Path jar = directory.resolve("alpha-server.jar");

    @AfterEach
    void delete() {
        ServerProcess.delete(directory);
    }

    @Test
    @Tag("long")
    void a_node_has_its_classes_from_the_cache_of_the_build_unless_that_is_of_another_jar() throws Exception {
        copy("alpha-server.jar", "lib", "alpha-server.aot");
        assertThat(classesFromCache()).isGreaterThan(100);

        Files.setLastModifiedTime(jar, FileTime.from(Instant.EPOCH));
        assertThat(classesFromCache()).as("refused by the JVM").isZero();
        Files.setLastModifiedTime(jar, FileTime.from(Clock.systemUTC().instant()));
        assertThat(classesFromCache()).as("older than the jar").isZero();
    }

    @Test
    @Tag("long")
    void a_cache_is_made_for_another_jar_on_the_stores_that_are_named_and_only_once() throws Exception {
        copy("alpha-server.jar", "lib");
        Command made = script("aot").with("--jar", jar, "--stores", "embedded,redis", "--seconds", "1", "--if-stale");

        assertThat(made.run(directory)).contains("Training alpha on embedded redis,", "Nodes that start from now on");
        assertThat(classesFromCache()).isGreaterThan(100);
        assertThat(made.run(directory)).isEmpty();
    }

    private void copy(String... names) throws IOException {
        Path built = Path.of(System.getProperty("alpha.target"));
        for (String name : names) {
            Command.of("cp", "-rp", built.resolve(name), directory).run(directory);
        }
    }

    private static Command script(String name) {
        return Command.of(ClusterScript.script(name)).environment("JAVA_HOME", System.getProperty("java.home"));
    }

    /** Of alpha's own ones, by a node that started and serves. */
    private long classesFromCache() throws IOException {
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
