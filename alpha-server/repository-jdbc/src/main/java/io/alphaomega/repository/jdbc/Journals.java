package io.alphaomega.repository.jdbc;

import io.alphaomega.repository.Cursor;
import io.alphaomega.repository.Loaded;
import io.alphaomega.repository.Page;
import io.alphaomega.repository.SagaSummary.State;
import io.alphaomega.repository.StoredEvent;
import io.alphaomega.repository.Version;
import io.alphaomega.saga.CorruptJournalException;
import io.alphaomega.saga.SagaId;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What the server reads to go on: one saga's journal, and which sagas are due. */
final class Journals {
    /** One statement, so one snapshot; the row's half is there or not, the events' half is there or not. */
    private static final String LOAD = """
            SELECT s.sequence, s.token, e.sequence, e.type, e.bytes, e.crc32c, s.state
            FROM (SELECT CAST(? AS VARCHAR(64)) AS id) q
            LEFT JOIN sagas s ON s.id = q.id
            LEFT JOIN events e ON e.saga = q.id
            ORDER BY e.sequence""";

    private static final String DUE = "SELECT wake_up_at, id FROM sagas WHERE wake_up_at <= ?";

    private Journals() {}

    static Loaded load(Session session, SagaId id) throws SQLException {
        PreparedStatement select = session.prepared(LOAD);
        select.setString(1, id.value());
        try (ResultSet row = select.executeQuery()) {
            List<StoredEvent> events = new ArrayList<>();
            long declared = 0;
            String token = "";
            while (row.next()) {
                declared = row.getLong(1);
                boolean known = !row.wasNull();
                if (known) token = row.getString(2);
                Optional<State> ended = known ? Tombstones.ended(row.getString(7)) : Optional.empty();
                if (ended.isPresent()) return Loaded.tombstone(ended.get(), new Version(declared, token));
                long sequence = row.getLong(3);
                if (row.wasNull()) break;
                if (!known) {
                    throw corrupt(id, "event " + sequence + " is stored, but nothing says that there is such a saga");
                }
                if (sequence != events.size() + 1) {
                    throw corrupt(id, "after event " + events.size() + " comes event " + sequence);
                }
                events.add(new StoredEvent(row.getString(4), bytes(row), row.getInt(6)));
            }
            if (declared != events.size()) {
                throw corrupt(id, "it should have " + declared + " events, but " + events.size() + " are stored");
            }
            return events.isEmpty() ? Loaded.NOTHING : new Loaded(events, new Version(declared, token));
        }
    }

    private static byte[] bytes(ResultSet row) throws SQLException {
        byte[] bytes = row.getBytes(5);
        return bytes == null ? new byte[0] : bytes;
    }

    private static CorruptJournalException corrupt(SagaId id, String found) {
        return new CorruptJournalException(
                "The journal of saga %s is damaged: %s. It is left as it is; other sagas go on.".formatted(id, found));
    }

    static Page<SagaId> due(Session session, Instant until, Cursor cursor, int limit) throws SQLException {
        boolean first = cursor.equals(Cursor.START);
        PreparedStatement select = session.prepared(
                DUE + (first ? "" : " AND (wake_up_at, id) > (?, ?)") + " ORDER BY wake_up_at, id LIMIT ?");
        int parameter = 0;
        select.setLong(++parameter, until.toEpochMilli());
        if (!first) {
            Place after = Place.of(cursor, Place.Scan.DUE);
            select.setLong(++parameter, after.millis());
            select.setString(++parameter, after.id());
        }
        select.setInt(++parameter, limit + 1);
        List<SagaId> items = new ArrayList<>();
        Place last = new Place(0, "");
        try (ResultSet row = select.executeQuery()) {
            while (row.next()) {
                if (items.size() == limit) return new Page<>(items, Optional.of(last.cursor(Place.Scan.DUE)));
                last = new Place(row.getLong(1), row.getString(2));
                items.add(new SagaId(last.id()));
            }
        }
        return new Page<>(items, Optional.empty());
    }
}
