package io.alphaomega.benchmark.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

class ThresholdTest {
    private final JsonNode report = Report.JSON.valueToTree(Samples.closedLoop(null));

    @ParameterizedTest
    @CsvSource({
        "throughput >= 1000, true",
        "throughput>1000, false",
        "sagas.failed<=0, true",
        "sagaMillis.p99<15.8, true",
        "ackMillis.max < 1e1, true",
        "cpu.coordinatorMillisPerSaga<0.14, false"
    })
    void figures_are_held_against_their_bounds(String expression, boolean met) {
        assertThat(Threshold.parse(expression).judge(report).met()).isEqualTo(met);
    }

    @Test
    void a_figure_that_the_run_does_not_know_misses_every_threshold() {
        assertThat(Threshold.parse("sagaUncorrectedMillis.p99<1e9").judge(report))
                .isEqualTo(new Threshold.Outcome("sagaUncorrectedMillis.p99 < 1000000000", null, false));
        JsonNode nothing = Report.JSON.readTree("{\"sagaMillis\": {\"count\": 0, \"p99\": 0}}");
        assertThat(Threshold.parse("sagaMillis.p99<15").judge(nothing).met()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "p99<15", "sagaMillis.p98<15", "sagaMillis.p99=15", "sagaMillis.p99<", "throughput>1.2.3"})
    void nonsense_gets_a_sentence_with_the_options_name(String expression) {
        assertThatThrownBy(() -> Threshold.parse(expression))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("--threshold ");
    }
}
