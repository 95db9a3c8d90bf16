package io.alphaomega.omega.transport;

import io.alphaomega.repository.servers.ServerProcess;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/**
 * What the alpha in memory adds to the start of a test's context: that of the service in {@code omega-client/starter-test},
 * with {@code @OmegaTest} and with {@code omega.enabled=false} by turns, three times in each JVM.
 */
final class TestCost {
    private static final Pattern STARTED = Pattern.compile("start: (\\d+) ns, (\\d+) ns of processor time");

    private final int rounds;

    private record Start(double millis, double cpuMillis) {}

    private record Starts(List<Start> first, List<Start> next) {
        Starts() {
            this(new ArrayList<>(), new ArrayList<>());
        }

        void add(List<Start> ofOneJvm) {
            first.add(ofOneJvm.getFirst());
            next.addAll(ofOneJvm.subList(1, ofOneJvm.size()));
        }
    }

    /** @param options {@code --rounds=}, 7 unless it is said: JVMs of each */
    TestCost(String... options) {
        rounds = StarterCost.option(options, "rounds", 7);
    }

    void measure() throws IOException {
        String classPath = classPath();
        // The first of each reads the jars from the disk.
        starts(classPath, "without");
        starts(classPath, "with");
        Starts without = new Starts();
        Starts with = new Starts();
        for (int round = 0; round < rounds; round++) {
            without.add(starts(classPath, "without"));
            with.add(starts(classPath, "with"));
        }
        Medians.head(
                "of a context of a test, medians of " + rounds + " JVMs", "without omega", "with an alpha in memory");
        Medians.row("ms to start, the first of its JVM", without.first(), with.first(), Start::millis);
        Medians.row("ms of processor time", without.first(), with.first(), Start::cpuMillis);
        Medians.row("ms to start, the next two", without.next(), with.next(), Start::millis);
        Medians.row("ms of processor time", without.next(), with.next(), Start::cpuMillis);
    }

    private static String classPath() throws IOException {
        Path target = Path.of(System.getProperty("starter-test.target")).toAbsolutePath();
        return String.join(
                File.pathSeparator,
                target.resolve("test-classes").toString(),
                target.resolve("classes").toString(),
                StarterCost.dependencies(target.resolve("cost.classpath")));
    }

    private static List<Start> starts(String classPath, String which) throws IOException {
        String printed = StarterCost.java()
                .with("-cp", classPath, "io.alphaomega.omega.test.ContextStarts", which)
                .run(ServerProcess.newDirectory("starts"));
        List<Start> starts =
                STARTED.matcher(printed).results().map(TestCost::start).toList();
        if (starts.size() < 2) throw new IllegalStateException("The contexts did not start: " + printed);
        return starts;
    }

    private static Start start(MatchResult printed) {
        return new Start(Long.parseLong(printed.group(1)) / 1e6, Long.parseLong(printed.group(2)) / 1e6);
    }
}
