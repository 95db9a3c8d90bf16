package io.alphaomega.benchmark.load;

import static org.assertj.core.api.Assertions.assertThat;

import io.alphaomega.benchmark.measure.Outage;
import java.time.Duration;
import org.junit.jupiter.api.Test;

final class ContinuityTest {
    private static final long SECOND = 1_000_000_000;

    private final Continuity continuity = new Continuity(2);

    @Test
    void the_longest_time_without_a_begin_is_between_two_of_them_or_up_to_now() {
        continuity.watch(0);
        continuity.acknowledged("a", true, SECOND, SECOND);
        continuity.acknowledged("a", false, 2 * SECOND, 2 * SECOND);
        continuity.acknowledged("b", true, 4 * SECOND, 4 * SECOND);

        assertThat(continuity.outage(5 * SECOND).withoutBegin()).isEqualTo(Duration.ofSeconds(3));
        assertThat(continuity.outage(9 * SECOND).withoutBegin()).isEqualTo(Duration.ofSeconds(5));
    }

    @Test
    void a_shard_stands_still_while_it_is_asked_and_answers_nothing() {
        continuity.watch(0);
        continuity.acknowledged("a", false, SECOND, 2 * SECOND);
        continuity.acknowledged("a", false, 2 * SECOND, 7 * SECOND);
        continuity.acknowledged("a", false, 3 * SECOND, 8 * SECOND);

        assertThat(continuity.outage(9 * SECOND).still(Duration.ofSeconds(1))).containsExactly(Duration.ofSeconds(5));
    }

    @Test
    void a_shard_that_is_not_asked_does_not_stand_still() {
        continuity.watch(0);
        continuity.acknowledged("a", false, 8 * SECOND, 8 * SECOND + 1);

        assertThat(continuity.outage(9 * SECOND).still(Duration.ofSeconds(1))).isEmpty();
    }

    @Test
    void a_shard_that_has_not_answered_yet_stands_still_until_now() {
        continuity.watch(SECOND);
        continuity.waited("a", 0, 7 * SECOND);

        assertThat(continuity.outage(7 * SECOND).still(Duration.ofSeconds(1))).containsExactly(Duration.ofSeconds(6));
    }

    @Test
    void streams_are_back_when_none_is_missing() {
        continuity.back(0);
        continuity.back(0);
        continuity.watch(SECOND);
        continuity.lost(2 * SECOND, false);
        continuity.lost(3 * SECOND, false);
        continuity.back(5 * SECOND);

        assertThat(continuity.outage(6 * SECOND).missing()).isEqualTo(1);
        assertThat(continuity.outage(6 * SECOND).missingFor()).isEqualTo(Duration.ofSeconds(4));

        continuity.back(8 * SECOND);

        Outage outage = continuity.outage(20 * SECOND);
        assertThat(outage.lost()).isEqualTo(2);
        assertThat(outage.missing()).isZero();
        assertThat(outage.missingFor()).isEqualTo(Duration.ofSeconds(6));
        assertThat(outage.comingBack()).isEqualTo(Duration.ofSeconds(3));
    }

    @Test
    void a_stream_that_was_asked_to_go_is_missing_but_not_lost() {
        continuity.back(0);
        continuity.back(0);
        continuity.watch(SECOND);
        continuity.lost(2 * SECOND, true);
        continuity.back(3 * SECOND);

        Outage outage = continuity.outage(4 * SECOND);
        assertThat(outage.lost()).isZero();
        assertThat(outage.missingFor()).isEqualTo(Duration.ofSeconds(1));
    }
}
