package io.alphaomega.omega.fence;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLTransientException;
import java.sql.Statement;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * The guard that makes each callback one effect or none, and stops a forward call that comes after its compensation:
 * rows in the participant's own database, written in the same local transaction as the business.
 *
 * <p>A rollback takes the rows along, and of two transactions that insert the same row the second waits for the first:
 * each decision is a change, never a check. The idea is the sub-transaction barrier of DTM
 * (<a href="https://dtm.pub/practice/barrier.html">dtm.pub</a>).
 *
 * <p>Every method but the administrative two runs in the caller's transaction, before the business does, and neither
 * commits nor rolls back. At SQLite the fence should be the first statement of the transaction: one that has read
 * before it writes cannot wait for the write lock. A {@link SQLException} leaves nothing decided: roll back; the
 * callback or the call may be tried again.
 */
public final class Fence {
    /** The result of a forward call is kept for its duplicates; a larger one belongs into the participant's tables. */
    public static final int RESULT_BYTES = 64 * 1024;

    private static final int SQLITE_BUSY = 5;

    /** As many characters as a reason may have; 60 random bits tell the databases of a service apart. */
    private static final int ID_CHARS = 16;

    private final Clock clock;

    /** @param clock dates the rows, for {@link #purge} */
    public Fence(Clock clock) {
        this.clock = clock;
    }

    /**
     * Notes that the business of a branch is about to begin, which may do something elsewhere that no rollback takes back:
     * from now on its compensation runs, even if it finds nothing else of it. In a transaction of its own, committed before
     * the business's begins.
     */
    public void begin(Connection connection, String saga, String branch) throws SQLException {
        requireTransaction(connection);
        insert(connection, Dialect.of(connection), new FenceRow(saga, branch, FenceRow.BEGIN, FenceRow.BEGIN));
    }

    /** Says whether the business of a branch may run, and that it does if so. */
    public Forward forward(Connection connection, String saga, String branch) throws SQLException {
        requireTransaction(connection);
        Dialect dialect = Dialect.of(connection);
        FenceRow forward = new FenceRow(saga, branch, FenceRow.FORWARD, FenceRow.FORWARD);
        return insert(connection, dialect, forward) ? Forward.RUN : again(connection, dialect, saga, branch);
    }

    /**
     * Says whether the business of a branch ran, where it must not run any more: as {@link #forward} does of a call that
     * comes again, and as if a compensation had come if it did not run. Nothing written is left.
     */
    public Forward again(Connection connection, String saga, String branch) throws SQLException {
        requireTransaction(connection);
        return again(connection, Dialect.of(connection), saga, branch);
    }

    private Forward again(Connection connection, Dialect dialect, String saga, String branch) throws SQLException {
        // What a compensation has undone is not there to be returned: the branch is over, whoever was first.
        FenceRow forward = new FenceRow(saga, branch, FenceRow.FORWARD, FenceRow.FORWARD);
        FenceRow undone = new FenceRow(saga, branch, FenceRow.COMPENSATION, FenceRow.COMPENSATION);
        if (!isThere(connection, dialect, forward) || undone.isStored(connection, dialect)) return Forward.REFUSED;
        return Forward.duplicate(forward.storedResult(connection, dialect));
    }

    /**
     * Stores what the forward call will return, for its duplicates; after the business and before the commit.
     *
     * @param result at most {@link #RESULT_BYTES}
     */
    public void storeResult(Connection connection, String saga, String branch, byte[] result) throws SQLException {
        requireTransaction(connection);
        if (result.length > RESULT_BYTES) {
            throw new IllegalArgumentException(tooLarge(saga, branch, result));
        }
        FenceRow forward = new FenceRow(saga, branch, FenceRow.FORWARD, FenceRow.FORWARD);
        if (!forward.store(connection, result)) throw new IllegalStateException(noForwardRow(saga, branch));
    }

    static String tooLarge(String saga, String branch, byte[] result) {
        return "The result of branch " + branch + " of saga " + saga + " has " + result.length
                + " bytes, the fence keeps at most " + RESULT_BYTES
                + ": return a key and keep the rest in a table of your own.";
    }

