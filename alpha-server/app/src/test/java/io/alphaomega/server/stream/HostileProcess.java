package io.alphaomega.server.stream;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.file.Path;
import java.util.List;

/**
 * A {@link HostileClient} in a process of its own, of the lowest priority ({@code nice -n 19}). It stands for other
 * machines: what it takes of the cores to send is not to be taken from alpha, nor from the honest client. What alpha does
 * because of it, alpha does with its own priority.
 */
final class HostileProcess implements AutoCloseable {
    private final Process process;
    private final BufferedReader says;
    private final Writer asks;

    /** Returns when every stream has begun to send or was refused. */
    HostileProcess(int port, int streams, Path directory) {
        List<String> command = List.of(
                "nice",
                "-n",
                "19",
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Xmx1g",
                "-cp",
                System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                HostileClient.class.getName(),
                Integer.toString(port),
                Integer.toString(streams));
        File err = directory.resolve("hostile-%d.err".formatted(streams)).toFile();
        try {
            process = new ProcessBuilder(command).redirectError(err).start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        says = process.inputReader(UTF_8);
        asks = process.outputWriter(UTF_8);
        assertThat(line()).as("what it says, while %s has why it ended", err).isEqualTo("full");
    }

    /** Bytes, so far. */
    long sent() {
        try {
            asks.write("sent\n");
            asks.flush();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return Long.parseLong(line());
    }

    private String line() {
        try {
            return String.valueOf(says.readLine());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        process.destroyForcibly().onExit().join();
    }
}
