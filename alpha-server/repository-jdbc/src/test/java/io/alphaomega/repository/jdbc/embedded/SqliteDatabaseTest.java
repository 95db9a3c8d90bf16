package io.alphaomega.repository.jdbc.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.alphaomega.repository.jdbc.Database;
import io.alphaomega.repository.servers.Patience;
import java.nio.file.Path;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

final class SqliteDatabaseTest {
    private static final String ENDLESS =
            "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT COUNT(*) FROM n";

    @TempDir
    Path directory;

    @Test
    void what_a_transaction_that_failed_has_left_in_a_batch_is_not_executed_by_the_next() throws Exception {
        String insert = "INSERT INTO probe (id, filling) VALUES (?, X'')";
        try (Database database =
                SqliteDatabase.in(directory, SqliteDatabase.SYNCED).open()) {
            int[] executed = database.writing().use(session -> {
                PreparedStatement failed = session.prepared(insert);
                failed.setInt(1, 7);
                failed.addBatch();
                PreparedStatement next = session.prepared(insert);
                next.setInt(1, 8);
                next.addBatch();
                return next.executeBatch();
            });
            assertThat(executed).hasSize(1);
        }
    }

    @Test
    @Timeout(300)
    void a_search_that_takes_too_long_is_given_up_and_the_next_one_is_not() throws Exception {
        try (Database database =
                SqliteDatabase.in(directory, SqliteDatabase.SYNCED).open()) {
            assertThatExceptionOfType(SQLException.class)
                    .isThrownBy(() -> database.searches().use(session -> {
                        session.answerWithin(Duration.ofMillis(50));
                        return session.text(ENDLESS);
                    }))
                    .withMessageContaining("INTERRUPT");
            String count = database.searches().use(session -> {
                session.answerWithin(Patience.LIMIT);
                return session.text("SELECT COUNT(*) FROM sagas");
            });
            assertThat(count).isEqualTo("0");
        }
    }
}
