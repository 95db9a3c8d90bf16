package io.alphaomega.benchmark.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.alphaomega.repository.servers.AlphaCommand;
import io.alphaomega.repository.servers.Patience;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A packaged program in a process of its own: alpha, an agent or a coordinator. */
final class Jar implements AutoCloseable {
    private final Process process;
    private final Path out;
    private final Path err;

    private Jar(Process process, Path out, Path err) {
        this.process = process;
        this.out = out;
        this.err = err;
    }

    /** On free ports, its data under {@code directory}. */
    static Jar alpha(Path directory) {
        return start(
                directory,
                AlphaCommand.built().words(),
                "--alpha.repository.embedded.directory=" + directory.resolve("data"),
                "--server.port=0",
                "--alpha.grpc.port=0",
                "--alpha.cluster.port=0");
    }

    static Jar benchmark(Path directory, String... arguments) {
        Path jar = Path.of(System.getProperty("benchmark.target"), "alpha-benchmark.jar");
        return start(
                directory,
                List.of(
                        ProcessHandle.current().info().command().orElse("java"),
                        "--sun-misc-unsafe-memory-access=allow",
                        "--enable-native-access=ALL-UNNAMED",
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "-jar",
                        jar.toAbsolutePath().normalize().toString()),
                arguments);
    }

    private static Jar start(Path directory, List<String> program, String... arguments) {
        List<String> command = new ArrayList<>(program);
        command.addAll(List.of(arguments));
        try {
            Path out = Files.createTempFile(directory, "process-", ".out");
            Path err = Files.createTempFile(directory, "process-", ".err");
            Process process = new ProcessBuilder(command)
                    .directory(directory.toFile())
                    .redirectOutput(out.toFile())
                    .redirectError(err.toFile())
                    .start();
            return new Jar(process, out, err);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Waits until it has printed that, and returns what matched. */
    Matcher says(String pattern) {
        Pattern compiled = Pattern.compile(pattern, Pattern.MULTILINE);
        await("'%s' of %s".formatted(pattern, out))
                .pollInterval(Duration.ofMillis(50))
                .failFast(
                        "it ended",
                        () -> !process.isAlive() && !compiled.matcher(out()).find())
                .until(() -> compiled.matcher(out()).find());
        Matcher found = compiled.matcher(out());
        assertThat(found.find()).isTrue();
        return found;
    }

    String out() {
        return read(out);
    }

    String err() {
        return read(err);
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    Jar terminate() {
        process.destroy();
        return this;
    }

    Jar kill() {
        process.destroyForcibly();
        return this;
    }

    int exitCode() {
        try {
            assertThat(process.waitFor(Patience.LIMIT.toMillis(), TimeUnit.MILLISECONDS))
                    .as("it ended; %s and %s", out, err)
                    .isTrue();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
        return process.exitValue();
    }

    @Override
    public void close() {
        int unused = kill().exitCode();
    }
}
