package io.alphaomega.repository.jdbc;

import io.alphaomega.repository.Durability;
import java.sql.SQLException;
import java.util.List;

/** What a database does in its own way. All other SQL is written once. */
interface SqlDialect {

    /** The statement that begins a transaction in which no other writer can change what it has read. */
    String beginWriting();

    /** What follows {@code INSERT … VALUES (…)} to replace these columns of a row whose key is there already. */
    String orUpdate(String key, List<String> columns);

    /** A condition: the text of the parameter is a part of one of the columns, whatever the case. */
    String mentions(List<String> columns);

    /** What a returned append survives, by the settings in force. */
    Durability durability(Session session) throws SQLException;

    /** Whether the failure tells of damaged data, not of an outage. */
    boolean isDamage(SQLException e);
}
