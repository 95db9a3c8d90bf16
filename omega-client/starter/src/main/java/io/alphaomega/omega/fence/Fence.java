package io.alphaomega.omega.fence;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
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
        boolean unused = decided(connection, saga, branch, FenceRules::begin);
    }

    /** Says whether the business of a branch may run, and that it does if so. */
    public Forward forward(Connection connection, String saga, String branch) throws SQLException {
        return decided(connection, saga, branch, FenceRules::forward);
    }

    /**
     * Says whether the business of a branch ran, where it must not run any more: as {@link #forward} does of a call that
     * comes again, and as if a compensation had come if it did not run. Nothing written is left.
     */
    public Forward again(Connection connection, String saga, String branch) throws SQLException {
        return decided(connection, saga, branch, FenceRules::again);
    }

    /**
     * Stores what the forward call will return, for its duplicates; after the business and before the commit.
     *
     * @param result at most {@link #RESULT_BYTES}
     */
    public void storeResult(Connection connection, String saga, String branch, byte[] result) throws SQLException {
        boolean unused = decided(connection, saga, branch, rules -> rules.storeResult(result));
    }

    /**
     * Says whether the business of a branch, one run of which has failed, has left nothing behind, and that it never
     * will if so. Another run of the same branch, repeated beneath the caller, may have been committed, or be about to.
     */
    public boolean bar(Connection connection, String saga, String branch) throws SQLException {
        return decided(connection, saga, branch, FenceRules::bar);
    }

    /**
     * Says whether the business of a branch must be undone, and that it is if so.
     *
     * @param forwardEnded whether alpha has seen the forward call end
     */
    public Compensation compensation(Connection connection, String saga, String branch, boolean forwardEnded)
            throws SQLException {
        return decided(connection, saga, branch, rules -> rules.compensation(forwardEnded));
    }

    /**
     * Says whether a branch must be confirmed, and that it is if so.
     *
     * @param fenced whether the forward call went through a fence
     */
    public Confirmation confirmation(Connection connection, String saga, String branch, boolean fenced)
            throws SQLException {
        return decided(connection, saga, branch, rules -> rules.confirmation(fenced));
    }

    /**
     * Says whether what follows the compensation or the confirmation of a branch must be done, and that it is if so: only
     * where that has taken effect, and in a transaction after it.
     */
    public boolean sequel(Connection connection, String saga, String branch) throws SQLException {
        return decided(connection, saga, branch, FenceRules::sequel);
    }

    private <V> V decided(Connection connection, String saga, String branch, Function<FenceRules, Step<V>> decision)
            throws SQLException {
        JdbcRows rows = inTransaction(connection, clock.millis());
        return rows.decided(
                decision.apply(new FenceRules(saga, branch, rows.dialect().readsLatest())));
    }

    /** What the fence has of a branch. It is only read, and waits for nobody. */
    public Found look(Connection connection, String saga, String branch) throws SQLException {
        return Found.of(rows(connection, 0).all(saga, branch));
    }

    /** What the forward call of a branch stored with {@link #storeResult}, if it stored anything. */
    public Optional<byte[]> result(Connection connection, String saga, String branch) throws SQLException {
        return rows(connection, 0).result(FenceRow.forward(saga, branch));
    }

    /**
     * Which fence this is: the id of its table, if it has got one. Read it through the connection that the rows are read
     * through: other databases have other ids.
     */
    public Optional<String> id(Connection connection) throws SQLException {
        return rows(connection, 0).reason(FenceRow.id(""));
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
        return rows(connection, FenceRow.NEVER_PURGED).insert(FenceRow.id(FenceRow.newFenceId()));
    }

    /** What was last remembered, if anything. */
    public Optional<byte[]> remembered(Connection connection) throws SQLException {
        return rows(connection, 0).result(FenceRow.MEMORY);
    }

    /**
     * Remembers something of no branch, in place of what was remembered before; no purge deletes it.
     *
     * @param memory at most {@link #RESULT_BYTES}
     */
    public void remember(Connection connection, byte[] memory) throws SQLException {
        boolean unused = inTransaction(connection, FenceRow.NEVER_PURGED).decided(FenceRules.remember(memory));
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
            return missing == null
                    ? Optional.empty()
                    : Optional.of(Dialect.of(connection).tableSentence("cannot be read", missing.getMessage()));
        }
    }

    /** Creates the table where it is missing, also when several instances try at once. */
    public void createTableIfMissing(DataSource dataSource) throws SQLException {
        try (Connection connection = dataSource.getConnection()) {
            connection.setAutoCommit(true);
            if (tableMissing(connection) == null) return;
            Dialect dialect = Dialect.of(connection);
            try (Statement statement = connection.createStatement()) {
                for (String sql : dialect.ddl()) statement.execute(sql);
            } catch (SQLException e) {
                if (tableMissing(connection) == null) return; // Another instance was faster.
                throw new SQLException(
                        dialect.tableSentence("could not be created", e.getMessage()), e.getSQLState(), e);
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
        JdbcRows rows = rows(connection, 0);
        List<FenceRow> old = rows.old(before.toEpochMilli(), limit);
        for (FenceRow row : old) {
            boolean unused = rows.delete(row);
        }
        return old.size();
    }

    private static JdbcRows rows(Connection connection, long createdAt) throws SQLException {
        return new JdbcRows(Dialect.of(connection), connection, createdAt);
    }

    private static JdbcRows inTransaction(Connection connection, long createdAt) throws SQLException {
        if (connection.getAutoCommit()) {
            throw new IllegalStateException("The fence needs a transaction, but the connection commits by itself:"
                    + " its row and the business must be committed together.");
        }
        return rows(connection, createdAt);
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
