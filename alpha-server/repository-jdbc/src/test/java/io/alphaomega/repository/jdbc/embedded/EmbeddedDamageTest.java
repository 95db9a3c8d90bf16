package io.alphaomega.repository.jdbc.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.alphaomega.repository.AppendResult;
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
    private Version damaged;

    @BeforeEach
    void two_sagas() {
        repository = EmbeddedRepository.in(directory);
        List<AppendResult> begun = repository.append(
                List.of(Ledger.item(DAMAGED.value(), Version.NONE, 5), Ledger.item(SOUND.value(), Version.NONE, 5)));
        Version version = ((Appended) begun.getFirst()).version();
        damaged = ((Appended) repository
                        .append(List.of(Ledger.item(DAMAGED.value(), version, 1)))
                        .getFirst())
                .version();
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
                "UPDATE appends SET events = CAST(substr(events, 1, length(events) - 1) || X'00' AS BLOB) WHERE %s AND sequence = 5");

        List<StoredEvent> events = repository.load(DAMAGED).events();
        assertThat(events).hasSize(6);
        assertThat(events).filteredOn(event -> !event.isIntact()).containsExactly(events.get(4));
    }

    @Test
    void a_missing_append_is_reported() throws Exception {
        damage("DELETE FROM appends WHERE %s AND sequence = 5");
        assertReported("saga damaged", "after event 0 comes event 6");
    }

    @Test
    void appends_that_are_all_missing_are_reported() throws Exception {
        damage("UPDATE appends SET saga = saga + 100 WHERE %s AND sequence = 6");
        damage("DELETE FROM appends WHERE %s");
        assertReported("saga damaged", "there is such a saga, but none of its events");
    }

    @Test
    void an_append_that_says_it_has_more_events_than_there_are_is_reported() throws Exception {
        damage("UPDATE appends SET sequence = 7 WHERE %s AND sequence = 6");
        assertReported("saga damaged", "after event 5 comes event 7");
    }

    @Test
    void half_an_append_is_reported() throws Exception {
        damage("UPDATE appends SET events = substr(events, 1, 300) WHERE %s AND sequence = 5");
        assertReported("saga damaged", "ends in the middle of an event");
    }

    @Test
    void what_is_remembered_of_a_saga_counts_only_if_it_is_still_so_in_the_store() throws Exception {
        damage("UPDATE appends SET token = 5 WHERE %s AND sequence = 6");

        assertThat(repository.append(List.of(Ledger.item(DAMAGED.value(), damaged, 1))))
                .containsExactly(new AppendResult.Conflict(new Version(6, "0000000000000005")));
        assertThat(repository.load(DAMAGED).events()).hasSize(6);
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
                .satisfies(e -> assertThat(e.getMessage()).contains(words).contains("other sagas continue"));
    }

    private void damage(String sql) throws Exception {
        try (Connection connection =
                        DriverManager.getConnection("jdbc:sqlite:" + directory.resolve(SqliteDatabase.FILE));
                Statement statement = connection.createStatement()) {
            assertThat(statement.executeUpdate(
                            sql.replace("%s", "saga = (SELECT number FROM sagas WHERE id = 'damaged')")))
                    .isEqualTo(1);
        }
    }
}
