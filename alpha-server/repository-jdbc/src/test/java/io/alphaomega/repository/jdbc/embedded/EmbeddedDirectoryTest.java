package io.alphaomega.repository.jdbc.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.assertj.core.api.Assertions.tuple;

import io.alphaomega.repository.AppendResult.Appended;
import io.alphaomega.repository.Cursor;
import io.alphaomega.repository.Durability;
import io.alphaomega.repository.Durability.Level;
import io.alphaomega.repository.Health;
import io.alphaomega.repository.Loaded;
import io.alphaomega.repository.SagaQuery;
import io.alphaomega.repository.SagaRepository;
import io.alphaomega.repository.SagaSummary;
import io.alphaomega.repository.SagaSummary.State;
import io.alphaomega.repository.StoredEvent;
import io.alphaomega.repository.Version;
import io.alphaomega.repository.campaign.Ledger;
import io.alphaomega.repository.campaign.Writer;
import io.alphaomega.repository.jdbc.JdbcSagaRepository;
import io.alphaomega.saga.CorruptJournalException;
import io.alphaomega.saga.SagaId;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.assertj.core.groups.Tuple;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What alpha is told, in a sentence, when it is given a directory that it must not use. */
final class EmbeddedDirectoryTest {
    @TempDir
    Path parent;

    @TempDir
    Path elsewhere;

    @Test
    void constructing_does_nothing_and_the_first_call_creates_the_directory() {
        Path directory = parent.resolve("new");
        try (SagaRepository repository = EmbeddedRepository.in(directory)) {
            assertThat(directory).doesNotExist();
            assertThat(repository.check()).isInstanceOf(Health.Up.class);
            assertThat(directory).isDirectory();
        }
    }

    @Test
    void the_durability_is_read_from_the_settings_in_force() {
        assertThat(durability("FULL"))
                .isEqualTo(new Durability(Level.POWER_LOSS, "SQLite, journal_mode=wal, synchronous=FULL"));
        assertThat(durability("EXTRA").level()).isEqualTo(Level.POWER_LOSS);
        assertThat(durability("NORMAL").level()).isEqualTo(Level.PROCESS_CRASH);
        assertThat(durability("OFF").level()).isEqualTo(Level.PROCESS_CRASH);
    }

    private Durability durability(String synchronous) {
        List<String> settings = List.of("PRAGMA journal_mode = WAL", "PRAGMA synchronous = " + synchronous);
        try (SagaRepository repository = new JdbcSagaRepository(SqliteDatabase.in(parent, settings))) {
            return repository.durability();
        }
    }

    @Test
    void a_second_repository_of_this_process_is_refused_and_does_not_harm_the_first() throws Exception {
        try (SagaRepository first = EmbeddedRepository.in(parent)) {
            first.counts();
            assertRefused(parent, parent.toString(), "in use by this process", "one alpha");
            assertRefused(parent.resolve("../" + parent.getFileName()), "in use by this process");
            // What the second one did must not have given up the lock of the first.
            assertThat(openElsewhere())
                    .contains("in use by process " + ProcessHandle.current().pid());
        }
        try (SagaRepository next = EmbeddedRepository.in(parent)) {
            assertThat(next.check()).isInstanceOf(Health.Up.class);
        }
    }

    @Test
    void a_second_process_is_refused_and_told_which_one_is_there() throws Exception {
        try (Writer writer = Writer.start(EmbeddedOnDisk.class, parent.toString(), 1, elsewhere)) {
            writer.await(1, new Ledger());
            assertRefused(parent, parent.toString(), "in use by process " + writer.pid(), "Stop the other one");
        }
        try (SagaRepository next = EmbeddedRepository.in(parent)) {
            assertThat(next.check()).as("after the other one was killed").isInstanceOf(Health.Up.class);
        }
    }

    /** The output of a process that tries to open the store. */
    private String openElsewhere() {
        return String.valueOf(catchThrowableOfType(
                        IOException.class,
                        () -> Writer.command(EmbeddedOnDisk.class, parent.toString(), 2)
                                .run(elsewhere))
                .getMessage());
    }

