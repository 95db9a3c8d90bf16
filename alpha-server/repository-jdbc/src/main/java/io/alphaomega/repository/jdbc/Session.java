package io.alphaomega.repository.jdbc;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLTimeoutException;
import java.sql.Statement;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** A connection with the statements that were prepared on it. Used by one thread at a time. */
public final class Session implements AutoCloseable {
    /** More than there are statements of fixed text; those with a varying number of parameters come in powers of two. */
    private static final int STATEMENTS_MAX = 64;

    private static final int ALIVE_WITHIN_SECONDS = 1;

    private final Connection connection;
    private final Map<String, PreparedStatement> statements = new LinkedHashMap<>(16, 0.75f, true);

    private final boolean remote;

    private volatile long deadlineNanos = Long.MAX_VALUE;

    /** When the caller has waited long enough for a remote database, however many statements that takes. */
    private long lastNanos = Long.MAX_VALUE;

    public Session(Connection connection) {
        this(connection, false);
    }

    /** @param remote whether the database is behind a network, so that waiting for it must have an end */
    public Session(Connection connection, boolean remote) {
        this.connection = connection;
        this.remote = remote;
    }

    /** From now on whatever is asked of a remote database is given up at this time of {@link System#nanoTime()}. */
    void finishBy(long nanos) {
        lastNanos = nanos;
    }

    /** Before each statement. The network's own limit is for each answer, and there may be many. */
    private void hurry() throws SQLException {
        if (!remote || lastNanos == Long.MAX_VALUE) return;
        long left = TimeUnit.NANOSECONDS.toMillis(lastNanos - System.nanoTime());
        if (left <= 0) throw new SQLTimeoutException("it is too slow: no answer in time");
        connection.setNetworkTimeout(Runnable::run, (int) left);
    }

    /** The statement, prepared once, with an empty batch. It belongs to the session: nobody else closes it. */
    public PreparedStatement prepared(String sql) throws SQLException {
        hurry();
        PreparedStatement statement = statements.get(sql);
        if (statement == null) {
            if (statements.size() >= STATEMENTS_MAX) closeEldest();
            statement = connection.prepareStatement(sql);
            statements.put(sql, statement);
        } else {
            // What a transaction that failed halfway has left in it must not be executed by the next.
            statement.clearBatch();
        }
        return statement;
    }

    /** A statement whose text is not worth remembering. The caller closes it. */
    public PreparedStatement unremembered(String sql) throws SQLException {
        hurry();
        return connection.prepareStatement(sql);
    }

    private void closeEldest() throws SQLException {
        var eldest = statements.entrySet().iterator();
        PreparedStatement statement = eldest.next().getValue();
        eldest.remove();
        statement.close();
    }

    /** As many parameters, separated by commas. */
    public static String parameters(int count) {
        return "?" + ", ?".repeat(count - 1);
    }

    /** Runs a statement that is not worth remembering. */
    public void execute(String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    /** The first column of the first row, as text. */
    public String text(String sql) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            if (!row.next()) throw new SQLException("'" + sql + "' returned nothing");
            return String.valueOf(row.getString(1));
        }
    }

    /** The first two columns of each row, as texts: names and values of settings. */
    public Map<String, String> settings(String sql) throws SQLException {
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
    public void answerWithin(Duration patience) {
        deadlineNanos = System.nanoTime() + patience.toNanos();
    }

    public boolean isOverdue() {
        return deadlineNanos != Long.MAX_VALUE && System.nanoTime() - deadlineNanos > 0;
    }

    /**
     * Commits what {@code work} did, all of it, or nothing if it throws.
     *
     * @param begin the statement that begins a transaction; empty if the connection does so by itself
     */
    public <T> T inTransaction(String begin, SqlWork<T> work) throws SQLException {
        if (!begin.isEmpty()) prepared(begin).execute();
        boolean committed = false;
        try {
            T result = work.on(this);
            if (begin.isEmpty()) commit();
            else prepared("COMMIT").execute();
            committed = true;
            return result;
        } finally {
            if (!committed) rollBack(begin);
        }
    }

    /** Takes back what the transaction of {@link #inTransaction} has done so far, and goes on with it. */
    public void undo() throws SQLException {
        hurry();
        connection.rollback();
    }

    private void commit() throws SQLException {
        hurry();
        connection.commit();
    }

    private void rollBack(String begin) {
        try {
            hurry();
            if (begin.isEmpty()) connection.rollback();
            else execute("ROLLBACK");
        } catch (SQLException e) {
            // Some failures have rolled back already, or left no time to; the end of the session rolls back as well.
            // The one that got us here is on its way, and ends this session.
        }
    }

    @Override
    public void close() throws SQLException {
        connection.close();
    }
}
