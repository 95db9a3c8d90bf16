package io.alphaomega.omega.transport;

import io.alphaomega.repository.servers.Command;
import io.alphaomega.repository.servers.ServerProcess;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * What the starter adds to a service of Spring MVC that has one path: jars, and time and classes of a start. The service
 * is {@code omega-client/samples/minimal}, started with the starter and without by turns.
 */
final class StartCost {
    private static final Pattern READY =
            Pattern.compile("ready: (\\d+) ms, (\\d+) ns of processor time, (\\d+) classes");

    /** In KiB. */
    private static final Pattern RESIDENT = Pattern.compile("VmRSS:\\s+(\\d+) kB");

    private static final double MIB = 1024 * 1024;

    private final String alpha;
    private final int rounds;

    /** A start until the service is ready; each figure from the start of its JVM. */
    private record Start(double millis, double cpuMillis, double classes, double residentMib) {}

    /** @param options {@code --rounds=}, 7 unless it is said: starts of each */
    StartCost(String alpha, String... options) {
        this.alpha = alpha;
        rounds = StarterCost.option(options, "rounds", 7);
    }

    void measure() throws IOException {
        List<Path> without = classPath("without");
        List<Path> with = classPath("with");
        System.out.println(jars(without, with));

        // The first of each reads the jars from the disk.
        start(without);
        start(with);
        List<Start> starts = new ArrayList<>();
        List<Start> startsWith = new ArrayList<>();
        for (int round = 0; round < rounds; round++) {
            starts.add(start(without));
            startsWith.add(start(with));
        }
        Medians.head("of a start, medians of " + rounds, "without", "with");
        Medians.row("ms until it is ready", starts, startsWith, Start::millis);
        Medians.row("ms of processor time", starts, startsWith, Start::cpuMillis);
        Medians.row("classes loaded", starts, startsWith, Start::classes);
        Medians.row("MB resident", starts, startsWith, Start::residentMib);
    }

    private static List<Path> classPath(String name) throws IOException {
        Path target = Path.of(System.getProperty("minimal.target"));
        return Stream.concat(
                        Stream.of(target.resolve("classes")),
                        Stream.of(StarterCost.dependencies(target.resolve(name + ".classpath"))
                                        .split(File.pathSeparator, -1))
                                .map(Path::of))
                .map(Path::toAbsolutePath)
                .toList();
    }

    /** A jar that both have in other versions would be one that it adds, and is said. */
    private static String jars(List<Path> without, List<Path> with) throws IOException {
        TreeSet<Path> added = new TreeSet<>(with);
        without.forEach(added::remove);
        List<Path> removed =
                without.stream().filter(each -> !with.contains(each)).toList();
        long bytes = 0;
        for (Path each : added) bytes += Files.size(each);
        return "%d jars, %.1f MB: %s%n%s"
                .formatted(
                        added.size(),
                        bytes / MIB,
                        String.join(
                                ", ",
                                added.stream()
                                        .map(each -> each.getFileName().toString())
                                        .toList()),
                        removed.isEmpty() ? "" : "In place of " + removed + "\n");
    }

    private Start start(List<Path> classPath) throws IOException {
        Path directory = ServerProcess.newDirectory("minimal");
        Command command = StarterCost.java()
                .with(
                        "-cp",
                        String.join(
                                File.pathSeparator,
                                classPath.stream().map(Path::toString).toList()),
                        "io.alphaomega.samples.minimal.MinimalApplication",
                        "--server.port=" + ServerProcess.freePort(),
                        "--omega.alpha.addresses=" + alpha);
        Path log = directory.resolve("server.log");
        try (ServerProcess service = new ServerProcess(
                directory, command, () -> READY.matcher(Files.readString(log)).find())) {
            service.start();
            Matcher ready = found(READY, Files.readString(log));
            Matcher resident = found(RESIDENT, Files.readString(Path.of("/proc/" + service.pid() + "/status")));
            return new Start(
                    Long.parseLong(ready.group(1)),
                    Long.parseLong(ready.group(2)) / 1e6,
                    Long.parseLong(ready.group(3)),
                    Long.parseLong(resident.group(1)) / 1024.0);
        }
    }

    private static Matcher found(Pattern pattern, String text) {
        Matcher matcher = pattern.matcher(text);
        if (!matcher.find()) throw new IllegalStateException("There is no '%s' in: %s".formatted(pattern, text));
        return matcher;
    }
}
