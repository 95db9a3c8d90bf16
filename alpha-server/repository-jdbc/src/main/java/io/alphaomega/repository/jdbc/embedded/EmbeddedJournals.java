package io.alphaomega.repository.jdbc.embedded;

import io.alphaomega.repository.Loaded;
import io.alphaomega.repository.StoredEvent;
import io.alphaomega.repository.Version;
import io.alphaomega.repository.jdbc.JournalRows;
import io.alphaomega.repository.jdbc.Session;
import io.alphaomega.repository.jdbc.Tombstones;
import io.alphaomega.saga.SagaId;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/** Reads the journal of a saga of the embedded store. */
final class EmbeddedJournals {
    /** One statement, so one snapshot. Of a tombstone there is one row without an append. */
    private static final String LOAD = """
            SELECT s.state, s.sequence, s.token, a.sequence, a.token, a.events
            FROM sagas s LEFT JOIN appends a ON a.saga = s.number WHERE s.id = ? ORDER BY a.sequence""";

    private EmbeddedJournals() {}

    static Loaded load(Session session, SagaId id) throws SQLException {
        PreparedStatement select = session.prepared(LOAD);
        select.setString(1, id.value());
        List<StoredEvent> events = new ArrayList<>();
        Version version = Version.NONE;
        try (ResultSet row = select.executeQuery()) {
            while (row.next()) {
                var ended = Tombstones.ended(row.getString(1));
                if (ended.isPresent()) return Loaded.tombstone(ended.get(), version(row.getLong(2), row.getLong(3)));
                byte[] packed = row.getBytes(6);
                if (packed == null) throw JournalRows.corrupt(id, "there is such a saga, but none of its events");
                List<StoredEvent> next = PackedEvents.unpack(id, packed);
                // No append is that; the migration to the third schema left it where a journal was damaged.
                if (next.isEmpty()) {
                    throw JournalRows.corrupt(
                            id, "it should have " + row.getLong(4) + " events, but fewer or more are stored");
                }
                long before = row.getLong(4) - next.size();
                if (before != events.size()) {
                    throw JournalRows.corrupt(id, "after event " + events.size() + " comes event " + (before + 1));
                }
                events.addAll(next);
                version = version(events.size(), row.getLong(5));
            }
        }
        return events.isEmpty() ? Loaded.NOTHING : new Loaded(events, version);
    }

    private static Version version(long sequence, long token) {
        return new Version(sequence, HexFormat.of().toHexDigits(token));
    }
}
