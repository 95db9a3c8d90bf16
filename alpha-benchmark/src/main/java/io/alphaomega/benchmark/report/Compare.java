package io.alphaomega.benchmark.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The command {@code compare}: JSON reports side by side. */
@Command(
        name = "compare",
        mixinStandardHelpOptions = true,
        description = {
            "Compares JSON reports: medians of repeated runs, their spread, and the ratio to the first.",
            "Runs of one --label are taken together, others go by the names of their files."
        })
public final class Compare implements Runnable {
    @Spec
    @SuppressWarnings("NullAway.Init") // By picocli.
    private CommandSpec spec;

    @Parameters(arity = "1..*", paramLabel = "FILE", description = "JSON reports, or directories of them.")
    private List<Path> paths = new ArrayList<>();

    @Override
    public void run() {
        List<ComparedRun> runs = new ArrayList<>();
        try {
            for (Path path : paths) for (Path file : files(path)) runs.add(ComparedRun.read(file));
        } catch (IOException | IllegalArgumentException e) {
            throw new CommandLine.ParameterException(
                    spec.commandLine(),
                    e instanceof IOException ? "A report could not be read: " + e : e.getMessage(),
                    e);
        }
        spec.commandLine().getOut().print(Comparison.of(runs));
        spec.commandLine().getOut().flush();
    }

    private static List<Path> files(Path path) throws IOException {
        if (!Files.isDirectory(path)) return List.of(path);
        try (Stream<Path> inside = Files.list(path)) {
            List<Path> reports = inside.filter(file -> file.toString().endsWith(".json"))
                    .sorted()
                    .toList();
            if (!reports.isEmpty()) return reports;
            throw new IllegalArgumentException(
                    "The directory " + path + " must hold reports (files that end with .json), but holds none.");
        }
    }
}
