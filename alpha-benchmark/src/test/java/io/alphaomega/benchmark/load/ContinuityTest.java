package io.alphaomega.benchmark.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

final class ContinuityTest {
    private static final long SECOND = 1_000_000_000;

    private final Continuity continuity = new Continuity(2);

    @Test
    void the_longest_time_without_a_begin_is_between_two_of_them_or_up_to_now() {
        continuity.watch(0);
        continuity.acknowledged("a", true, SECOND);
        continuity.acknowledged("a", false, 2 * SECOND);
        continuity.acknowledged("b", true, 4 * SECOND);

        assertThat(continuity.outage(5 * SECOND).withoutBegin()).isEqualTo(Duration.ofSeconds(3));
        assertThat(continuity.outage(9 * SECOND).withoutBegin()).isEqualTo(Duration.ofSeconds(5));
    }

    @Test
    void a_shard_stands_still_while_none_of_its_sagas_is_answered() {
        continuity.watch(0);
        for (int second = 1; second <= 9; second++) {
            for (char saga = 0; saga < 100; saga++) {
                boolean dead = saga < 33 && second > 2 && second < 7;
                if (!dead) continuity.acknowledged(Character.toString(saga), false, second * SECOND);
            }
        }

        assertThat(continuity.outage(9 * SECOND).still(Duration.ofSeconds(1)))
                .hasSize(33)
                .containsOnly(Duration.ofSeconds(5));
    }

    @Test
    void streams_are_back_when_none_is_missing() {
        continuity.back(0);
        continuity.back(0);
        continuity.watch(SECOND);
        continuity.lost(2 * SECOND);
        continuity.lost(3 * SECOND);
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
}
