package io.alphaomega.benchmark.cluster;

import io.alphaomega.repository.servers.ServerProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** {@code scripts/cluster} on a directory and ports of a test's own. */
final class ClusterScript implements AutoCloseable {
    /** The clusters of this JVM have it one after the other. */
    private static final int BASE = ServerProcess.freeBase();

    /** A node starts sooner with these, and nothing here lasts long enough to gain by more. */
    static final String JVM = "-Xmx256m -XX:TieredStopAtLevel=1 -XX:+UseSerialGC";

    private static final int BALANCER_GRPC = 71;
    private static final int BALANCER_HTTP = 90;

    private final Path directory = ServerProcess.newDirectory("cluster");

    /** What a command came to. */
    record Outcome(int code, String out) {}

    Outcome up(String... options) {
        List<String> words = new ArrayList<>(List.of("up", "--port-base", Integer.toString(BASE)));
        words.addAll(List.of(options));
        return run(JVM, words);
    }

    Outcome run(String... words) {
        return run(null, List.of(words));
    }

    private Outcome run(@Nullable String javaOpts, List<String> words) {
        List<String> command = new ArrayList<>(its());
        command.addAll(words);
        return run(command, javaOpts);
    }

    /** The script, and whose commands follow. */
    private List<String> its() {
        return List.of(
                script("cluster").toString(),
                "--directory",
                directory.resolve("it").toString());
    }

    /** {@code scripts/alpha-benchmark disturb} through the balancer, by these commands of the script one after the other. */
    Outcome disturb(List<String> commands, String... options) {
        String disturb = commands.stream()
                .map(command -> String.join(" ", its()) + " " + command)
                .collect(Collectors.joining(" && "));
        List<String> command = new ArrayList<>(List.of(
                script("alpha-benchmark").toString(),
                "disturb",
                "--address",
                grpc(),
                "--http",
                http(),
                "--disturb",
                disturb));
        command.addAll(List.of(options));
        return run(command, null);
    }

    private static Outcome run(List<String> command, @Nullable String javaOpts) {
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().remove("JAVA_OPTS");
        if (javaOpts != null) builder.environment().put("JAVA_OPTS", javaOpts);
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        try {
            Process process = builder.start();
            process.getOutputStream().close();
            String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            return new Outcome(process.onExit().join().exitValue(), out);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    String grpc() {
        return "127.0.0.1:" + (BASE + BALANCER_GRPC);
    }

    String http() {
        return "127.0.0.1:" + (BASE + BALANCER_HTTP);
    }

    /** Processes that were started for it and run. */
    List<String> processes() {
        return ProcessHandle.allProcesses()
                .flatMap(process -> process.info().commandLine().stream())
                .filter(line -> line.contains(directory.toString()))
                .toList();
    }

    /** Of the checkout, by its name. */
    static Path script(String name) {
        for (Path at = Path.of("").toAbsolutePath(); at != null; at = at.getParent()) {
            Path script = at.resolve("scripts").resolve(name);
            if (script.toFile().canExecute()) return script;
        }
        throw new IllegalStateException("No directory above this one has scripts/%s.".formatted(name));
    }

    @Override
    public void close() {
        Outcome unused = run("down", "--delete");
        ServerProcess.delete(directory);
    }
}
