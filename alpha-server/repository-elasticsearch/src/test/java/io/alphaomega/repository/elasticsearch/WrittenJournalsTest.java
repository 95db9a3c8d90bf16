package io.alphaomega.repository.elasticsearch;

import static org.assertj.core.api.Assertions.assertThat;

import io.alphaomega.saga.SagaId;
import org.junit.jupiter.api.Test;

final class WrittenJournalsTest {
    private static final SagaId SAGA = new SagaId("saga");

    private final WrittenJournals written = new WrittenJournals();

    @Test
    void a_journal_is_known_as_the_write_left_it_and_not_otherwise() {
        written.put(SAGA, new WriteStamp(1, 1), "first");
        assertThat(written.events(SAGA, new WriteStamp(1, 1))).contains("first");
        assertThat(written.events(SAGA, new WriteStamp(2, 1))).isEmpty();
        assertThat(written.events(SAGA, new WriteStamp(1, 2))).isEmpty();

        written.put(SAGA, new WriteStamp(2, 1), "first,second");
        assertThat(written.events(SAGA, new WriteStamp(1, 1))).isEmpty();
        assertThat(written.events(SAGA, new WriteStamp(2, 1))).contains("first,second");
        written.remove(SAGA);
        assertThat(written.events(SAGA, new WriteStamp(2, 1))).isEmpty();
    }

    @Test
    void a_long_journal_is_left_to_the_node() {
        written.put(SAGA, new WriteStamp(1, 1), "short");
        written.put(SAGA, new WriteStamp(2, 1), "x".repeat(100_000));
        assertThat(written.events(SAGA, new WriteStamp(1, 1))).isEmpty();
        assertThat(written.events(SAGA, new WriteStamp(2, 1))).isEmpty();
    }

    @Test
    void of_too_many_those_that_were_not_used_for_longest_are_forgotten() {
        String events = "x".repeat(10_000);
        for (int i = 0; i < 10_000; i++) {
            written.put(new SagaId("saga-" + i), new WriteStamp(i, 1), events);
            assertThat(written.events(new SagaId("saga-0"), new WriteStamp(0, 1)))
                    .isPresent();
        }
        assertThat(written.events(new SagaId("saga-1"), new WriteStamp(1, 1))).isEmpty();
        assertThat(written.events(new SagaId("saga-9999"), new WriteStamp(9999, 1)))
                .isPresent();
        assertThat(written.events(new SagaId("saga-8999"), new WriteStamp(8999, 1)))
                .isPresent();
    }
}
