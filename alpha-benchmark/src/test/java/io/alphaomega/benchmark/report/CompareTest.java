package io.alphaomega.benchmark.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class CompareTest {
    private static final String REPORT = """
            {"format": 1, "label": %s, "verified": %s, "sagas": {"started": 10},
             "throughput": %s, "sagaMillis": {"p50": 2.5, "p99": %s}, "cpu": {"coordinatorMillisPerSaga": null}}
            """;

    @TempDir
    Path directory;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @BeforeEach
    void reports() throws IOException {
        write("one", "\"everysec\"", 7_000, 8);
        write("two", "\"everysec\"", 7_600, 9);
        write("three", "\"everysec\"", 7_500, 12);
        write("always", "null", 6_000, 16);
    }

    private void write(String name, String label, double throughput, double p99) throws IOException {
        Files.writeString(
                directory.resolve(name + ".json"), REPORT.formatted(label, !name.equals("two"), throughput, p99));
    }

    private int compare(String... files) {
        String[] paths = new String[files.length];
        for (int i = 0; i < files.length; i++)
            paths[i] = directory.resolve(files[i]).toString();
        return new CommandLine(new Compare())
                .setOut(new PrintWriter(out))
                .setErr(new PrintWriter(err))
                .setParameterExceptionHandler((e, arguments) -> {
                    err.append(e.getMessage());
                    return 1;
                })
                .execute(paths);
    }

    @Test
    void runs_of_one_label_are_a_group_and_others_are_called_by_their_file() {
        assertThat(compare("one.json", "two.json", "three.json", "always.json")).isZero();
        assertThat(out.toString()).isEqualTo("""
                                     runs  median  least   most  to the first
                        sagas/s
                          everysec      3   7,500  7,000  7,600        1.00 x
                          always        1   6,000  6,000  6,000       0.800 x
                        saga p50 ms
                          everysec      3    2.50   2.50   2.50        1.00 x
                          always        1    2.50   2.50   2.50        1.00 x
                        saga p99 ms
                          everysec      3    9.00   8.00   12.0        1.00 x
                          always        1    16.0   16.0   16.0        1.78 x
                        NOT VERIFIED: 1 of 3 runs of everysec.
                        """);
    }

    @Test
    void a_directory_stands_for_the_reports_in_it() {
        assertThat(compare("")).isZero();
        assertThat(out.toString()).contains("  always        1", "  everysec      3");
    }

    @Test
    void a_file_that_is_no_report_gets_a_sentence() throws IOException {
        Files.createDirectory(directory.resolve("empty"));
        Files.writeString(directory.resolve("text.json"), "throughput: 12");
        Files.writeString(directory.resolve("other.json"), "{\"throughput\": \"fast\"}");
        Files.writeString(
                directory.resolve("newer.json"), REPORT.replace("1,", "2,").formatted("null", true, 1, 1));
        assertThat(new String[] {"missing.json", "empty", "text.json", "other.json", "newer.json"})
                .allMatch(file -> compare(file) == 1);
        assertThat(err.toString())
                .contains("missing.json must be a report that --json wrote, but there is no such file.")
                .contains("empty must hold reports (files that end with .json), but holds none.")
                .contains("text.json must be a report that --json wrote, but it is no JSON (")
                .contains("other.json must be a report that --json wrote, but it has no throughput and no sagas.")
                .contains("its format is 2, and this alpha-benchmark reads 1.")
                .doesNotContain("Exception");
    }

    @Test
    void what_a_run_wrote_can_be_compared() throws IOException {
        Files.writeString(
                directory.resolve("run.json"), Samples.closedLoop("a run").json());
        assertThat(compare("run.json")).isZero();
        assertThat(out.toString())
                .contains("sagas/s\n  a run                 1   1,000", "CPU ms, coordinator", "ack p99 ms");
    }
}
