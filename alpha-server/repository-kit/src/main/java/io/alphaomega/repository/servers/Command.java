package io.alphaomega.repository.servers;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Stream;

/**
 * A program with its arguments, its environment and whose rights it has. Each method that changes one of them returns a
 * copy.
 *
 * @param unprivileged whether it runs as another user where this process is root's, because it refuses root
 */
public record Command(List<String> words, Map<String, String> environment, boolean unprivileged) {
    private static final Path SETPRIV = Path.of("/usr/bin/setpriv");

    /** Whom every system has. */
    private static final String NOBODY = "nobody";

    /** By number: its name differs between systems. */
    private static final String NOBODYS_GROUP = "65534";

    /**
     * The thread that starts every program. The kernel kills a program when the thread that started it is gone, and this
     * one lives as long as the JVM: so a server survives no test run, not one that is killed either.
     */
    private static final ExecutorService STARTER = Executors.newSingleThreadExecutor(
            Thread.ofPlatform().daemon().name("servers").factory());

    public Command {
        words = List.copyOf(words);
        environment = Map.copyOf(environment);
    }

    /** A program and its arguments, each as its {@code toString()} says it. */
    public static Command of(Object... words) {
        return new Command(Stream.of(words).map(Object::toString).toList(), Map.of(), false);
    }

    public Command with(Object... more) {
        List<String> all = new ArrayList<>(words);
        Stream.of(more).map(Object::toString).forEach(all::add);
        return new Command(all, environment, unprivileged);
    }

    public Command environment(String name, String value) {
        Map<String, String> all = new HashMap<>(environment);
        all.put(name, value);
        return new Command(words, all, unprivileged);
    }

    /** As an ordinary user: as this one, or as nobody where this one is root. The directory it runs in becomes its own. */
    public Command asOrdinaryUser() {
        return new Command(words, environment, true);
    }

    /** Runs it to its end and returns what it printed; an exit code other than zero is an exception that says so. */
    public String run(Path directory) throws IOException {
        Process process = start(
                directory,
                new ProcessBuilder()
                        .redirectErrorStream(true)
                        .redirectInput(Path.of("/dev/null").toFile()));
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        int status = process.onExit().join().exitValue();
        if (status != 0) {
            throw new IOException("%s ended with %d: %s".formatted(String.join(" ", words), status, output.strip()));
        }
        return output;
    }

    static String run(String... words) throws IOException {
        return of((Object[]) words).run(Path.of(""));
    }

    /** Starts it in the directory, with the redirections of the builder. */
    public Process start(Path directory, ProcessBuilder builder) throws IOException {
        boolean drop = unprivileged && isRoot();
        if (drop) run("chown", "-R", NOBODY, directory.toString());
        builder.command(wrapped(drop)).directory(directory.toAbsolutePath().toFile());
        builder.environment().putAll(environment);
        try {
            return STARTER.submit(builder::start).get();
        } catch (ExecutionException e) {
            throw new IOException("%s could not be started".formatted(words.getFirst()), e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while starting " + words.getFirst(), e);
        }
    }

    private List<String> wrapped(boolean drop) {
        List<String> all = new ArrayList<>();
        if (Files.isExecutable(SETPRIV)) {
            all.addAll(List.of(SETPRIV.toString(), "--pdeathsig", "KILL"));
            // It may pass directories that are root's alone, such as a checkout in root's home.
            if (drop) {
                all.addAll(List.of(
                        "--reuid=" + NOBODY,
                        "--regid=" + NOBODYS_GROUP,
                        "--clear-groups",
                        "--inh-caps=+dac_override",
                        "--ambient-caps=+dac_override"));
            }
            all.add("--");
        }
        all.addAll(words);
        return all;
    }

    private static boolean isRoot() {
        return "root".equals(System.getProperty("user.name"));
    }
}
