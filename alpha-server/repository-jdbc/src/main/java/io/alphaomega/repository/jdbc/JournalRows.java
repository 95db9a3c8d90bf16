package io.alphaomega.repository.jdbc;

import io.alphaomega.repository.Cursor;
import io.alphaomega.repository.Loaded;
import io.alphaomega.repository.Page;
import io.alphaomega.repository.SagaSummary.State;
import io.alphaomega.repository.ScanPosition;
import io.alphaomega.repository.StoredEvent;
import io.alphaomega.repository.Version;
import io.alphaomega.saga.CorruptJournalException;
import io.alphaomega.saga.SagaId;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** What the server reads to go on: one saga's journal, and which sagas are due. */
public final class JournalRows {
    /** One statement, so one snapshot: the saga's row, and its events in whatever order. */
    private static final String LOAD = """
            SELECT 0, sequence, token, state, NULL, NULL, NULL FROM sagas WHERE id = ?
            UNION ALL
            SELECT 1, sequence, NULL, NULL, type, bytes, crc32c FROM events WHERE saga = ?""";

    private static final String AFTER = " AND due_at >= ? AND (due_at, id) > (?, ?)";

    private JournalRows() {}

    private record Event(long sequence, StoredEvent event) {}

    public static Loaded load(Session session, SagaId id) throws SQLException {
        PreparedStatement select = session.prepared(LOAD);
        select.setString(1, id.value());
        select.setString(2, id.value());
        Version version = Version.NONE;
        String state = "";
        List<Event> events = new ArrayList<>();
        try (ResultSet row = select.executeQuery()) {
            while (row.next()) {
                if (row.getInt(1) == 0) {
                    version = new Version(row.getLong(2), row.getString(3));
                    state = row.getString(4);
                } else {
                    events.add(new Event(row.getLong(2), new StoredEvent(row.getString(5), bytes(row), row.getInt(7))));
                }
            }
        }
        Optional<State> ended = Tombstones.ended(state);
        if (ended.isPresent()) return Loaded.tombstone(ended.get(), version);
        events.sort(Comparator.comparingLong(Event::sequence));
        requireWhole(id, version, events);
        return events.isEmpty()
                ? Loaded.NOTHING
                : new Loaded(events.stream().map(Event::event).toList(), version);
    }

    private static void requireWhole(SagaId id, Version version, List<Event> events) {
        if (version.equals(Version.NONE) && !events.isEmpty()) {
            throw corrupt(
                    id,
                    "event " + events.getFirst().sequence() + " is stored, but nothing says that there is such a saga");
        }
        for (int i = 0; i < events.size(); i++) {
            if (events.get(i).sequence() != i + 1) {
                throw corrupt(
                        id, "after event " + i + " comes event " + events.get(i).sequence());
            }
        }
        if (version.sequence() != events.size()) {
            throw corrupt(id, "it should have " + version.sequence() + " events, but " + events.size() + " are stored");
        }
    }

    private static byte[] bytes(ResultSet row) throws SQLException {
        byte[] bytes = row.getBytes(6);
        return bytes == null ? new byte[0] : bytes;
    }

    public static CorruptJournalException corrupt(SagaId id, String found) {
        return new CorruptJournalException(
                "The journal of saga %s is damaged: %s. It is left as it is; other sagas continue."
                        .formatted(id, found));
    }

    static Page<SagaId> due(Session session, SqlDialect dialect, Instant until, Cursor cursor, int limit)
            throws SQLException {
        Optional<ScanPosition> after = ScanPosition.of(cursor, ScanPosition.Scan.DUE);
        PreparedStatement select = session.prepared(
                "SELECT due_at, id FROM %s WHERE due_at <= ? AND wake_up_at <= ?%s ORDER BY due_at, id LIMIT ?"
                        .formatted(dialect.summaries(), after.isEmpty() ? "" : AFTER));
        int parameter = 0;
        select.setLong(++parameter, until.toEpochMilli());
        select.setLong(++parameter, until.toEpochMilli());
        if (after.isPresent()) {
            // Said twice: not every database finds the place in its index by the pair.
            select.setLong(++parameter, after.get().millis());
            select.setLong(++parameter, after.get().millis());
            select.setString(++parameter, after.get().id());
        }
        select.setInt(++parameter, limit + 1);
        List<SagaId> items = new ArrayList<>();
        ScanPosition last = new ScanPosition(0, "");
        try (ResultSet row = select.executeQuery()) {
            while (row.next()) {
                if (items.size() == limit) return new Page<>(items, Optional.of(last.cursor(ScanPosition.Scan.DUE)));
                last = new ScanPosition(row.getLong(1), row.getString(2));
                items.add(new SagaId(last.id()));
            }
        }
        return new Page<>(items, Optional.empty());
    }
}
