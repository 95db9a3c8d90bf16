package io.alphaomega.benchmark.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.time.Duration;
import org.junit.jupiter.api.Test;

final class PacerTest {
    private static final long SECOND = 1_000_000_000;

    @Test
    void a_steady_rate_begins_a_saga_at_equal_distances() {
        Pacer pacer = new Pacer(LoadPlan.Pace.perSecond(100, 10), 10);

        assertThat(pacer.dueAt(0)).isZero();
        assertThat(pacer.dueAt(1)).isEqualTo(SECOND / 100);
        assertThat(pacer.dueAt(1_000)).isEqualTo(10 * SECOND);
    }

    @Test
    void a_rising_rate_has_begun_the_area_beneath_it() {
        Pacer pacer = new Pacer(new LoadPlan.Pace(10, 10, 0, 100, Duration.ofSeconds(10)), 60);

        // A triangle of 10 s and 100/s: 500 sagas, a quarter of them in its first half.
        assertThat(pacer.dueAt(125)).isCloseTo(5 * SECOND, within(SECOND / 1_000));
        assertThat(pacer.dueAt(500)).isCloseTo(10 * SECOND, within(SECOND / 1_000));
        assertThat(pacer.dueAt(600)).isCloseTo(11 * SECOND, within(SECOND / 1_000));
    }

    @Test
    void a_rising_concurrency_rises_in_a_straight_line_and_stays() {
        Pacer pacer = new Pacer(new LoadPlan.Pace(10, 110, 0, 0, Duration.ofSeconds(10)), 60);

        assertThat(pacer.concurrencyAt(0)).isEqualTo(10);
        assertThat(pacer.concurrencyAt(5 * SECOND)).isEqualTo(60);
        assertThat(pacer.concurrencyAt(30 * SECOND)).isEqualTo(110);
    }
}
