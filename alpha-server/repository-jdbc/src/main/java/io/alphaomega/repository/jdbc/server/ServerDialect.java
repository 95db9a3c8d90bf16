package io.alphaomega.repository.jdbc.server;

import io.alphaomega.repository.Loaded;
import io.alphaomega.repository.jdbc.JournalRows;
import io.alphaomega.repository.jdbc.Session;
import io.alphaomega.repository.jdbc.SqlDialect;
import io.alphaomega.repository.jdbc.Tokens;
import io.alphaomega.saga.SagaId;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/** The dialect of a server that many write to at the same time. */
interface ServerDialect extends SqlDialect {

    /** What a session is for. */
    enum Use {
        WRITING,
        READING,
        /** Reads that may turn out to be slow and are then given up by the server. */
        SEARCHING,
        MIGRATING
    }

    /** What a session executes to be independent of how the server, the user or the driver is set up. */
    String settings(Use use);

    /** The resources that hold the migrations, a folder beside this class. */
    String migrations();

    /** What the migrations leave open. */
    Map<String, String> placeholders();

    /**
     * Waits until nobody else migrates this database; the turn ends with the session.
     *
     * @throws SQLException also when that takes longer
     */
    void awaitTurn(Session session, Duration patience) throws SQLException;

    @Override
    default String beginWriting() {
        return "";
    }

    /** What follows a table whose rows are selected by their key, where the database must be told to look them up by it. */
    String byKey();

    /** What follows {@code INSERT … VALUES (…)} to replace these columns of a row whose key is there already. */
    String orUpdate(String key, List<String> columns);

    /** What follows {@code INSERT … VALUES (…)} to leave a row as it is whose key is there already, and only that error. */
    String orIgnore(String key);

    /**
     * Puts the rows of sagas that are not there, as the first thing of a transaction, and does not wait for those who are
     * putting the same ones: what these put is passed over.
     *
     * @param begin leaves a row as it is that is there
     * @param rows by the ids of their sagas
     */
    void beginWithoutWaiting(Session session, Insert begin, SortedMap<String, @Nullable Object[]> rows)
            throws SQLException;

    /** Whether the database has given up waiting for a lock. Then nothing of the transaction is stored. */
    boolean isLockTimeout(SQLException e);

    /**
     * How long a statement of many rows may be; 0 where a batch of statements of one row is as quick.
     *
     * @see Insert
     */
    int statementBytes();

    @Override
    default String toLockWhatIsFree() {
        return " FOR UPDATE SKIP LOCKED";
    }

    @Override
    default Loaded load(Session session, SagaId id) throws SQLException {
        return JournalRows.load(session, id);
    }

    @Override
    default String summaries() {
        return "sagas";
    }

    /** They have statistics, and know by themselves. */
    @Override
    default String unindexed(String column) {
        return column;
    }

    @Override
    default String key() {
        return "id";
    }

    @Override
    default String journal() {
        return "events";
    }

    /** Assigned from left to right where the database does so: the time is kept before it is cleared. */
    @Override
    default String bury() {
        return """
                UPDATE sagas SET state = ?, token = ?, buried_at = ended_at, ended_at = NULL, wake_up_at = NULL, due_at = NULL,
                    service = '', operation = '', business_key = '', services = '', branches = 0, reason = '',
                    attributes = NULL, ordered_at = NULL
                WHERE id = ? AND ended_at IS NOT NULL""";
    }

    @Override
    default Object newToken() {
        return Tokens.next();
    }
}
