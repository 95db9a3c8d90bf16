package io.alphaomega.samples.bank.campaign;

import static org.assertj.core.api.Assertions.assertThat;

import io.alphaomega.samples.bank.checker.History.Answer;
import io.alphaomega.samples.bank.checker.History.Fault;
import io.alphaomega.samples.bank.checker.History.Told;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class AnswersTest {
    private static final Instant START = Instant.parse("2026-11-20T08:00:00Z");

    private static Fault fault(String kind, int from, int until) {
        return new Fault(kind, "x", START.plusSeconds(from), START.plusSeconds(until), Set.of());
    }

    private static Told told(int answered, Answer answer) {
        return new Told("t", START, START.plusSeconds(answered), answer, null, List.of());
    }

    @Test
    void an_answer_is_put_down_to_the_last_fault_unless_that_is_long_over() {
        List<Told> told = List.of(
                told(1, Answer.COMMITTED),
                told(12, Answer.FAILED),
                told(24, Answer.FAILED),
                told(31, Answer.UNKNOWN),
                told(46, Answer.COMMITTED));

        assertThat(Answers.of(told, List.of(fault("pause", 30, 40), fault("kill", 10, 20)), Duration.ofSeconds(5)))
                .isEqualTo(Map.of(
                        Answers.CALM,
                        Map.of(Answer.COMMITTED, 2),
                        "kill",
                        Map.of(Answer.FAILED, 2),
                        "pause",
                        Map.of(Answer.UNKNOWN, 1)));
    }
}
