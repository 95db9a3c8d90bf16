package io.alphaomega.repository.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.alphaomega.repository.Append;
import io.alphaomega.repository.Version;
import io.alphaomega.repository.campaign.Ledger;
import org.junit.jupiter.api.Test;

final class StoredSagaTest {
    private static final long WAKES = 1_790_000_000_000L;

    @Test
    void a_saga_that_wants_to_be_looked_at_a_little_later_stays_where_it_is_in_the_index() {
        assertThat(StoredSaga.dueAt(WAKES, WAKES)).isEqualTo(WAKES);
        assertThat(StoredSaga.dueAt(WAKES, WAKES + 300_000)).isEqualTo(WAKES);
    }

    @Test
    void it_moves_when_it_would_be_late_or_much_too_early_or_is_new_or_done() {
        assertThat(StoredSaga.dueAt(WAKES, WAKES - 1)).isEqualTo(WAKES - 1);
        assertThat(StoredSaga.dueAt(WAKES, WAKES + 3_600_000)).isEqualTo(WAKES + 3_600_000);
        assertThat(StoredSaga.dueAt(null, WAKES)).isEqualTo(WAKES);
        assertThat(StoredSaga.dueAt(WAKES, null)).isNull();
    }

    @Test
    void what_is_remembered_is_of_one_version() {
        Append item = Ledger.item("saga", Version.NONE, 1);
        Version version = new Version(1, "token");
        StoredSaga.Remembered remembered = new StoredSaga.Remembered();
        remembered.put(StoredSaga.after(null, item.summary(), version));

        assertThat(remembered.of("saga", version)).isNotNull();
        assertThat(remembered.of("saga", new Version(1, "another"))).isNull();
        assertThat(remembered.of("another", version)).isNull();
    }
}
