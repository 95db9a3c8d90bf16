package io.alphaomega.repository.jdbc;

import io.alphaomega.repository.Durability;
import java.sql.SQLException;
import java.util.List;

/** What a database does in its own way. All other SQL is written once. */
interface SqlDialect {

    /**
     * The statement that begins a transaction in which no other writer can change what it has read; empty where others
     * write at the same time: there {@link #toLock} says so of the rows that matter.
     */
    String beginWriting();

    /** What follows a {@code SELECT} to keep its rows from others until the commit. Empty where there are no others. */
    String toLock();

    /** As {@link #toLock}, but without the rows that others have locked. */
    String toLockWhatIsFree();

    /** What follows a table whose rows are selected by their key, where the database must be told to look them up by it. */
    String byKey();

    /** What follows {@code INSERT … VALUES (…)} to replace these columns of a row whose key is there already. */
    String orUpdate(String key, List<String> columns);

    /** What follows {@code INSERT … VALUES (…)} to leave a row as it is whose key is there already, and only that error. */
    String orIgnore(String key);

    /** Whether an update rewrites the entries of all indexes whose columns it names, changed or not. */
    boolean rewritesNamedIndexes();

    /**
     * How long a statement of many rows may be; 0 where a batch of statements of one row is as quick.
     *
     * @see Insert
     */
    int statementBytes();

    /** A condition: the text is a part of one of the columns, whatever the case. Each of its parameters is the text. */
    String mentions(List<String> columns);

    /** What a returned append survives, by the settings in force. */
    Durability durability(Session session) throws SQLException;

    /** Whether the failure tells of damaged data, not of an outage. */
    boolean isDamage(SQLException e);

    /** Whether the failure says that nothing of the transaction was stored, and that it may succeed when repeated. */
    boolean isRolledBack(SQLException e);
}
