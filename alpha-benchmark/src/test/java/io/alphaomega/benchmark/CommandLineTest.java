package io.alphaomega.benchmark;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

final class CommandLineTest {
    private final StringWriter err = new StringWriter();

    private int execute(String line) {
        CommandLine commands = AlphaBenchmark.commands();
        commands.setErr(new PrintWriter(err));
        return commands.execute(line.split(" ", -1));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "run --address nowhere",
                "run -n many",
                "run -n 10 --duration 10s",
                "run --warmup soon",
                "run -c 0",
                "run -c 10..x",
                "run --branches 501",
                "run --payload -1",
                "run --abort-ratio 2",
                "run --failing-compensation-ratio 0.5",
                "run --services 0",
                "run --no-such-option",
                "run --threshold throughput=5",
                "search --rate 5",
                "search --from 0",
                "recovery --restart true",
                "disturb",
                "disturb --disturb true --times 0",
                "disturb --disturb true -n 5",
                "disturb --disturb true --threshold sagaMillis.p99<15",
                "nothing"
            })
    void what_makes_no_sense_is_refused_in_one_sentence_with_1(String line) {
        assertThat(execute(line)).isEqualTo(1);
        assertThat(err.toString().strip().lines()).hasSizeBetween(1, 2);
        assertThat(err.toString()).doesNotContain("Exception");
    }

    @Test
    void an_alpha_that_is_not_there_is_told_with_1() {
        assertThat(execute("run --address 127.0.0.1:1 --http 127.0.0.1:1 -n 1")).isEqualTo(1);
        assertThat(err.toString()).startsWith("Alpha is not to be reached");
    }
}