    static String noForwardRow(String saga, String branch) {
        return "Branch " + branch + " of saga " + saga
                + " has no forward row in omega_fence: Fence.forward must come first, in the same transaction.";
    }

    /**
     * Says whether the business of a branch, one run of which has failed, has left nothing behind, and that it never
     * will if so. Another run of the same branch, repeated beneath the caller, may have been committed, or be about to.
     */
    public boolean bar(Connection connection, String saga, String branch) throws SQLException {
        requireTransaction(connection);
        Dialect dialect = Dialect.of(connection);
        if (insert(connection, dialect, new FenceRow(saga, branch, FenceRow.FORWARD, FenceRow.FAILURE))) return true;
        FenceRow forward = new FenceRow(saga, branch, FenceRow.FORWARD, FenceRow.FORWARD);
        return !forward.isStored(connection, dialect);
    }

    /**
     * Says whether the business of a branch must be undone, and that it is if so.
     *
     * @param forwardEnded whether alpha has seen the forward call end
     */
    public Compensation compensation(Connection connection, String saga, String branch, boolean forwardEnded)
            throws SQLException {
        requireTransaction(connection);
        Dialect dialect = Dialect.of(connection);
        FenceRow barrier = new FenceRow(saga, branch, FenceRow.FORWARD, FenceRow.COMPENSATION);
        boolean neverRan = insert(connection, dialect, barrier);
        FenceRow forward = new FenceRow(saga, branch, FenceRow.FORWARD, FenceRow.FORWARD);
        boolean ran = !neverRan && forward.isStored(connection, dialect);
        if (forwardEnded && !ran) {
            if (neverRan) barrier.deleteFrom(connection);
            return Compensation.FENCE_ROW_MISSING;
        }
        boolean toUndo = ran || hasBegun(connection, dialect, saga, branch);
        boolean first =
                insert(connection, dialect, new FenceRow(saga, branch, FenceRow.COMPENSATION, FenceRow.COMPENSATION));
        if (!first) return Compensation.DONE_BEFORE;
        return toUndo ? Compensation.RUN : Compensation.NOTHING_TO_UNDO;
    }

    /** Asked by inserting, as everything here: whoever's snapshot is too old to show the row still meets it. */
    private boolean hasBegun(Connection connection, Dialect dialect, String saga, String branch) throws SQLException {
        if (insert(connection, dialect, new FenceRow(saga, branch, FenceRow.BEGIN, FenceRow.COMPENSATION)))
            return false;
        return new FenceRow(saga, branch, FenceRow.BEGIN, FenceRow.BEGIN).isStored(connection, dialect);
    }

    /**
     * Says whether a branch must be confirmed, and that it is if so.
     *
     * @param fenced whether the forward call went through a fence
     */
    public Confirmation confirmation(Connection connection, String saga, String branch, boolean fenced)
            throws SQLException {
        requireTransaction(connection);
        Dialect dialect = Dialect.of(connection);
        FenceRow confirmation = new FenceRow(saga, branch, FenceRow.CONFIRMATION, FenceRow.CONFIRMATION);
        if (!insert(connection, dialect, confirmation)) return Confirmation.DONE_BEFORE;
        FenceRow forward = new FenceRow(saga, branch, FenceRow.FORWARD, FenceRow.FORWARD);
        if (fenced && !isThere(connection, dialect, forward)) {
            confirmation.deleteFrom(connection);
            return Confirmation.FORWARD_MISSING;
        }
        return Confirmation.RUN;
    }

    /**
     * Says whether what follows the compensation or the confirmation of a branch must be done, and that it is if so: only
     * where that has taken effect, and in a transaction after it.
     */
    public boolean sequel(Connection connection, String saga, String branch) throws SQLException {
        requireTransaction(connection);
        Dialect dialect = Dialect.of(connection);
        if (!insert(connection, dialect, new FenceRow(saga, branch, FenceRow.SEQUEL, FenceRow.SEQUEL))) return false;
        Stored seen = op -> new FenceRow(saga, branch, op, op).isStored(connection, dialect);
        Stored there = op -> isThere(connection, dialect, new FenceRow(saga, branch, op, op));
        return isUndone(seen) || there.is(FenceRow.CONFIRMATION) || isUndone(there);
    }

