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
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.spi.ToolProvider;
import java.util.stream.Stream;

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

    /** By class path. */
    private static final Map<String, Ready> MADE = new HashMap<>();

    private record Ready(String classPath, Path cache) {}

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
     */
    public static List<String> of(Path jar, String... options) {
        Path absolute = jar.toAbsolutePath().normalize();
        return of(absolute.toString(), absolute.resolveSibling("alpha-tests"), options);
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

    /**
     * The same of a class path.
     *
     * @param directory where the cache is, or will be, with a jar of each directory of the class path
     */
    public static List<String> of(String classPath, Path directory, String... options) {
        Ready ready = ready(classPath, directory);
        List<String> words = new ArrayList<>(JVM);
        words.addAll(List.of(options));
        words.addAll(List.of("-XX:AOTCache=" + ready.cache(), "-cp", ready.classPath(), MAIN));
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

    private static synchronized Ready ready(String classPath, Path directory) {
        return MADE.computeIfAbsent(classPath, path -> {
            try {
                Files.createDirectories(directory);
                Path lock = directory.resolve("lock");
                try (FileChannel file = FileChannel.open(lock, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
                    FileLock unusedUntilItCloses = file.lock();
                    return make(path, directory.toAbsolutePath());
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
    }

    private static Ready make(String classPath, Path directory) throws IOException {
        List<String> jars = new ArrayList<>();
        for (String entry : classPath.split(File.pathSeparator, -1)) {
            if (entry.isEmpty()) continue; // After the last separator.
            Path path = Path.of(entry);
            if (Files.isDirectory(path))
                jars.add(jar(path, directory.resolve("classes-%d.jar".formatted(jars.size()))));
            else if (Files.exists(path)) jars.add(entry);
        }
        String onlyJars = String.join(File.pathSeparator, jars);
        Path cache = directory.resolve("alpha.aot");
        boolean fresh = Files.exists(cache);
        for (String each : jars) fresh = fresh && !isNewer(Path.of(each), cache);
        if (!fresh) train(onlyJars, cache);
        return new Ready(onlyJars, cache);
    }

    /** The JDK makes no cache of classes in directories. */
    private static String jar(Path classes, Path jar) throws IOException {
        Path newest;
        try (Stream<Path> all = Files.walk(classes)) {
            newest = all.max(Comparator.comparing(AlphaCommand::changed)).orElseThrow();
        }
        if (!Files.exists(jar) || isNewer(newest, jar)) {
            ToolProvider tool = ToolProvider.findFirst("jar").orElseThrow();
            int status = tool.run(
                    System.out,
                    System.err,
                    "--create",
                    "--no-manifest",
                    "--file=" + jar,
                    "-C",
                    classes.toString(),
                    ".");
            if (status != 0) throw new IOException("jar ended with %d for %s".formatted(status, classes));
        }
        return jar.toString();
    }

    private static boolean isNewer(Path one, Path other) {
        return changed(one).compareTo(changed(other)) > 0;
    }

    private static FileTime changed(Path path) {
        try {
            return Files.getLastModifiedTime(path);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A node that becomes ready and ends. */
    private static void train(String classPath, Path cache) throws IOException {
        Path home = Files.createDirectories(cache.resolveSibling("training"));
        Path made = cache.resolveSibling("alpha.aot.new");
        Files.deleteIfExists(made);
        List<String> words = new ArrayList<>(JVM);
        words.addAll(List.of(
                "-XX:+UnlockDiagnosticVMOptions",
                "-XX:-AOTRecordTraining",
                "-XX:AOTCacheOutput=" + made,
                "-cp",
                classPath,
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
