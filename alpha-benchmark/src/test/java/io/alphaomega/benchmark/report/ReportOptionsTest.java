package io.alphaomega.benchmark.report;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

class ReportOptionsTest {
    @TempDir
    Path directory;

    @Command
    private static final class Reporting {
        @Mixin
        private ReportOptions options = new ReportOptions();
    }

    private static void open(String... arguments) {
        Reporting command = new Reporting();
        new CommandLine(command).parseArgs(arguments);
        command.options.open(Samples.PLAN, List.of()).close();
    }

    @ParameterizedTest
    @CsvSource({
        "--label, ' ', --label must be a name",
        "--threshold, throughput, --threshold must be a figure",
        "--store-pid, 0, --store-pid must be processes of this machine",
        "--html, missing/page.html, --html must be a file that can be written",
    })
    void nonsense_is_refused_before_the_run_with_the_options_name(String option, String value, String sentence) {
        assertThatThrownBy(() -> open(option, value))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith(sentence);
    }

    @Test
    void two_outputs_of_one_file_are_refused() {
        String file = directory.resolve("report").toString();
        assertThatThrownBy(() -> open("--json", file, "--csv", directory.resolve(".") + "/report"))
                .hasMessageStartingWith("--csv must be a file of its own, but is ");
    }
}