    private interface Stored {
        boolean is(String op) throws SQLException;
    }

    private static boolean isUndone(Stored stored) throws SQLException {
        return stored.is(FenceRow.COMPENSATION) && (stored.is(FenceRow.FORWARD) || stored.is(FenceRow.BEGIN));
    }

    /**
     * Whether the row is there, also if this transaction is too old to see it: whoever inserts meets it then, by an error
     * after which the transaction is to be repeated.
     */
    private boolean isThere(Connection connection, Dialect dialect, FenceRow row) throws SQLException {
        if (row.isStored(connection, dialect)) return true;
        if (dialect.readsLatest()) return false;
        if (!insert(connection, dialect, row)) return row.isStored(connection, dialect);
        row.deleteFrom(connection);
        return false;
    }

    /** What the fence has of a branch. It is only read, and waits for nobody. */
    public Found look(Connection connection, String saga, String branch) throws SQLException {
        Map<String, Found.Row> rows = new HashMap<>();
        String sql = "SELECT op, reason, created_at FROM omega_fence WHERE saga = ? AND branch = ?";
        try (PreparedStatement select = connection.prepareStatement(sql)) {
            select.setString(1, saga);
            select.setString(2, branch);
            try (ResultSet found = select.executeQuery()) {
                while (found.next()) rows.put(found.getString(1), new Found.Row(found.getString(2), found.getLong(3)));
            }
        }
        return Found.of(rows);
    }

    /** What the forward call of a branch stored with {@link #storeResult}, if it stored anything. */
    public Optional<byte[]> result(Connection connection, String saga, String branch) throws SQLException {
        FenceRow forward = new FenceRow(saga, branch, FenceRow.FORWARD, FenceRow.FORWARD);
        return Optional.ofNullable(forward.storedResult(connection, Dialect.of(connection)));
    }

    /**
     * Which fence this is: the id of its table, if it has got one. Read it through the connection that the rows are read
     * through: other databases have other ids.
     */
    public Optional<String> id(Connection connection) throws SQLException {
        return Optional.ofNullable(idRow("").storedReason(connection, Dialect.of(connection)));
    }

    /** The same, given to the table where it has none yet: once, also by several instances at a time. */
    public String id(DataSource dataSource) throws SQLException {
        try (Connection connection = dataSource.getConnection()) {
            connection.setAutoCommit(false);
            Optional<String> known = id(connection);
            connection.commit(); // What inserts must not have read before, at SQLite.
            if (known.isPresent()) return known.get();
            boolean unused = giveId(connection);
            connection.commit();
            return id(connection).orElseThrow();
        }
    }

    /** Gives the table an id where it has none yet, in a transaction of its own; whether it is this one. */
    public boolean giveId(Connection connection) throws SQLException {
        FenceRow row = idRow(UUID.randomUUID().toString().replace("-", "").substring(0, ID_CHARS));
        return Dialect.of(connection).insert(connection, row, Long.MAX_VALUE); // Never old enough to purge.
    }

    private static FenceRow idRow(String id) {
        return new FenceRow("omega", "fence", FenceRow.ID, id);
    }

    /** What was last remembered, if anything. */
    public Optional<byte[]> remembered(Connection connection) throws SQLException {
        return Optional.ofNullable(FenceRow.MEMORY.storedResult(connection, Dialect.of(connection)));
    }

    /**
     * Remembers something of no branch, in place of what was remembered before; no purge deletes it.
     *
     * @param memory at most {@link #RESULT_BYTES}
     */
    public void remember(Connection connection, byte[] memory) throws SQLException {
        requireTransaction(connection);
        if (FenceRow.MEMORY.store(connection, memory)) return;
        boolean unused = Dialect.of(connection).insert(connection, FenceRow.MEMORY, Long.MAX_VALUE);
        boolean unusedToo = FenceRow.MEMORY.store(connection, memory);
    }