    @Test
    void a_file_is_refused() throws Exception {
        Path file = Files.createFile(parent.resolve("file"));
        assertRefused(file, file.toString(), "is a file");
    }

    @Test
    void a_directory_whose_parent_is_missing_is_refused() {
        Path directory = parent.resolve("not/mounted");
        assertRefused(directory, directory.toString(), "does not exist and cannot be created");
        assertThat(parent.resolve("not")).doesNotExist();
    }

    @Test
    void a_directory_that_cannot_be_written_is_refused() {
        // Not even root may create a file there.
        Path directory = Path.of("/proc/self");
        assertRefused(directory, directory.toString(), "cannot be written");
    }

    @Test
    void a_store_of_a_newer_alpha_is_refused() throws Exception {
        create();
        execute("PRAGMA user_version = 99");
        assertRefused(
                parent,
                parent.toString(),
                "schema version 99",
                "knows up to " + SqliteDatabase.SCHEMA_VERSION,
                "newer alpha");
    }

    @Test
    void a_store_of_an_earlier_schema_is_migrated_with_what_is_in_it() throws Exception {
        createSchema2();
        execute(
                "INSERT INTO sagas VALUES ('a', 2, 't', 'COMMITTED', 's', 'o', '', 's\n', 7, '', 0, 1, 2, 3, NULL, NULL)");
        execute(
                "INSERT INTO sagas VALUES ('old', 9, 'u', 'PURGED_COMPENSATED', '', '', '', '', 0, '', 0, 1, 2, NULL, NULL, 5)");
        execute("INSERT INTO saga_services VALUES ('s', 1, 'a')");
        execute("INSERT INTO events VALUES ('a', 2, 'böse', X'', 0)");
        execute("INSERT INTO events VALUES ('a', 1, 'begun', X'010078', -2)");

        SagaId saga = new SagaId("a");
        try (SagaRepository repository = EmbeddedRepository.in(parent)) {
            Loaded loaded = repository.load(saga);
            assertThat(loaded.events())
                    .containsExactly(
                            new StoredEvent("begun", new byte[] {1, 0, 'x'}, -2), StoredEvent.of("böse", new byte[0]));
            assertThat(loaded.version().sequence()).isEqualTo(2);
            assertThat(repository.find(SagaQuery.ALL, Cursor.START, 10).items())
                    .extracting(SagaSummary::services, SagaSummary::updatedAt, SagaSummary::branches)
                    .containsExactly(tuple(Set.of("s"), Instant.ofEpochMilli(2), 7));
            assertThat(repository.append(List.of(Ledger.item("a", loaded.version(), 1))))
                    .hasOnlyElementsOfType(Appended.class);
            assertThat(repository.load(saga).events()).hasSize(3);
            assertThat(repository.load(new SagaId("old")).tombstone()).contains(State.COMPENSATED);
            assertThat(repository.forget(Instant.ofEpochMilli(9), 10)).isEqualTo(1);
        }
    }

    @Test
    void a_journal_that_was_damaged_before_a_migration_is_so_afterwards() throws Exception {
        createSchema2();
        saga2("sound", 2, 1, 2);
        saga2("short", 5, 1, 2, 3, 4);
        saga2("long", 2, 1, 2, 3);
        saga2("empty", 3);
        saga2("holed", 3, 1, 3, 4);

        try (SagaRepository repository = EmbeddedRepository.in(parent)) {
            assertThat(repository.load(new SagaId("sound")).events()).hasSize(2);
            assertCorrupt(repository, "short", "should have 5 events, but fewer or more are stored");
            assertCorrupt(repository, "long", "should have 2 events, but fewer or more are stored");
            assertCorrupt(repository, "empty", "should have 3 events, but fewer or more are stored");
            assertCorrupt(repository, "holed", "after event 1 comes event 3");
            assertThat(repository.find(SagaQuery.ALL, Cursor.START, 10).items())
                    .extracting(saga -> saga.id().value(), SagaSummary::branches, SagaSummary::wakeUpAt)
                    .containsExactlyInAnyOrder(Stream.of("sound", "short", "long", "empty", "holed")
                            .map(id -> tuple(id, 7, Optional.of(Instant.ofEpochMilli(3))))
                            .toArray(Tuple[]::new));
            assertThat(repository.due(Instant.ofEpochMilli(3), Cursor.START, 10).items())
                    .hasSize(5);
        }
    }

