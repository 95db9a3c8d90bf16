package io.alphaomega.samples.booking.processes;

import static org.awaitility.Awaitility.await;

import io.alphaomega.repository.servers.Patience;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A server process on a fixed port that can be started, stopped and killed again and again. Its output goes to a file. */
final class Node implements AutoCloseable {
    /** A Boot application takes 3 to 6 s on two cores, three at once take 17 s; a machine may be busy besides. */
    private static final Duration START = Duration.ofMinutes(8);

    private static final Duration PROBE = Duration.ofMillis(50);
    private static final Duration PROBE_TIMEOUT = Duration.ofSeconds(2);
    private static final int LOG_LINES_SHOWN = 30;

    private final String name;
    private final List<String> command;
    private final Path log;
    private final URI ready;
    private final HttpClient http;
    private @Nullable Process process;

    /**
     * @param ready answers 200 once the server serves
     */
    Node(String name, List<String> command, Path log, URI ready, HttpClient http) {
        this.name = name;
        this.command = List.copyOf(command);
        this.log = log;
        this.ready = ready;
        this.http = http;
    }

    /** Starts the process; returns at once. */
    void launch() {
        if (isAlive()) throw new IllegalStateException(name + " runs already.");
        try {
            // Its standard input is a pipe from here that nobody writes to: it closes when this JVM is gone.
            process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
                    .start();
        } catch (IOException e) {
            throw new IllegalStateException(name + " cannot be started as " + command, e);
        }
    }

    void awaitReady() {
        await(name + " serves").atMost(START).pollInterval(PROBE).until(() -> {
            if (!isAlive()) throw new IllegalStateException(name + " ended instead of serving:\n" + tail());
            return serves();
        });
    }

    void start() {
        launch();
        awaitReady();
    }

    boolean serves() {
        HttpRequest probe = HttpRequest.newBuilder(ready).timeout(PROBE_TIMEOUT).build();
        try {
            return http.send(probe, HttpResponse.BodyHandlers.discarding()).statusCode() == 200;
        } catch (IOException away) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    boolean isAlive() {
        return process != null && process.isAlive();
    }

    /** SIGKILL, as {@code kill -9}. */
    void kill() {
        if (process == null) return;
        process.destroyForcibly();
        awaitExit(Patience.LIMIT);
    }

    /** As {@code kill -STOP} and {@code kill -CONT}. */
    void signal(String name) throws IOException, InterruptedException {
        if (process == null) throw new IllegalStateException(this.name + " was never started.");
        int code = new ProcessBuilder("kill", "-" + name, String.valueOf(process.pid()))
                .start()
                .waitFor();
        if (code != 0) throw new IllegalStateException(this.name + " does not take SIG" + name + ".");
    }

    /** SIGTERM, and the exit code. */
    int stop() {
        if (process == null) return 0;
        process.destroy();
        return awaitExit(Patience.LIMIT);
    }

    int awaitExit(Duration atMost) {
        if (process == null) throw new IllegalStateException(name + " was never started.");
        try {
            if (!process.waitFor(atMost.toMillis(), TimeUnit.MILLISECONDS)) {
                process.destroyForcibly();
                throw new IllegalStateException(name + " still ran after " + atMost + ":\n" + tail());
            }
            return process.exitValue();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted while " + name + " ended.", e);
        }
    }

    /** The end of its log. */
    String tail() {
        try {
            List<String> lines = Files.readAllLines(log);
            return log + "\n"
                    + String.join("\n", lines.subList(Math.max(0, lines.size() - LOG_LINES_SHOWN), lines.size()));
        } catch (IOException e) {
            return log + " cannot be read: " + e;
        }
    }

    @Override
    public void close() {
        if (process != null) process.destroyForcibly();
    }
}
