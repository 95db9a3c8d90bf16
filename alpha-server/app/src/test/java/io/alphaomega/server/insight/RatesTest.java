package io.alphaomega.server.insight;

import static org.assertj.core.api.Assertions.assertThat;

import io.alphaomega.server.saga.SagaMetrics.Totals;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What happened, second by second, on one node and on several. */
class RatesTest {
    private static final Instant START = Instant.parse("2026-11-20T09:00:00.4Z");

    private static Totals begun(long count) {
        return new Totals(count, 0, 0, 0);
    }

    @Test
    void each_second_has_what_it_brought() {
        RateHistory history = new RateHistory(START, begun(100));
        history.note(START.plusSeconds(1), begun(107));
        history.note(START.plusSeconds(2), begun(107));

        assertThat(history.rates().seconds()).extracting(Totals::begun).containsExactly(7L, 0L);
        assertThat(history.rates().lastSecond()).isEqualTo(START.getEpochSecond() + 2);
    }

    @Test
    void a_second_that_was_left_out_is_in_the_next_and_the_place_of_the_others_stays() {
        RateHistory history = new RateHistory(START, begun(0));
        history.note(START.plusSeconds(3), begun(6));

        assertThat(history.rates().seconds()).extracting(Totals::begun).containsExactly(0L, 0L, 6L);
    }

    @Test
    void five_minutes_are_kept() {
        RateHistory history = new RateHistory(START, begun(0));
        for (int i = 1; i <= 1_000; i++) history.note(START.plusSeconds(i), begun(i));

        assertThat(history.rates().seconds()).hasSize(Rates.SECONDS_MAX).allMatch(each -> each.begun() == 1);
        history.note(START.plusSeconds(10_000), begun(1_000));
        assertThat(history.rates().seconds()).hasSize(Rates.SECONDS_MAX).allMatch(each -> each.begun() == 0);
    }

    @Test
    void the_rates_of_a_cluster_are_the_sums_up_to_the_second_that_all_nodes_have_seen() {
        Rates one = new Rates(100, List.of(begun(1), begun(2), begun(3)));
        Rates ahead = new Rates(101, List.of(begun(20), begun(30), begun(40)));
        Rates fresh = new Rates(90, List.of());

        Rates sum = Rates.sum(List.of(one, ahead, fresh));

        assertThat(sum.lastSecond()).isEqualTo(100);
        assertThat(sum.seconds()).extracting(Totals::begun).containsExactly(1L, 22L, 33L);
    }
}
