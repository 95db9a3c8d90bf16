package io.alphaomega.repository.jdbc;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

/** A connection with the statements that were prepared on it. Used by one thread at a time. */
final class Session implements AutoCloseable {
    /** More than there are statements of fixed text; those with a varying number of parameters come in powers of two. */
    private static final int STATEMENTS_MAX = 64;

    private final Connection connection;
    private final Map<String, PreparedStatement> statements = new LinkedHashMap<>(16, 0.75f, true);

    private volatile long deadlineNanos = Long.MAX_VALUE;

    Session(Connection connection) {
        this.connection = connection;
    }

    /** The statement, prepared once. It belongs to the session: nobody else closes it. */
    PreparedStatement prepared(String sql) throws SQLException {
        PreparedStatement statement = statements.get(sql);
        if (statement == null) {
            if (statements.size() >= STATEMENTS_MAX) closeEldest();
            statement = connection.prepareStatement(sql);
            statements.put(sql, statement);
        }
        return statement;
    }

    private void closeEldest() throws SQLException {
        var eldest = statements.entrySet().iterator();
        PreparedStatement statement = eldest.next().getValue();
        eldest.remove();
        statement.close();
    }

    /** Runs a statement that is not worth remembering. */
    void execute(String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    /** The first column of the first row, as text. */
    String text(String sql) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            if (!row.next()) throw new SQLException("'" + sql + "' returned nothing");
            return String.valueOf(row.getString(1));
        }
    }

    /** From now on the database is to give up on what takes longer. */
    void answerWithin(Duration patience) {
        deadlineNanos = System.nanoTime() + patience.toNanos();
    }

    boolean isOverdue() {
        return deadlineNanos != Long.MAX_VALUE && System.nanoTime() - deadlineNanos > 0;
    }

    /** Commits what {@code work} did, all of it, or nothing if it throws. */
    <T> T inTransaction(String begin, SqlWork<T> work) throws SQLException {
        prepared(begin).execute();
        boolean committed = false;
        try {
            T result = work.on(this);
            prepared("COMMIT").execute();
            committed = true;
            return result;
        } finally {
            if (!committed) rollBack();
        }
    }

    private void rollBack() {
        try {
            execute("ROLLBACK");
        } catch (SQLException e) {
            // Some failures have rolled back already. The one that got us here is on its way, and ends this session.
        }
    }

    @Override
    public void close() throws SQLException {
        connection.close();
    }
}
