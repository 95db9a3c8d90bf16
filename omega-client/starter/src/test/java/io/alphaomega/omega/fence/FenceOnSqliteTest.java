package io.alphaomega.omega.fence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLTransientException;
import java.sql.Statement;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteDataSource;

final class FenceOnSqliteTest extends FenceContract {
    @TempDir
    private Path directory;

    @Override
    Participant emptyDatabase() throws Exception {
        return new JdbcParticipant(database(30_000));
    }

    @Test
    void a_connection_that_commits_by_itself_is_refused() throws Exception {
        try (Connection connection = database(1).getConnection()) {
            assertThatThrownBy(() -> new Fence(java.time.Clock.systemUTC()).forward(connection, "saga", "car"))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("needs a transaction");
        }
    }

    private DataSource database(int busyTimeoutMillis) {
        SQLiteConfig config = new SQLiteConfig();
        config.setJournalMode(SQLiteConfig.JournalMode.WAL);
        config.setBusyTimeout(busyTimeoutMillis);
        SQLiteDataSource dataSource = new SQLiteDataSource(config);
        dataSource.setUrl("jdbc:sqlite:" + directory.resolve("participant.db"));
        return dataSource;
    }

    @Test
    void a_write_lock_held_for_too_long_is_an_error_that_says_so_and_can_be_tried_again() throws Exception {
        DataSource impatient = database(1);
        Fence fence = new Fence(java.time.Clock.systemUTC());
        try (Connection writer = impatient.getConnection();
                Connection other = impatient.getConnection()) {
            writer.setAutoCommit(false);
            other.setAutoCommit(false);
            fence.forward(writer, "saga", "car");

            assertThatThrownBy(() -> fence.forward(other, "saga", "hotel"))
                    .isInstanceOf(SQLTransientException.class)
                    .hasMessageContaining("could not write the forward of branch hotel of saga saga")
                    .hasMessageContaining("write lock");

            other.rollback();
            writer.commit();
            assertThat(fence.forward(other, "saga", "hotel").verdict()).isEqualTo(Forward.Verdict.RUN);
        }
    }

    @Test
    void a_table_that_cannot_be_created_is_reported_with_the_statements_to_create_it() throws Exception {
        DataSource fresh = database(1);
        try (Connection connection = fresh.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("DROP TABLE omega_fence");
            statement.execute("CREATE VIEW omega_fence AS SELECT 1 / 0 AS saga FROM no_such_table");
        }
        assertThatThrownBy(() -> new Fence(java.time.Clock.systemUTC()).createTableIfMissing(fresh))
                .hasMessageContaining("omega_fence could not be created")
                .hasMessageContaining("CREATE TABLE omega_fence (");
    }

    @Test
    void the_statements_for_other_databases_are_published() {
        assertThat(Fence.ddl("Oracle").get(0)).contains("NUMBER(19)").doesNotContain("BIGINT");
        assertThat(Fence.ddl("Microsoft SQL Server").get(0)).contains("VARBINARY(MAX)", "COLLATE Latin1_General_BIN2");
        assertThat(Fence.ddl("PostgreSQL").get(0)).contains("BYTEA");
        assertThat(Fence.ddl("MariaDB").get(0)).contains("MEDIUMBLOB").contains("ascii_bin");
        assertThat(Fence.ddl("Some Database").get(0)).contains("BLOB");
    }
}
