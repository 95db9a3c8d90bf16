package io.alphaomega.benchmark.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OutputTest {
    @TempDir
    Path directory;

    private Output output(String path) {
        return new Output(Output.Form.JSON, directory.resolve(path));
    }

    @Test
    void a_file_that_cannot_be_written_is_refused_before_the_run() throws IOException {
        Files.createDirectory(directory.resolve("taken"));
        Files.createFile(directory.resolve("file"));
        assertThatThrownBy(() -> output("missing/report.json").check())
                .hasMessageStartingWith("--json must be a file that can be written, but is ")
                .hasMessageEndingWith("there is no directory " + directory.resolve("missing") + ". Nothing was run.");
        assertThatThrownBy(() -> output("taken").check()).hasMessageContaining("that is a directory");
        assertThatThrownBy(() -> output("file/report.json").check()).hasMessageContaining("there is no directory");
        assertThatThrownBy(() -> new Output(Output.Form.CSV, Path.of("/proc/report.csv")).check())
                .hasMessageStartingWith("--csv must be")
                .hasMessageContaining("no file can be made in /proc");
    }

    @Test
    void a_check_leaves_nothing_behind_and_an_old_report_is_there_until_the_new_one_is_whole() throws IOException {
        Files.writeString(directory.resolve("report.json"), "old");
        output("report.json").check();
        assertThat(directory.resolve("report.json")).hasContent("old");
        output("report.json").write("new");
        assertThat(directory.resolve("report.json")).hasContent("new");
        assertThat(directory).isDirectoryContaining(file -> file.endsWith("report.json"));
        try (var files = Files.list(directory)) {
            assertThat(files).hasSize(1);
        }
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(directory.resolve("report.json"))))
                .as("as any other file of this user")
                .isEqualTo(PosixFilePermissions.toString(
                        Files.getPosixFilePermissions(Files.createFile(directory.resolve("other")))));
    }

    @Test
    void a_directory_that_went_away_during_the_run_gets_a_sentence() throws IOException {
        Path gone = Files.createDirectory(directory.resolve("gone"));
        Output output = output("gone/report.json");
        output.check();
        Files.delete(gone);
        assertThatThrownBy(() -> output.write("new"))
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith("--json could not be written to " + gone.resolve("report.json"));
    }
}
