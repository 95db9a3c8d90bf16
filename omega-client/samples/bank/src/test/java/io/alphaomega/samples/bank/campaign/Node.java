package io.alphaomega.samples.bank.campaign;

import static org.awaitility.Awaitility.await;

import io.alphaomega.repository.servers.Pause;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A server as a process of its own. One that ends by itself is started again, as whoever runs it would. */
final class Node implements AutoCloseable {
    /** On two cores that are busy with much else. */
    private static final Duration START = Duration.ofMinutes(8);

    /** Alpha promises to have drained within 25 s; a busy machine has twice that. */
    private static final Duration STOP = Duration.ofMinutes(1);

    private static final Duration PROBE = Duration.ofMillis(100);
    private static final Duration PROBE_TIMEOUT = Duration.ofSeconds(1);
    private static final Executor AFTER_A_WHILE = CompletableFuture.delayedExecutor(500, TimeUnit.MILLISECONDS);
    private static final int LOG_LINES_SHOWN = 40;

    final String name;
    final URI address;
    private final List<String> command;
    private final Path log;
    private final HttpClient http;
    private final List<Integer> ownExits = new ArrayList<>();
    private @Nullable Process process;
    private boolean wanted;

    /** @param address where it serves HTTP, its readiness among it */
    Node(String name, List<String> command, Path log, URI address, HttpClient http) {
        this.name = name;
        this.command = List.copyOf(command);
        this.log = log;
        this.address = address;
        this.http = http;
    }

    /** Starts the process; returns at once. */
    synchronized void launch() {
        if (isAlive()) return;
        wanted = true;
        try {
            // Its standard input is a pipe from here that nobody writes to: it closes when this JVM is gone.
            Process started = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
                    .start();
            process = started;
            var unused = started.onExit().thenAccept(this::ended);
        } catch (IOException e) {
            throw new UncheckedIOException(name + " cannot be started as " + command, e);
        }
    }

    private synchronized void ended(Process which) {
        if (!wanted || !which.equals(process)) return;
        ownExits.add(which.exitValue());
        AFTER_A_WHILE.execute(() -> {
            synchronized (this) {
                if (wanted) launch();
            }
        });
    }

    void awaitReady() {
        try {
            await(name + " serves").atMost(START).pollInterval(PROBE).until(this::serves);
        } catch (RuntimeException never) {
            throw new IllegalStateException("%s does not serve within %s:%n%s".formatted(name, START, tail()), never);
        }
    }

    boolean serves() {
        HttpRequest probe = HttpRequest.newBuilder(address.resolve("/actuator/health/readiness"))
                .timeout(PROBE_TIMEOUT)
                .build();
        try {
            return http.send(probe, HttpResponse.BodyHandlers.discarding()).statusCode() == 200;
        } catch (IOException away) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    synchronized boolean isAlive() {
        return process != null && process.isAlive();
    }

    /** How often it ended without being told to, and with which codes. */
    synchronized List<Integer> ownExits() {
        return List.copyOf(ownExits);
    }

    /** SIGKILL, as {@code kill -9}; the exit code once it is gone. It stays away until it is launched. */
    int kill() {
        Process doomed = unwanted();
        doomed.destroyForcibly();
        return doomed.onExit().join().exitValue();
    }

    /** SIGTERM; the exit code. It stays away until it is launched. */
    int stop() {
        Process stopping = unwanted();
        // Not by the process itself, which would close its standard input as well: it would take itself for an orphan.
        stopping.toHandle().destroy();
        try {
            if (!stopping.waitFor(STOP.toMillis(), TimeUnit.MILLISECONDS)) {
                stopping.destroyForcibly();
                throw new IllegalStateException("%s still ran %s after SIGTERM:%n%s".formatted(name, STOP, tail()));
            }
            return stopping.exitValue();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted while " + name + " ended.", e);
        }
    }

    private synchronized Process unwanted() {
        if (process == null) throw new IllegalStateException(name + " was never started.");
        wanted = false;
        return process;
    }

    /** SIGSTOP; returns once nothing of it runs any more, as the kernel says. */
    void pause() {
        Pause.begin(handle());
    }

    void resume() {
        Pause.end(handle());
    }

    /** Whether the kernel says that it is stopped. */
    boolean isPaused() {
        try {
            String stat = Files.readString(Path.of("/proc", Long.toString(handle().pid()), "stat"));
            return stat.substring(stat.lastIndexOf(')')).startsWith(") T");
        } catch (IOException gone) {
            return false;
        }
    }

    private synchronized ProcessHandle handle() {
        if (process == null) throw new IllegalStateException(name + " was never started.");
        return process.toHandle();
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
    public synchronized void close() {
        wanted = false;
        if (process != null) process.destroyForcibly();
    }
}
