package io.alphaomega.repository.jdbc;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;

/** The table of what nodes note about the store. */
final class NoteRows {
    private NoteRows() {}

    static Map<String, String> all(Session session) throws SQLException {
        Map<String, String> notes = new HashMap<>();
        try (ResultSet rows = session.prepared("SELECT name, text FROM notes").executeQuery()) {
            while (rows.next()) notes.put(rows.getString(1), rows.getString(2));
        }
        return notes;
    }

    /** In a transaction: nobody else writes a note of that name. */
    static boolean put(Session session, String name, String text) throws SQLException {
        PreparedStatement delete = session.prepared("DELETE FROM notes WHERE name = ?");
        delete.setString(1, name);
        boolean replaced = delete.executeUpdate() > 0;
        if (text.isEmpty()) return replaced;
        PreparedStatement insert = session.prepared("INSERT INTO notes (name, text) VALUES (?, ?)");
        insert.setString(1, name);
        insert.setString(2, text);
        insert.executeUpdate();
        return replaced;
    }
}
