package io.alphaomega.server.stream;

import static org.assertj.core.api.Assertions.assertThat;

import io.alphaomega.saga.SagaId;
import io.alphaomega.saga.SagaInput;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class UnansweredTest {
    private static final SagaId SAGA = new SagaId("saga");

    private final Unanswered unanswered = new Unanswered();

    private Unanswered.Entry add(long correlation) {
        return unanswered.add(correlation, SAGA, new SagaInput.End(true), 10, 0, 0);
    }

    @Test
    void each_is_found_by_its_number_until_it_is_removed() {
        List<Unanswered.Entry> entries = new ArrayList<>();
        for (int i = 0; i < 5_000; i++) entries.add(add(i));

        assertThat(unanswered.size()).isEqualTo(5_000);
        assertThat(unanswered.bytes()).isEqualTo(50_000);
        for (int i = 0; i < 5_000; i++) {
            Unanswered.Entry found = unanswered.get(entries.get(i).number());
            assertThat(found)
                    .isNotNull()
                    .extracting(Unanswered.Entry::correlation)
                    .isEqualTo((long) i);
            unanswered.remove(entries.get(i));
        }
        assertThat(unanswered.isEmpty()).isTrue();
        assertThat(unanswered.bytes()).isZero();
    }

    @Test
    void a_number_never_comes_again_so_a_late_answer_meets_nobody() {
        Set<Long> numbers = new HashSet<>();
        for (int i = 0; i < 1_000; i++) {
            Unanswered.Entry entry = add(i);
            long number = entry.number();
            assertThat(numbers.add(number)).isTrue();
            unanswered.remove(entry);
            assertThat(unanswered.get(number)).isNull();
        }
    }

    @Test
    void a_saga_is_on_the_detour_until_the_last_that_took_it_is_answered() {
        Unanswered.Entry first = add(1);
        Unanswered.Entry second = add(2);
        Unanswered.Entry direct = add(3);
        unanswered.onDetour(first);
        unanswered.onDetour(first);
        unanswered.onDetour(second);

        unanswered.remove(first);
        assertThat(unanswered.anyOnDetour(SAGA)).isTrue();
        unanswered.remove(direct);
        assertThat(unanswered.anyOnDetour(SAGA)).isTrue();
        unanswered.remove(second);

        assertThat(unanswered.anyOnDetour(SAGA)).isFalse();
        unanswered.onDetour(add(4));
        assertThat(unanswered.anyOnDetour(new SagaId("another"))).isFalse();
    }

    @Test
    void to_remove_twice_is_to_remove_once() {
        Unanswered.Entry entry = add(1);
        unanswered.remove(entry);
        unanswered.remove(entry);

        assertThat(unanswered.size()).isZero();
        assertThat(unanswered.bytes()).isZero();
        assertThat(add(2)).isNotSameAs(add(3));
    }

    @Test
    void a_number_that_was_never_given_is_unknown() {
        assertThat(unanswered.get(0)).isNull();
        assertThat(unanswered.get(Long.MAX_VALUE)).isNull();
        add(1);
        assertThat(unanswered.get(12)).isNull();
    }

    @Test
    void those_that_are_looked_at_may_be_removed() {
        for (int i = 0; i < 100; i++) add(i);

        unanswered.forEach(unanswered::remove);

        assertThat(unanswered.isEmpty()).isTrue();
    }
}
