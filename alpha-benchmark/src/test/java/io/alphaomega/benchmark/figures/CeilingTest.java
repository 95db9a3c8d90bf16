package io.alphaomega.benchmark.figures;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.util.List;
import org.junit.jupiter.api.Test;

final class CeilingTest {
    private final Ceiling ceiling = new Ceiling("SET", List.of(List.of("tool", "run")));

    @Test
    void the_last_figure_that_redis_benchmark_says_is_the_one() {
        assertThat(
                        ceiling.figure(
                                "SET key:__rand_int__ x: rps=0.0 (overall: 0.0)\rSET key:__rand_int__ x: 48123.45 requests per second, p50=0.103 msec\n"))
                .isEqualTo("48,123/s");
    }

    @Test
    void sysbench_says_transactions_and_not_queries() {
        assertThat(ceiling.figure("""
                        SQL statistics:
                            transactions:                        10523  (1052.01 per sec.)
                            queries:                             63138  (6312.06 per sec.)
                        """)).isEqualTo("1,052/s");
    }

    @Test
    void without_a_figure_it_is_said_what_was_found() {
        assertThatIllegalStateException()
                .isThrownBy(() -> ceiling.figure("FATAL: no server"))
                .withMessage("No figure in what tool said: FATAL: no server");
    }
}
