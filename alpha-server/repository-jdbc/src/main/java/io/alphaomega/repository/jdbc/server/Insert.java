package io.alphaomega.repository.jdbc.server;

import io.alphaomega.repository.jdbc.Session;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Types;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How rows are put into one table, many together: by one statement of many rows, or a few where it would be longer than
 * the database takes; or by a batch of statements of one row, where that is as quick.
 */
final class Insert {
    /** The statement's own words, and room for what a protocol adds. */
    static final int FRAME_BYTES = 4_096;

    /** Of a number with its sign, a comma, brackets, quotes. */
    private static final int VALUE_BYTES = 24;

    /** A character of UTF-8 has up to three bytes, or four for two characters; one that is escaped has two. */
    private static final int CHARACTER_BYTES = 3;

    private final String insert;
    private final String row;
    private final String suffix;
    private final int statementBytes;

    /** @param suffix what follows the values */
    Insert(ServerDialect dialect, String table, List<String> columns, String suffix) {
        this(dialect, table, columns, "(" + "?" + ", ?".repeat(columns.size() - 1) + ")", suffix);
    }

    /** @param row with a question mark for each value that is given, and constants */
    Insert(ServerDialect dialect, String table, List<String> columns, String row, String suffix) {
        insert = "INSERT INTO %s (%s) VALUES ".formatted(table, String.join(", ", columns));
        this.row = row;
        this.suffix = suffix;
        statementBytes = dialect.statementBytes();
    }

    /** @param rows one value for each column */
    void write(Session session, List<@Nullable Object[]> rows) throws SQLException {
        if (rows.isEmpty()) return;
        if (statementBytes == 0) writeBatch(session, rows);
        else writeSplit(session, rows);
    }

    private void writeBatch(Session session, List<@Nullable Object[]> rows) throws SQLException {
        PreparedStatement statement = session.prepared(insert + row + suffix);
        for (@Nullable Object[] values : rows) {
            bind(statement, 0, values);
            statement.addBatch();
        }
        statement.executeBatch();
    }

    private void writeSplit(Session session, List<@Nullable Object[]> rows) throws SQLException {
        int from = 0;
        long bytes = FRAME_BYTES;
        for (int i = 0; i < rows.size(); i++) {
            long more = bytes(rows.get(i));
            if (i > from && bytes + more > statementBytes) {
                writeTogether(session, rows.subList(from, i));
                from = i;
                bytes = FRAME_BYTES;
            }
            bytes += more;
        }
        writeTogether(session, rows.subList(from, rows.size()));
    }

    /** Not remembered by the session: there is another text for each number of rows, and each would keep its values. */
    private void writeTogether(Session session, List<@Nullable Object[]> rows) throws SQLException {
        StringBuilder sql = new StringBuilder();
        append(sql, rows.size());
        try (PreparedStatement statement = session.unremembered(sql.toString())) {
            int parameter = 0;
            for (@Nullable Object[] values : rows) parameter = bind(statement, parameter, values);
            statement.executeUpdate();
        }
    }

    /** The statement of so many rows. */
    void append(StringBuilder sql, int rows) {
        sql.append(insert).append(row);
        for (int i = 1; i < rows; i++) sql.append(", ").append(row);
        sql.append(suffix);
    }

    private static int bind(PreparedStatement statement, int parameter, @Nullable Object[] values) throws SQLException {
        for (Object value : values) set(statement, ++parameter, value);
        return parameter;
    }

    /** By its type: MariaDB's driver, left to find that out, asks some thirty codecs in a row. */
    static void set(PreparedStatement statement, int parameter, @Nullable Object value) throws SQLException {
        switch (value) {
            case null -> statement.setNull(parameter, Types.NULL);
            case String text -> statement.setString(parameter, text);
            case Long number -> statement.setLong(parameter, number);
            case Integer number -> statement.setInt(parameter, number);
            case Boolean is -> statement.setBoolean(parameter, is);
            case byte[] bytes -> statement.setBytes(parameter, bytes);
            default -> statement.setObject(parameter, value);
        }
    }

    /** At most, as text in a statement. */
    static long bytes(@Nullable Object[] values) {
        long bytes = 0;
        for (Object value : values) {
            bytes += VALUE_BYTES;
            if (value instanceof String text) bytes += (long) CHARACTER_BYTES * text.length();
            if (value instanceof byte[] binary) bytes += 2L * binary.length;
        }
        return bytes;
    }
}
