package io.alphaomega.omega.rules;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * The transcripts in a folder of {@code src/test/resources}. A file is a story, in blocks: lines of inputs, {@code ----}, and
 * what the last line leads to; the lines before it are context. {@code -Drewrite} writes what happens into the files, to be
 * reviewed as a diff.
 */
final class StoryFiles {
    private static final String SEPARATOR = "----";

    private StoryFiles() {}

    static List<Path> in(String folder) {
        try (Stream<Path> files = Files.list(Path.of("src/test/resources", folder))) {
            return files.filter(f -> f.toString().endsWith(".txt")).sorted().toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static String name(Path file) {
        return file.getFileName().toString().replace(".txt", "").replace('-', ' ');
    }

    /**
     * The file as it should read: its comments and inputs, and what they lead to.
     *
     * @param stories tells a new one: a line of it leads to lines
     */
    static String replayed(Path file, Supplier<Function<String, List<String>>> stories) {
        Function<String, List<String>> story = stories.get();
        StringBuilder text = new StringBuilder();
        List<String> inputs = new ArrayList<>();
        boolean output = false;
        for (String line : read(file)) {
            if (line.equals(SEPARATOR)) {
                text.append(SEPARATOR).append('\n');
                for (String context : inputs.subList(0, inputs.size() - 1)) story.apply(context);
                story.apply(inputs.get(inputs.size() - 1))
                        .forEach(l -> text.append(l).append('\n'));
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
