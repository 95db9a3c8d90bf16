package io.alphaomega.omega.fence;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** A service's database in a test: the fence's table, and bookings as its business. */
final class Participant {
    static final Instant NOW = Instant.parse("2026-11-20T08:00:00Z");

    /** Two that race lose to each other a few times. */
    private static final int TRIES = 20;

    final DataSource dataSource;
    final Fence fence;

    Participant(DataSource dataSource) throws SQLException {
        this.dataSource = dataSource;
        this.fence = new Fence(Clock.fixed(NOW, ZoneOffset.UTC));
        fence.createTableIfMissing(dataSource);
        inTransaction(connection -> {
            try (Statement statement = connection.createStatement()) {
                return statement.execute("CREATE TABLE IF NOT EXISTS booking (branch VARCHAR(64) NOT NULL)");
            }
        });
    }

    /** Work in one local transaction. */
    interface Work<T extends @Nullable Object> {
        T in(Connection connection) throws SQLException;
    }

    /** Tries again what lost to another transaction, as whoever calls the fence may. */
    <T extends @Nullable Object> T inTransaction(Work<T> work) throws SQLException {
        for (int tries = 1; ; tries++) {
            try {
                return inOneTransaction(work);
            } catch (SQLException e) {
                boolean lost = e.getSQLState() != null && e.getSQLState().startsWith("40");
                if (!lost || tries == TRIES) throw e;
            }
        }
    }

    private <T extends @Nullable Object> T inOneTransaction(Work<T> work) throws SQLException {
        try (Connection connection = dataSource.getConnection()) {
            connection.setAutoCommit(false);
            try {
                T result = work.in(connection);
                connection.commit();
                return result;
            } catch (SQLException | RuntimeException e) {
                connection.rollback();
                throw e;
            }
        }
    }

    Forward.Verdict forward(String branch) throws SQLException {
        return inTransaction(connection -> {
            Forward forward = fence.forward(connection, "saga", branch);
            if (forward.verdict() == Forward.Verdict.RUN) book(connection, branch);
            return forward.verdict();
        });
    }

    Compensation compensate(String branch, boolean forwardEnded) throws SQLException {
        return inTransaction(connection -> {
            Compensation compensation = fence.compensation(connection, "saga", branch, forwardEnded);
            if (compensation == Compensation.RUN) cancel(connection, branch);
            return compensation;
        });
    }

    void begin(String branch) throws SQLException {
        this.<@Nullable Object>inTransaction(connection -> {
            fence.begin(connection, "saga", branch);
            return null;
        });
    }

    boolean bar(String branch) throws SQLException {
        return inTransaction(connection -> fence.bar(connection, "saga", branch));
    }

    Confirmation confirm(String branch, boolean fenced) throws SQLException {
        return inTransaction(connection -> fence.confirmation(connection, "saga", branch, fenced));
    }

    boolean sequel(String branch) throws SQLException {
        return inTransaction(connection -> fence.sequel(connection, "saga", branch));
    }

    static void book(Connection connection, String branch) throws SQLException {
        try (PreparedStatement insert = connection.prepareStatement("INSERT INTO booking (branch) VALUES (?)")) {
            insert.setString(1, branch);
            insert.executeUpdate();
        }
    }

    /** Undoes one booking; one that is not there fails the test. */
    static void cancel(Connection connection, String branch) throws SQLException {
        try (PreparedStatement delete = connection.prepareStatement("DELETE FROM booking WHERE branch = ?")) {
            delete.setString(1, branch);
            if (delete.executeUpdate() != 1) throw new AssertionError("undoing what was not done: " + branch);
        }
    }

    int bookings(String branch) throws SQLException {
        return count("SELECT COUNT(*) FROM booking WHERE branch = ?", branch);
    }

    int fenceRows(String branch) throws SQLException {
        return count("SELECT COUNT(*) FROM omega_fence WHERE branch = ?", branch);
    }

    private int count(String sql, String branch) throws SQLException {
        return inTransaction(connection -> {
            try (PreparedStatement select = connection.prepareStatement(sql)) {
                select.setString(1, branch);
                try (ResultSet rows = select.executeQuery()) {
                    rows.next();
                    return rows.getInt(1);
                }
            }
        });
    }
}
