package io.alphaomega.repository.jdbc;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;

/** A connection with the statements that were prepared on it. Used by one thread at a time. */
final class Session implements AutoCloseable {
    /** More than there are statements of fixed text; those with a varying number of parameters come in powers of two. */
    private static final int STATEMENTS_MAX = 64;

    private static final int ALIVE_WITHIN_SECONDS = 1;

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

    /** A statement whose text is not worth remembering. The caller closes it. */
    PreparedStatement unremembered(String sql) throws SQLException {
        return connection.prepareStatement(sql);
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

    /** The first two columns of each row, as texts: names and values of settings. */
    Map<String, String> settings(String sql) throws SQLException {
        Map<String, String> settings = new HashMap<>();
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            while (row.next()) settings.put(row.getString(1), String.valueOf(row.getString(2)));
        }
        return settings;
    }

    /** Whether the database still answers on this connection. */
    boolean isAlive() {
        try {
            return connection.isValid(ALIVE_WITHIN_SECONDS);
        } catch (SQLException e) {
            return false;
        }
    }

    /** From now on the database is to give up on what takes longer. */
    void answerWithin(Duration patience) {
        deadlineNanos = System.nanoTime() + patience.toNanos();
    }

    boolean isOverdue() {
        return deadlineNanos != Long.MAX_VALUE && System.nanoTime() - deadlineNanos > 0;
    }

    /**
     * Commits what {@code work} did, all of it, or nothing if it throws.
     *
     * @param begin the statement that begins a transaction; empty if the connection does so by itself
     */
    <T> T inTransaction(String begin, SqlWork<T> work) throws SQLException {
        if (!begin.isEmpty()) prepared(begin).execute();
        boolean committed = false;
        try {
            T result = work.on(this);
            if (begin.isEmpty()) connection.commit();
            else prepared("COMMIT").execute();
            committed = true;
            return result;
        } finally {
            if (!committed) rollBack(begin);
        }
    }

    private void rollBack(String begin) {
        try {
            if (begin.isEmpty()) connection.rollback();
            else execute("ROLLBACK");
        } catch (SQLException e) {
            // Some failures have rolled back already. The one that got us here is on its way, and ends this session.
        }
    }

    @Override
    public void close() throws SQLException {
        connection.close();
    }
}
