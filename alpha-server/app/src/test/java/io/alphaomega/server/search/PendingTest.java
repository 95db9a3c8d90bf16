package io.alphaomega.server.search;

import static org.assertj.core.api.Assertions.assertThat;

import io.alphaomega.repository.SagaSummary;
import io.alphaomega.saga.SagaId;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class PendingTest {
    private static final Instant T0 = Instant.parse("2026-11-20T08:00:00Z");

    private final Pending pending = new Pending(3);

    @Test
    void only_the_newest_of_a_saga_waits_and_its_time_is_that_of_the_oldest() {
        appended("a", 1, 0);
        appended("a", 3, 1);
        appended("a", 2, 2);
        assertThat(pending.take(10, Duration.ZERO)).containsExactly(item("a", 3, 0));
    }

    @Test
    void a_doubtful_append_is_looked_up_unless_a_later_one_tells() {
        appended("a", 0, 0);
        appended("a", 2, 1);
        appended("b", 2, 2);
        appended("b", 0, 3);
        assertThat(pending.take(10, Duration.ZERO)).containsExactly(item("a", 2, 0), item("b", 0, 2));
    }

    @Test
    void everything_is_complete_up_to_now_when_nothing_waits() {
        assertThat(pending.completeUpTo(at(9))).isEqualTo(at(9));
        appended("a", 1, 3);
        assertThat(pending.completeUpTo(at(9))).isEqualTo(at(3));
        pending.take(10, Duration.ZERO);
        assertThat(pending.completeUpTo(at(9))).isEqualTo(at(3));
        pending.done();
        assertThat(pending.completeUpTo(at(9))).isEqualTo(at(9));
    }

    @Test
    void an_append_that_is_under_way_is_not_complete() {
        pending.begins(at(1));
        pending.begins(at(2));
        assertThat(pending.completeUpTo(at(9))).isEqualTo(at(1));
        pending.over(at(1), List.of());
        assertThat(pending.completeUpTo(at(9))).isEqualTo(at(2));
        pending.over(at(2), List.of());
        assertThat(pending.completeUpTo(at(9))).isEqualTo(at(9));
    }

    @Test
    void what_failed_waits_again_behind_the_others_and_newer_news_of_it_win() {
        appended("a", 1, 0);
        pending.take(1, Duration.ZERO);
        appended("b", 1, 1);
        pending.failed();
        assertThat(pending.take(1, Duration.ZERO)).containsExactly(item("b", 1, 1));
        pending.done();

        pending.take(1, Duration.ZERO);
        appended("a", 2, 2);
        pending.failed();
        assertThat(pending.take(1, Duration.ZERO)).containsExactly(item("a", 2, 0));
    }

    @Test
    void what_there_is_no_room_for_is_remembered_by_its_time_only() {
        for (int i = 0; i < 5; i++) appended("s" + i, 1, i);
        appended("s0", 2, 6);
        assertThat(pending.size()).isEqualTo(3);
        assertThat(pending.completeUpTo(at(9))).isEqualTo(at(0));
        assertThat(pending.take(10, Duration.ZERO)).hasSize(3);
        pending.done();
        assertThat(pending.completeUpTo(at(9))).isEqualTo(at(3));
        assertThat(pending.takeMissing()).contains(at(3));
        assertThat(pending.takeMissing()).isEmpty();
    }

    private void appended(String saga, long sequence, int second) {
        pending.begins(at(second));
        pending.over(at(second), List.of(item(saga, sequence, second)));
    }

    /** Of an append at that second. */
    private static Pending.Item item(String saga, long sequence, int second) {
        SagaSummary summary = new SagaSummary(
                new SagaId(saga),
                SagaSummary.State.ACTIVE,
                "booking",
                "book",
                "",
                Set.of("booking"),
                (int) sequence,
                "",
                false,
                T0,
                T0,
                Optional.empty(),
                Optional.empty());
        return new Pending.Item(summary, sequence, at(second));
    }

    private static Instant at(int second) {
        return T0.plusSeconds(second);
    }
}
