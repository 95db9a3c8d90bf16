package io.alphaomega.server.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.alphaomega.server.text.Texts;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Where things are on the line of a saga's time. */
class WaterfallTest {
    private static final Instant START = Instant.parse("2026-11-20T09:00:00Z");

    private static TimeScale scale(long... millis) {
        return new TimeScale(
                java.util.Arrays.stream(millis).mapToObj(START::plusMillis).toList());
    }

    @Test
    void times_are_to_scale_where_something_happens_all_the_time() {
        assertThat(scale(0, 1, 2, 3, 100).isToScale()).isFalse(); // All but 3 of 100 ms are one pause.
        assertThat(scale(0, 10, 25, 60, 100).isToScale()).isTrue();
        assertThat(scale(0, 10, 25, 60, 100).at(START.plusMillis(25))).isCloseTo(25, within(.001));
    }

    @Test
    void a_pause_of_hours_leaves_room_for_milliseconds() {
        TimeScale scale = scale(
                0, 5, 9, Duration.ofHours(6).toMillis(), Duration.ofHours(6).toMillis() + 3);

        assertThat(scale.isToScale()).isFalse();
        assertThat(scale.at(START.plusMillis(5))).isBetween(5.0, 20.0);
        assertThat(scale.at(START.plus(Duration.ofHours(6)))).isBetween(80.0, 97.0);
    }

    @Test
    void times_stay_in_their_order_and_between_begin_and_end() {
        TimeScale scale = scale(0, 0, 7, 7, 8, 4_000, 4_001);
        List<Double> places = Stream.of(0L, 3L, 7L, 8L, 100L, 4_000L, 4_001L, 9_000L)
                .map(at -> scale.at(START.plusMillis(at)))
                .toList();

        assertThat(places).isSorted();
        assertThat(places.getFirst()).isZero();
        assertThat(places.getLast()).isEqualTo(100);
    }

    @Test
    void a_saga_that_took_no_time_has_a_place_all_the_same() {
        assertThat(scale(0).at(START)).isBetween(0.0, 100.0);
        assertThat(scale(0).ticks(new Words(Texts.ENGLISH))).hasSize(1);
    }

    @Test
    void the_words_of_two_times_do_not_overlap() {
        TimeScale scale = scale(0, 1, 2, 3, 50, 99, 100);
        List<Double> ticks = scale.ticks(new Words(Texts.ENGLISH)).stream()
                .map(TimeScale.Tick::at)
                .toList();

        for (int i = 1; i < ticks.size(); i++)
            assertThat(ticks.get(i) - ticks.get(i - 1)).isGreaterThan(10);
    }
}
