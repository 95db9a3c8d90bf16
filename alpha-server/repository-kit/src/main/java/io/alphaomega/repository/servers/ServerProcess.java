package io.alphaomega.repository.servers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * A server in a process of its own that a test starts, stops, kills and starts again, on the same directory and port.
 * What it prints is in {@code server.log} of its directory. It dies with this JVM.
 */
public final class ServerProcess implements AutoCloseable {
    /** Beside much else, Elasticsearch has taken more than three minutes on two cores. */
    private static final Duration READY_WITHIN = Duration.ofMinutes(8);

    /*
     * Who listens where in tests. All are below the ports that systems give to clients, 32768 and more: a server that is
     * away must find its port free when it comes back.
     *
     *   10000 to 11999   tests that do without this class: omega's ScriptedAlpha, the sample on Spring Boot 3.5
     *   12000 to 17999   freePort()
     *   18000 to 21999   freeBase()
     *   22000 to 27999   the nodes of a Redis Cluster among each other, each 10,000 above its port
     *   24000 and more   scripts/aot in a build, where it finds all that it needs free
     */
    private static final int PORT_MIN = 12_000;

    private static final int PORT_MAX = 18_000;

    private static final int BASE_MAX = 22_000;

    /** Enough for scripts/cluster with three nodes; with fewer than 256 two clusters would have one network. */
    private static final int PORTS_OF_BASE = 400;

    /** What keeps a port from being given again, by this JVM or by another one that tests beside it, while this one lives. */
    private static final Map<Integer, FileLock> PORTS_GIVEN = new HashMap<>();

    private static final int LOG_LINES_SHOWN = 30;
    private static final AtomicInteger DIRECTORIES = new AtomicInteger();

    /** Whether a server that was started answers. An exception means not yet. */
    @FunctionalInterface
    public interface Readiness {
        boolean isReady() throws Exception;
    }

    private final Path directory;
    private final Command command;
    private final Readiness readiness;
    private @Nullable Process process;

    /** Starts nothing yet. */
    public ServerProcess(Path directory, Command command, Readiness readiness) {
        this.directory = directory;
        this.command = command;
        this.readiness = readiness;
        Runtime.getRuntime().addShutdownHook(new Thread(this::killQuietly));
    }