    /**
     * The statements that create the table, for those who manage their schema themselves.
     *
     * @param databaseProduct as {@link java.sql.DatabaseMetaData#getDatabaseProductName} says it, such as
     *     {@code PostgreSQL}; for one that is not known here, the SQL standard's
     */
    public static List<String> ddl(String databaseProduct) {
        return Dialect.of(databaseProduct).ddl();
    }

    /**
     * Says what is missing, and what to do, if there is no table.
     *
     * @throws SQLException if no connection could be had
     */
    public Optional<String> missingTable(DataSource dataSource) throws SQLException {
        try (Connection connection = dataSource.getConnection()) {
            SQLException missing = tableMissing(connection);
            if (missing == null) return Optional.empty();
            return Optional.of(
                    "The fence's table omega_fence cannot be read (" + missing.getMessage() + "). Create it with: "
                            + String.join("; ", Dialect.of(connection).ddl()));
        }
    }

    /** Creates the table where it is missing, also when several instances try at once. */
    public void createTableIfMissing(DataSource dataSource) throws SQLException {
        try (Connection connection = dataSource.getConnection()) {
            connection.setAutoCommit(true);
            if (tableMissing(connection) == null) return;
            List<String> ddl = Dialect.of(connection).ddl();
            try (Statement statement = connection.createStatement()) {
                for (String sql : ddl) statement.execute(sql);
            } catch (SQLException e) {
                if (tableMissing(connection) == null) return; // Another instance was faster.
                throw new SQLException(
                        "The fence's table omega_fence could not be created (" + e.getMessage() + "). Create it with: "
                                + String.join("; ", ddl),
                        e.getSQLState(),
                        e);
            }
        }
    }

    /**
     * Deletes up to {@code limit} rows, oldest first, in the caller's transaction or without one.
     *
     * @param before rows as old as this are not needed any more: no call, duplicate or callback of so old a saga can
     *     come
     * @return how many
     */
    public int purge(Connection connection, Instant before, int limit) throws SQLException {
        List<FenceRow> rows = new ArrayList<>();
        String sql = "SELECT saga, branch, op, reason FROM omega_fence WHERE created_at < ? ORDER BY created_at";
        try (PreparedStatement select = connection.prepareStatement(sql)) {
            select.setLong(1, before.toEpochMilli());
            select.setMaxRows(limit);
            try (ResultSet found = select.executeQuery()) {
                while (found.next()) {
                    rows.add(new FenceRow(
                            found.getString(1), found.getString(2), found.getString(3), found.getString(4)));
                }
            }
        }
        for (FenceRow row : rows) row.deleteFrom(connection);
        return rows.size();
    }

    private boolean insert(Connection connection, Dialect dialect, FenceRow row) throws SQLException {
        try {
            return dialect.insert(connection, row, clock.millis());
        } catch (SQLException e) {
            if (dialect != Dialect.SQLITE || e.getErrorCode() != SQLITE_BUSY) throw e;
            throw new SQLTransientException(
                    "The fence could not write " + row + ": another transaction held SQLite's write lock for longer"
                            + " than busy_timeout, or this one has read before it wrote. Roll back and try again.",
                    e.getSQLState(),
                    e.getErrorCode(),
                    e);
        }
    }

    private static void requireTransaction(Connection connection) throws SQLException {
        if (connection.getAutoCommit()) {
            throw new IllegalStateException("The fence needs a transaction, but the connection commits by itself:"
                    + " its row and the business must be committed together.");
        }
    }

    /** What goes wrong when the table is read, or null if nothing does. */
    private static @Nullable SQLException tableMissing(Connection connection) {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SELECT 1 FROM omega_fence WHERE 1 = 0")) {
            rows.next();
            return null;
        } catch (SQLException e) {
            return e;
        }
    }
}
