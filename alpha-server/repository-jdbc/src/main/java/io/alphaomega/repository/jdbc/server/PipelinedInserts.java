package io.alphaomega.repository.jdbc.server;

import io.alphaomega.repository.jdbc.Session;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Inserts that go to the server together, in one round trip, or a few where they are longer than it takes. */
final class PipelinedInserts {
    private final Session session;
    private final int bytesMax;
    private final StringBuilder sql = new StringBuilder();
    private final List<@Nullable Object> values = new ArrayList<>();
    private final List<Boolean> counted = new ArrayList<>();
    private long bytes;
    private long count;

    PipelinedInserts(Session session, int bytesMax) {
        this.session = session;
        this.bytesMax = bytesMax;
    }

    /** @param isCounted whether the rows that it changes are a part of {@link #send} */
    void insert(Insert insert, List<@Nullable Object[]> rows, boolean isCounted) throws SQLException {
        int from = 0;
        bytes += Insert.FRAME_BYTES;
        for (int i = 0; i < rows.size(); i++) {
            long more = Insert.bytes(rows.get(i));
            if (bytes + more > bytesMax && (i > from || !sql.isEmpty())) {
                add(insert, rows.subList(from, i), isCounted);
                flush();
                bytes = Insert.FRAME_BYTES;
                from = i;
            }
            bytes += more;
        }
        add(insert, rows.subList(from, rows.size()), isCounted);
    }

    private void add(Insert insert, List<@Nullable Object[]> rows, boolean isCounted) {
        if (rows.isEmpty()) return;
        if (!sql.isEmpty()) sql.append(';');
        insert.append(sql, rows.size());
        for (@Nullable Object[] row : rows) for (Object value : row) values.add(value);
        counted.add(isCounted);
    }

    /** How many rows changed, as the server counts them, since this was made. */
    long send() throws SQLException {
        flush();
        return count;
    }

    private void flush() throws SQLException {
        if (sql.isEmpty()) return;
        try (PreparedStatement statement = session.unremembered(sql.toString())) {
            for (int i = 0; i < values.size(); i++) Insert.set(statement, i + 1, values.get(i));
            statement.execute();
            for (boolean counts : counted) {
                if (counts) count += statement.getUpdateCount();
                statement.getMoreResults();
            }
        }
        sql.setLength(0);
        values.clear();
        counted.clear();
    }
}
