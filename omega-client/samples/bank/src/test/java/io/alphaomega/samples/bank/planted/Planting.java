package io.alphaomega.samples.bank.planted;

import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

/** Puts a bug into a copy of the sources, and makes of it what stands before the sound classes on a class path. */
final class Planting {
    private static final Path ROOT = Path.of("../../..");
    private static final Path JAVA = Path.of("src/main/java");

    private Planting() {}

    /**
     * A directory with the changed classes and resources of the bug.
     *
     * @param lib the jars that a process of this kind runs with
     */
    static Path plant(PlantedBug bug, Path directory, List<Path> lib) {
        List<SimpleJavaFileObject> sources = new ArrayList<>();
        for (PlantedBug.Change change : bug.changes()) {
            String text = changed(bug, change);
            if (change.file().endsWith(".java")) sources.add(new Source(change.file(), text));
            else write(directory.resolve(change.file().replaceFirst(".*src/main/resources/", "")), text);
        }
        if (!sources.isEmpty()) compile(bug, sources, directory, lib);
        return directory;
    }

    /** The file with the bug in it; fails unless each place of it is there, once. */
    static String changed(PlantedBug bug, PlantedBug.Change change) {
        Path file = ROOT.resolve(change.file());
        try {
            String source = Files.readString(file);
            for (PlantedBug.Edit edit : change.edits()) {
                int at = source.indexOf(edit.found());
                if (at < 0 || source.indexOf(edit.found(), at + 1) >= 0) {
                    throw new AssertionError(
                            "The bug '%s' cannot be planted: %s should have this text exactly once, but has it %s. Plant it where the text has gone:%n%s"
                                    .formatted(bug.name(), file, at < 0 ? "nowhere" : "more than once", edit.found()));
                }
                source = source.replace(edit.found(), edit.instead());
            }
            return source;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void compile(PlantedBug bug, List<SimpleJavaFileObject> sources, Path directory, List<Path> lib) {
        JavaCompiler javac = Objects.requireNonNull(ToolProvider.getSystemJavaCompiler(), "this is no JDK");
        StringWriter said = new StringWriter();
        try {
            Files.createDirectories(directory);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        List<String> options = List.of(
                "-proc:none",
                "-nowarn",
                "-parameters",
                "-d",
                directory.toString(),
                "-cp",
                Stream.concat(lib.stream(), Stream.of(jspecify()))
                        .map(Path::toString)
                        .collect(Collectors.joining(":")));
        if (!javac.getTask(said, null, null, options, null, sources).call()) {
            throw new AssertionError("The bug '%s' does not compile:%n%s".formatted(bug.name(), said));
        }
    }

    /** Its annotations are provided, so no process runs with them. */
    private static Path jspecify() {
        return Path.of(URI.create(org.jspecify.annotations.NullMarked.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toString()));
    }

    private static void write(Path file, String text) {
        try {
            Files.createDirectories(file.getParent());
            Files.writeString(file, text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static final class Source extends SimpleJavaFileObject {
        private final String text;

        Source(String file, String text) {
            super(
                    URI.create("string:///"
                            + Path.of(file.substring(
                                    file.indexOf(JAVA + "/") + JAVA.toString().length() + 1))),
                    Kind.SOURCE);
            this.text = text;
        }

        @Override
        public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return text;
        }
    }
}
