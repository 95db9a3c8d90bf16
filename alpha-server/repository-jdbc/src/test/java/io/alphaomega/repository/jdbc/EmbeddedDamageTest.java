package io.alphaomega.repository.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.alphaomega.repository.AppendResult.Appended;
import io.alphaomega.repository.Cursor;
import io.alphaomega.repository.SagaQuery;
import io.alphaomega.repository.SagaRepository;
import io.alphaomega.repository.SagaSummary;
import io.alphaomega.repository.SagaSummary.State;
import io.alphaomega.repository.StoredEvent;
import io.alphaomega.repository.Version;
import io.alphaomega.repository.campaign.Ledger;
import io.alphaomega.saga.CorruptJournalException;
import io.alphaomega.saga.SagaId;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is damaged in the records of one saga is that saga's affair: it is named, and the others go on. */
final class EmbeddedDamageTest {
    private static final SagaId DAMAGED = new SagaId("damaged");
    private static final SagaId SOUND = new SagaId("sound");

    @TempDir
    Path directory;

    private SagaRepository repository;

    @BeforeEach
    void two_sagas() {
        repository = JdbcSagaRepository.embedded(directory);
        repository.append(
                List.of(Ledger.item(DAMAGED.value(), Version.NONE, 5), Ledger.item(SOUND.value(), Version.NONE, 5)));
    }

    @AfterEach
    void the_other_saga_goes_on() {
        Version version = repository.load(SOUND).version();
        assertThat(version.sequence()).isEqualTo(5);
        assertThat(repository.append(List.of(Ledger.item(SOUND.value(), version, 2))))
                .allMatch(Appended.class::isInstance);
        assertThat(repository.find(SagaQuery.ALL, Cursor.START, 10).items())
                .extracting(SagaSummary::id)
                .contains(SOUND);
        repository.close();
    }

    @Test
    void changed_bytes_are_returned_as_they_are_and_do_not_match_their_checksum() throws Exception {
        damage(
                "UPDATE events SET bytes = CAST(X'00' || substr(bytes, 2) AS BLOB) WHERE saga = 'damaged' AND sequence = 3");

        List<StoredEvent> events = repository.load(DAMAGED).events();
        assertThat(events).hasSize(5);
        assertThat(events).filteredOn(event -> !event.isIntact()).containsExactly(events.get(2));
    }

    @Test
    void a_missing_event_is_reported() throws Exception {
        damage("DELETE FROM events WHERE saga = 'damaged' AND sequence = 3");
        assertReported("saga damaged", "after event 2 comes event 4");
    }

    @Test
    void a_missing_last_event_is_reported() throws Exception {
        damage("DELETE FROM events WHERE saga = 'damaged' AND sequence = 5");
        assertReported("saga damaged", "should have 5 events, but 4 are stored");
    }

    @Test
    void an_event_too_many_is_reported() throws Exception {
        damage("UPDATE sagas SET sequence = 4 WHERE id = 'damaged'");
        assertReported("saga damaged", "should have 4 events, but 5 are stored");
    }

    @Test
    void events_without_their_saga_are_reported() throws Exception {
        damage("DELETE FROM sagas WHERE id = 'damaged'");
        assertReported("saga damaged", "event 1 is stored, but nothing says that there is such a saga");
    }

    @Test
    void a_state_that_nobody_knows_is_shown_as_unreadable() throws Exception {
        damage("UPDATE sagas SET state = 'DREAMING' WHERE id = 'damaged'");

        assertThat(repository.find(SagaQuery.ALL, Cursor.START, 10).items())
                .filteredOn(saga -> saga.id().equals(DAMAGED))
                .allSatisfy(saga -> {
                    assertThat(saga.state()).isEqualTo(State.SUSPENDED);
                    assertThat(saga.reason()).contains("JOURNAL_UNREADABLE", "DREAMING");
                })
                .hasSize(1);
        assertThat(repository.counts().in(State.SUSPENDED)).isEqualTo(1);
    }

    private void assertReported(String... words) {
        assertThatExceptionOfType(CorruptJournalException.class)
                .isThrownBy(() -> repository.load(DAMAGED))
                .satisfies(e -> assertThat(e.getMessage()).contains(words).contains("other sagas go on"));
    }

    private void damage(String sql) throws Exception {
        try (Connection connection =
                        DriverManager.getConnection("jdbc:sqlite:" + directory.resolve(SqliteDatabase.FILE));
                Statement statement = connection.createStatement()) {
            assertThat(statement.executeUpdate(sql)).isEqualTo(1);
        }
    }
}
