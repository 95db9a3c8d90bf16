package io.alphaomega.repository.jdbc;

import io.alphaomega.repository.Durability;
import io.alphaomega.repository.Loaded;
import io.alphaomega.saga.SagaId;
import java.sql.SQLException;
import java.util.List;

/** What a database does in its own way. All other SQL is written once. */
public interface SqlDialect {

    /**
     * The statement that begins a transaction in which no other writer can change what it has read; empty where others
     * write at the same time.
     */
    String beginWriting();

    /** What follows a {@code SELECT} to keep its rows from others until the commit, without those that others have locked. */
    String toLockWhatIsFree();

    /** How batches of appends are written. */
    BatchAppender appending();

    /** A saga's journal. */
    Loaded load(Session session, SagaId id) throws SQLException;

    /** What has a row with all of {@link SagaColumns#COLUMNS} for each saga. */
    String summaries();

    /** The column of the table {@code sagas} by which the other tables know a saga. */
    String key();

    /** The table of a saga's events. */
    String journal();

    /** The statement that makes a tombstone of a saga that has ended: with a state, a token, and by its {@link #key}. */
    String bury();

    /** The token of a tombstone, which no append is told. */
    Object newToken();

    /** A column of {@code sagas} in a condition for which no index is to be used, as there is a better one. */
    String unindexed(String column);

    /** What joins two tables of which the first is read first. */
    String thenJoins();

    /** A condition: the text is a part of one of the columns, whatever the case. Each of its parameters is the text. */
    String mentions(List<String> columns);

    /** A condition: the parameter is a part of the column, to the letter. */
    String contains(String column);

    /** What a returned append survives, by the settings in force. */
    Durability durability(Session session) throws SQLException;

    /** Whether the failure tells of damaged data, not of an outage. */
    boolean isDamage(SQLException e);

    /** Whether the failure says that nothing of the transaction was stored, and that it may succeed when repeated. */
    boolean isRolledBack(SQLException e);
}
