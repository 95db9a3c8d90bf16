package io.alphaomega.benchmark.report;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/** A file that a run will write, named by an option. It is there whole or not at all. */
record Output(Form form, Path path) {
    /** What is written. */
    enum Form {
        JSON("--json"),
        HTML("--html"),
        CSV("--csv"),
        HDR("--hdr");

        private final String option;

        Form(String option) {
            this.option = option;
        }
    }

    String option() {
        return form.option;
    }

    /** @throws IllegalArgumentException with a sentence if it cannot be written: better before the run than after it */
    void check() {
        Path directory = directory();
        if (!Files.isDirectory(directory)) throw refused("there is no directory " + directory);
        if (Files.isDirectory(path)) throw refused("that is a directory");
        if (Files.exists(path) && !Files.isWritable(path)) throw refused("that file may not be written");
        try {
            Files.delete(temporary());
        } catch (IOException e) {
            throw refused("no file can be made in " + directory + " (" + e + ")");
        }
    }

    /** @throws IOException with a sentence */
    void write(String text) throws IOException {
        try {
            Path temporary = temporary();
            try {
                Files.writeString(temporary, text, UTF_8);
                Files.move(temporary, path, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            } finally {
                Files.deleteIfExists(temporary);
            }
        } catch (IOException e) {
            throw new IOException(
                    "%s could not be written to %s, although it could before the run: %s."
                            .formatted(form.option, path, e),
                    e);
        }
    }

    private Path temporary() throws IOException {
        // Not createTempFile, whose files only the owner may read.
        Path temporary = directory()
                .resolve(
                        "." + path.getFileName() + "." + ProcessHandle.current().pid() + ".part");
        Files.deleteIfExists(temporary);
        return Files.createFile(temporary);
    }

    private Path directory() {
        Path parent = path.toAbsolutePath().getParent();
        return parent == null ? path.toAbsolutePath() : parent;
    }

    private IllegalArgumentException refused(String why) {
        return new IllegalArgumentException("%s must be a file that can be written, but is %s: %s. Nothing was run."
                .formatted(form.option, path, why));
    }
}