    private static void assertCorrupt(SagaRepository repository, String id, String found) {
        assertThatExceptionOfType(CorruptJournalException.class)
                .isThrownBy(() -> repository.load(new SagaId(id)))
                .withMessageContaining("saga " + id)
                .withMessageContaining(found);
    }

    private void createSchema2() throws SQLException {
        for (int version = 1; version <= 2; version++) {
            for (String statement :
                    SqliteDatabase.script("sqlite-" + version + ".sql").split(";\n", -1)) {
                if (!statement.isBlank()) execute(statement);
            }
        }
        execute("PRAGMA application_id = " + SqliteDatabase.APPLICATION_ID);
        execute("PRAGMA user_version = 2");
    }

    /** A saga of schema 2 that should have so many events, and has these. */
    private void saga2(String id, int sequence, int... events) throws SQLException {
        execute("INSERT INTO sagas VALUES ('%s', %d, 't', 'ACTIVE', 's', 'o', '', 's\n', 7, '', 0, 1, 2, NULL, 3, NULL)"
                .formatted(id, sequence));
        for (int event : events) execute("INSERT INTO events VALUES ('%s', %d, 'x', X'', 0)".formatted(id, event));
    }

    @Test
    void a_database_of_another_program_is_refused() throws Exception {
        execute("CREATE TABLE theirs (id INTEGER)");
        byte[] theirs = Files.readAllBytes(parent.resolve(SqliteDatabase.FILE));
        assertRefused(parent, parent.toString(), "is not alpha's");
        assertThat(parent.resolve(SqliteDatabase.FILE)).hasBinaryContent(theirs);
    }

    @Test
    void a_file_that_is_no_database_is_refused() throws Exception {
        Files.writeString(parent.resolve(SqliteDatabase.FILE), "certainly not a database ".repeat(1_000));
        assertRefused(parent, parent.toString(), "is damaged", "does not start", ".recover");
    }

    @Test
    void a_store_with_a_damaged_page_is_refused() throws Exception {
        create();
        try (RandomAccessFile file =
                new RandomAccessFile(parent.resolve(SqliteDatabase.FILE).toFile(), "rw")) {
            // The root pages of the tables and indexes.
            for (int page = 1; page < 8; page++) {
                file.seek(4_096L * page);
                file.write("damage".repeat(20).getBytes(StandardCharsets.US_ASCII));
            }
        }
        assertRefused(parent, parent.toString(), "is damaged", "does not start", ".recover");
    }

    @Test
    void a_store_that_was_refused_is_not_held() throws Exception {
        create();
        execute("PRAGMA user_version = 99");
        try (SagaRepository repository = EmbeddedRepository.in(parent)) {
            assertThatIllegalStateException().isThrownBy(repository::durability);
            assertThat(repository.check()).isInstanceOf(Health.Down.class);
            execute("PRAGMA user_version = " + SqliteDatabase.SCHEMA_VERSION);
            assertThat(repository.load(new SagaId("a")).version()).isNotEqualTo(Version.NONE);
        }
    }

    private void create() {
        try (SagaRepository repository = EmbeddedRepository.in(parent)) {
            repository.append(List.of(Ledger.item("a", Version.NONE, 3)));
        }
    }

    private void execute(String sql) throws SQLException {
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + parent.resolve(SqliteDatabase.FILE));
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private static void assertRefused(Path directory, String... words) {
        try (SagaRepository repository = EmbeddedRepository.in(directory)) {
            assertThatIllegalStateException()
                    .isThrownBy(repository::durability)
                    .satisfies(e -> assertThat(e.getMessage()).contains(words).endsWith("."));
        }
    }
}
