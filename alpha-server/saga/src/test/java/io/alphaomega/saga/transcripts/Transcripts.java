package io.alphaomega.saga.transcripts;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The transcripts in {@code src/test/resources/sagas}. A file is a story of one saga, in blocks: lines of inputs, {@code
 * ----}, and what the last line leads to; the lines before it are context and must be accepted. {@code -Drewrite} writes
 * what happens into the files, to be reviewed as a diff.
 */
final class Transcripts {
    private static final Path FOLDER = Path.of("src/test/resources/sagas");
    private static final String SEPARATOR = "----";

    private Transcripts() {}

    static List<Path> files() {
        try (Stream<Path> files = Files.list(FOLDER)) {
            return files.filter(f -> f.toString().endsWith(".txt")).sorted().toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The names of the transcripts that do not happen as written. */
    static List<String> failures() {
        return files().stream()
                .filter(Transcripts::fails)
                .map(Transcripts::name)
                .toList();
    }

    /** The name of one transcript of a held saga, or of any other, that does not happen as written. */
    static Optional<String> firstFailureOfHeld() {
        return files().stream()
                .sorted(Comparator.comparing(file -> !name(file).startsWith("held")))
                .filter(Transcripts::fails)
                .map(Transcripts::name)
                .findFirst();
    }

    private static boolean fails(Path file) {
        try {
            return !replayed(file).equals(Files.readString(file));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (RuntimeException | AssertionError e) {
            return true;
        }
    }

    static String name(Path file) {
        return file.getFileName().toString().replace(".txt", "").replace('-', ' ');
    }

    /** The file as it should read: its comments and inputs, and what they lead to. */
    static String replayed(Path file) {
        Story story = new Story();
        StringBuilder text = new StringBuilder();
        List<String> inputs = new ArrayList<>();
        boolean output = false;
        for (String line : read(file)) {
            if (line.equals(SEPARATOR)) {
                text.append(SEPARATOR).append('\n');
                for (String context : inputs.subList(0, inputs.size() - 1)) story.context(context);
                story.happen(inputs.getLast()).forEach(l -> text.append(l).append('\n'));
                inputs.clear();
                output = true;
            } else if (line.isBlank()) {
                text.append('\n');
                output = false;
            } else if (!output) {
                text.append(line).append('\n');
                if (!line.startsWith("#")) inputs.add(line);
            }
        }
        if (!inputs.isEmpty()) {
            throw new IllegalArgumentException(file + ": the inputs " + inputs + " are not followed by " + SEPARATOR);
        }
        return text.toString();
    }

    private static List<String> read(Path file) {
        try {
            return Files.readAllLines(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
