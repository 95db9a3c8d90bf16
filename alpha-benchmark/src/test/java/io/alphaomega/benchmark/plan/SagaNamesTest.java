package io.alphaomega.benchmark.plan;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.UUID;
import org.junit.jupiter.api.Test;

final class SagaNamesTest {
    private final SagaNames names = new SagaNames(Instant.parse("2026-11-20T12:00:00Z"), 0x1234_5678_9abcL);

    @Test
    void the_number_of_a_saga_is_read_back_from_its_id() {
        for (long ordinal : new long[] {0, 1, 255, 256, 99_999, 12_345_678, SagaNames.ORDINALS - 1}) {
            String id = names.saga(ordinal);
            assertThat(UUID.fromString(id).version()).isEqualTo(7);
            assertThat(names.ordinal(id)).isEqualTo(ordinal);
        }
    }

    @Test
    void ids_of_another_run_are_nobodys() {
        SagaNames other = new SagaNames(Instant.parse("2026-11-20T12:00:00Z"), 7);

        assertThat(names.ordinal(other.saga(3))).isEqualTo(-1);
        assertThat(names.ordinal("nonsense")).isEqualTo(-1);
    }

    @Test
    void the_number_of_a_branch_is_read_back_from_its_id_and_belongs_to_one_saga() {
        assertThat(names.branch(7, names.branch(7, 499))).isEqualTo(499);
        assertThat(names.branch(8, names.branch(7, 499))).isEqualTo(-1);
    }
}