    /** An empty directory under {@code target/}, nobody else's. */
    public static Path newDirectory(String name) {
        try {
            return Files.createDirectories(Path.of(
                            "target",
                            "servers",
                            "%s-%d-%d".formatted(name, ProcessHandle.current().pid(), DIRECTORIES.incrementAndGet()))
                    .toAbsolutePath());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A port on which nothing listens, given to nobody else while this JVM lives. */
    public static int freePort() {
        while (true) {
            int port = ThreadLocalRandom.current().nextInt(PORT_MIN, PORT_MAX);
            // First, since looking takes it for a moment from whoever has it.
            if (isOurs(port) && isFree(port) && isFree(port + 10_000)) return port;
        }
    }

    /**
     * The first of 400 ports on which nothing listens, for scripts that take the first of theirs; given to nobody else while
     * this JVM lives.
     */
    public static int freeBase() {
        return IntStream.iterate(PORT_MAX, base -> base < BASE_MAX, base -> base + PORTS_OF_BASE)
                .filter(ServerProcess::isOurs)
                .filter(base -> IntStream.range(base, base + PORTS_OF_BASE).allMatch(ServerProcess::isFree))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException(
                        "Ports %d to %d: no %d in a row are free; stop what listens there, or the tests beside this one."
                                .formatted(PORT_MAX, BASE_MAX, PORTS_OF_BASE)));
    }

    /** Takes the port for this JVM, unless it has been given. */
    private static synchronized boolean isOurs(int port) {
        if (PORTS_GIVEN.containsKey(port)) return false;
        try {
            Path all = Path.of(
                    System.getProperty("java.io.tmpdir"), "alpha-test-ports-" + System.getProperty("user.name"));
            Path file = Files.createDirectories(all).resolve(String.valueOf(port));
            FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
            FileLock lock = channel.tryLock();
            if (lock == null) {
                channel.close();
                return false;
            }
            PORTS_GIVEN.put(port, lock);
            return true;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static boolean isFree(int port) {
        try (ServerSocket socket = new ServerSocket()) {
            socket.setReuseAddress(true);
            socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    /** Ready as soon as something listens on the port. */
    public static Readiness listening(int port) {
        return () -> {
            try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
                return socket.isConnected();
            }
        };
    }

    /** Returns once the server answers. One that does not, or ends, is an exception with the end of its log. */
    public ServerProcess start() {
        if (isRunning())
            throw new IllegalStateException(
                    "%s runs already".formatted(command.words().getFirst()));
        try {
            Files.createDirectories(directory);
            Process started = command.start(
                    directory,
                    new ProcessBuilder()
                            .redirectErrorStream(true)
                            .redirectOutput(ProcessBuilder.Redirect.appendTo(log().toFile())));
            started.getOutputStream().close();
            process = started;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        try {
            Awaitility.await()
                    .atMost(READY_WITHIN)
                    .pollDelay(Duration.ZERO)
                    .pollInterval(Duration.ofMillis(20))
                    .ignoreExceptions()
                    .until(() -> !isRunning() || readiness.isReady());
        } catch (ConditionTimeoutException e) {
            kill();
            throw new IllegalStateException("%s did not answer within %s. %s".formatted(name(), READY_WITHIN, tail()));
        }
        if (!isRunning()) throw new IllegalStateException("%s ended at once. %s".formatted(name(), tail()));
        return this;
    }

    public boolean isRunning() {
        return process != null && process.isAlive();
    }

    public long pid() {
        return process().pid();
    }

    public Path directory() {
        return directory;
    }

    public Path log() {
        return directory.resolve("server.log");
    }

    /** {@code kill -9} of the process and of those it started. Returns once they are gone. */
    public void kill() {
        if (process == null) return;
        List<ProcessHandle> family = process.descendants().toList();
        process.destroyForcibly();
        family.forEach(ProcessHandle::destroyForcibly);
        process.onExit().join();
        family.forEach(each -> each.onExit().join());
    }

    private void killQuietly() {
        if (process == null) return;
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
    }

    /** SIGTERM, and a {@link #kill()} if that does not end it. */
    public void stop() {
        stop("TERM");
    }

    /** For a server whose way to stop at once is another signal. */
    public void stop(String signal) {
        if (!isRunning()) return;
        List<ProcessHandle> family = process().descendants().toList();
        signal(signal);
        try {
            if (!process().waitFor(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS)) kill();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            kill();
        }
        family.forEach(ProcessHandle::destroyForcibly);
    }

    /** Sends a signal by the name that {@code kill} knows: {@code STOP}, {@code CONT}, {@code TERM}, … */
    public void signal(String name) {
        Pause.signal(name, process().toHandle());
    }

    /** Stops it for a moment, with those it started. Returns once they do nothing any more. */
    public void pause() {
        Pause.begin(process().toHandle());
    }

    public void resume() {
        Pause.end(process().toHandle());
    }

    /** Kills what runs and deletes the directory. */
    @Override
    public void close() {
        kill();
        delete(directory);
    }

    /** Deletes a directory with all that is in it; what is gone already is no matter. */
    public static void delete(Path directory) {
        if (!Files.exists(directory)) return;
        try (Stream<Path> all = Files.walk(directory)) {
            for (Path each : all.sorted(Comparator.reverseOrder()).toList()) Files.deleteIfExists(each);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Process process() {
        return Objects.requireNonNull(process, "the server was not started");
    }

    private String name() {
        return String.join(" ", command.words());
    }

    private String tail() {
        try {
            List<String> lines = Files.readAllLines(log());
            return "The end of %s:%n%s"
                    .formatted(
                            log(),
                            String.join(
                                    "\n", lines.subList(Math.max(0, lines.size() - LOG_LINES_SHOWN), lines.size())));
        } catch (IOException e) {
            return "It has no log: " + e;
        }
    }
}
