package io.alphaomega.repository.servers;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * The command by which tests start alpha: with the fast compiler only, and with an AOT cache of the JDK (JEP 514) that is the
 * tests' own. That halves what a start costs, and tests start it a hundred times. Whoever needs the cache first makes it,
 * while others wait.
 */
public final class AlphaCommand {
    private static final List<String> JVM = List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-XX:TieredStopAtLevel=1",
            "-XX:+UseSerialGC",
            "-Xlog:disable", // A cache that does not fit is no news of alpha's.
            "--sun-misc-unsafe-memory-access=allow",
            "--enable-native-access=ALL-UNNAMED");

    /** The port for gRPC of an alpha in a {@link Network}, where each node has all ports to itself. */
    public static final int GRPC = 8071;

    public static final int CLUSTER = 8070;
    public static final int HTTP = 8090;

    private static final String MAIN = "io.alphaomega.server.AlphaServer";
    private static final String TRAINING = "io.alphaomega.server.AotTraining";

    /** By jar. */
    private static final Map<Path, Path> CACHES = new HashMap<>();

    private AlphaCommand() {}

    /** The command of the jar in the directory that the system property {@code alpha.target} names, with a heap of 256 MB. */
    public static Command built() {
        return Command.of(of(Path.of(System.getProperty("alpha.target"), "alpha-server.jar"), "-Xmx256m")
                .toArray());
    }

    /**
     * All that comes before alpha's arguments.
     *
     * @param jar that the build has made, with its libraries beside it
     * @param options more of the JVM
     * @throws IllegalStateException if there is no such jar
     */
    public static List<String> of(Path jar, String... options) {
        Path absolute = jar.toAbsolutePath().normalize();
        if (!Files.exists(absolute)) {
            throw new IllegalStateException(
                    "There is no %s to start alpha from: scripts/test and mvn verify build it.".formatted(absolute));
        }
        List<String> words = new ArrayList<>(JVM);
        words.addAll(List.of(options));
        words.addAll(List.of("-XX:AOTCache=" + cache(absolute), "-cp", absolute.toString(), MAIN));
        return words;
    }

    /**
     * As {@link #of(Path, String...)}, behind a main class of the tests that runs the one which its first argument names.
     *
     * @param more the jar that has that class
     */
    public static List<String> behind(String main, Path more, Path jar, String... options) {
        List<String> words = of(jar, options);
        int classPath = words.indexOf("-cp") + 1;
        words.set(
                classPath, words.get(classPath) + File.pathSeparator + more); // At the end: the cache holds as before.
        words.add(classPath + 1, main);
        return words;
    }

    /** The arguments that make an alpha a member of the cluster of a network, whose nodes all are alphas. */
    public static List<String> member(Network network, int node) {
        String address = network.address(node);
        return List.of(
                "--server.address=" + address,
                "--server.port=" + HTTP,
                "--alpha.grpc.host=" + address,
                "--alpha.grpc.port=" + GRPC,
                "--alpha.cluster.host=" + address,
                "--alpha.cluster.port=" + CLUSTER,
                "--alpha.cluster.seed-nodes=" + network.addresses(CLUSTER));
    }

    private static synchronized Path cache(Path alpha) {
        return CACHES.computeIfAbsent(alpha, jar -> {
            Path directory = jar.resolveSibling("alpha-tests");
            Path cache = directory.resolve("alpha.aot");
            try {
                Path lock = Files.createDirectories(directory).resolve("lock");
                try (FileChannel file = FileChannel.open(lock, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
                    FileLock unusedUntilItCloses = file.lock();
                    if (!Files.exists(cache) || changed(jar).compareTo(changed(cache)) > 0) train(jar, cache);
                    return cache;
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
    }

    private static FileTime changed(Path path) throws IOException {
        return Files.getLastModifiedTime(path);
    }

    /** A node that becomes ready and ends. */
    private static void train(Path jar, Path cache) throws IOException {
        Path home = Files.createDirectories(cache.resolveSibling("training"));
        Path made = cache.resolveSibling("alpha.aot.new");
        Files.deleteIfExists(made);
        List<String> words = new ArrayList<>(JVM);
        words.addAll(List.of(
                "-XX:+UnlockDiagnosticVMOptions",
                "-XX:-AOTRecordTraining",
                "-XX:AOTCacheOutput=" + made,
                "-cp",
                jar.toString(),
                TRAINING));
        Process process = new ProcessBuilder(words)
                .directory(home.toFile())
                .redirectError(ProcessBuilder.Redirect.to(home.resolve("err").toFile()))
                .start();
        String said = "";
        try (BufferedReader out = process.inputReader(UTF_8)) {
            try (Writer arguments = process.outputWriter(UTF_8)) {
                arguments.write("--alpha.repository.embedded.directory=" + home.resolve("data")
                        + " --server.port=0 --alpha.grpc.port=0 --alpha.cluster.port=0\n");
                arguments.flush();
                for (String line = ""; line != null && !line.startsWith("alpha ready"); line = out.readLine()) {
                    said += line + "\n";
                }
            }
            out.transferTo(Writer.nullWriter());
        }
        try {
            if (!process.waitFor(Patience.LIMIT.toMillis(), TimeUnit.MILLISECONDS) || !Files.exists(made)) {
                throw new IOException("The AOT cache of the tests' alphas was not made: " + said
                        + Files.readString(home.resolve("err")));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException(e);
        } finally {
            process.destroyForcibly();
        }
        Files.move(made, cache, StandardCopyOption.REPLACE_EXISTING);
    }
}
