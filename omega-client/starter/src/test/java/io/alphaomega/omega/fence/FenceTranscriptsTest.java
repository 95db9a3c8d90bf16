package io.alphaomega.omega.fence;

import static org.assertj.core.api.Assertions.assertThat;

import io.r2dbc.h2.H2ConnectionConfiguration;
import io.r2dbc.h2.H2ConnectionFactory;
import io.r2dbc.spi.IsolationLevel;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;
import org.sqlite.SQLiteDataSource;

/** The stories of {@link FenceTranscripts}, by the rules in memory and on the databases that need no server. */
class FenceTranscriptsTest {
    @TempDir
    private Path directory;

    @TestFactory
    Stream<DynamicTest> every_story_happens_by_the_rules_as_written() {
        return FenceTranscripts.files().stream()
                .map(file -> DynamicTest.dynamicTest(FenceTranscripts.name(file), () -> {
                    String retold = FenceTranscripts.retold(file, new RulesTeller(), FenceTranscripts::ofRules);
                    assertThat(retold).isEqualTo(FenceTranscripts.rewritten(file, retold));
                }));
    }

    @Test
    void on_sqlite() throws Exception {
        SQLiteDataSource database = new SQLiteDataSource();
        database.setUrl("jdbc:sqlite:" + directory.resolve("participant.db"));
        StatementsTeller teller = new StatementsTeller();
        JdbcParticipant participant = new JdbcParticipant(teller.through(database));
        teller.assertEach(participant, FenceTranscripts.Kind.READS, "jdbc-sqlite");
    }

    @Test
    void on_h2() throws Exception {
        JdbcDataSource database = new JdbcDataSource();
        database.setURL("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1");
        StatementsTeller teller = new StatementsTeller();
        JdbcParticipant participant = new JdbcParticipant(teller.through(database));
        teller.assertEach(participant, FenceTranscripts.Kind.ASKS_AFTER_ERRORS, "jdbc-h2");
    }

    @Test
    void on_h2_through_r2dbc() throws Exception {
        H2ConnectionFactory database = new H2ConnectionFactory(H2ConnectionConfiguration.builder()
                .inMemory(UUID.randomUUID().toString())
                .property("DB_CLOSE_DELAY", "-1")
                .build());
        StatementsTeller teller = new StatementsTeller();
        R2dbcParticipant participant = new R2dbcParticipant(teller.through(database), IsolationLevel.READ_COMMITTED);
        teller.assertEach(participant, FenceTranscripts.Kind.READS, "r2dbc-h2");
    }

    @Test
    void no_story_is_missing() {
        assertThat(FenceTranscripts.files()).hasSizeGreaterThan(35);
        assertThat(FenceTranscripts.filesOfRedis()).hasSizeGreaterThan(20);
    }

    @Test
    void a_story_that_happens_otherwise_is_found() throws IOException {
        Path file = Files.createTempFile("story", ".txt");
        try {
            Files.write(
                    file,
                    List.of("forward", "----", "  insert forward: yes", "← REFUSED", "rows: forward", "booked: 1"));
            assertThat(retold(file)).isNotEqualTo(Files.readString(file)).contains("← RUN");
            Files.write(file, List.of("forward", "----", "← RUN", "rows: forward", "booked: 1"));
            assertThat(retold(file)).isNotEqualTo(Files.readString(file)).contains("  insert forward: yes");
        } finally {
            Files.delete(file);
        }
    }

    private static String retold(Path file) {
        try {
            return FenceTranscripts.retold(file, new RulesTeller(), FenceTranscripts::ofRules);
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }
}
