package io.alphaomega.repository.jdbc;

import io.alphaomega.repository.SagaSummary.State;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Deletes what is stored of the sagas that ended first but for a tombstone, and later the tombstones. */
final class PurgeTransaction {
    private static final String ENDED = Stream.of(State.values())
            .filter(State::isEnded)
            .map(state -> "'" + state.name() + "'")
            .collect(Collectors.joining(", "));

    private record Ended(Object key, long begunAt, String services, String state, Set<SearchTag> tags) {}

    private PurgeTransaction() {}

    static int purge(Session session, SqlDialect dialect, Instant endedBefore, int limit) throws SQLException {
        List<Ended> purged = new ArrayList<>();
        PreparedStatement oldest = session.prepared(
                "SELECT %s, begun_at, services, state, attributes, ordered_at FROM %s WHERE ended_at < ? AND state IN (%s) ORDER BY ended_at LIMIT ?%s"
                        .formatted(dialect.key(), dialect.summaries(), ENDED, dialect.toLockWhatIsFree()));
        oldest.setLong(1, endedBefore.toEpochMilli());
        oldest.setInt(2, limit);
        try (ResultSet row = oldest.executeQuery()) {
            while (row.next()) purged.add(ended(row));
        }
        if (purged.isEmpty()) return 0;
        PreparedStatement services = session.prepared(ServiceRows.DELETE);
        PreparedStatement marks = session.prepared(SearchTag.DELETE);
        PreparedStatement events = session.prepared("DELETE FROM " + dialect.journal() + " WHERE saga = ?");
        PreparedStatement sagas = session.prepared(dialect.bury());
        Object token = dialect.newToken();
        for (Ended saga : purged) {
            for (String service : ServiceNames.of(saga.services())) {
                ServiceRows.addTo(services, service, saga.begunAt(), saga.key());
            }
            for (SearchTag tag : saga.tags()) tag.addTo(marks, saga.key());
            events.setObject(1, saga.key());
            events.addBatch();
            sagas.setString(1, Tombstones.state(saga.state()));
            sagas.setObject(2, token);
            sagas.setObject(3, saga.key());
            sagas.addBatch();
        }
        services.executeBatch();
        marks.executeBatch();
        sagas.executeBatch();
        events.executeBatch();
        return purged.size();
    }

    private static Ended ended(ResultSet row) throws SQLException {
        Instant begunAt = Instant.ofEpochMilli(row.getLong(2));
        return new Ended(
                row.getObject(1),
                begunAt.toEpochMilli(),
                row.getString(3),
                row.getString(4),
                SearchTag.of(SagaColumns.attributes(row.getString(5)), begunAt, SagaColumns.time(row, 6)));
    }

    static int forget(Session session, SqlDialect dialect, Instant endedBefore, int limit) throws SQLException {
        List<Object> forgotten = new ArrayList<>();
        PreparedStatement oldest =
                session.prepared("SELECT %s FROM sagas WHERE buried_at < ? ORDER BY buried_at LIMIT ?%s"
                        .formatted(dialect.key(), dialect.toLockWhatIsFree()));
        oldest.setLong(1, endedBefore.toEpochMilli());
        oldest.setInt(2, limit);
        try (ResultSet row = oldest.executeQuery()) {
            while (row.next()) forgotten.add(row.getObject(1));
        }
        if (forgotten.isEmpty()) return 0;
        PreparedStatement delete = session.prepared("DELETE FROM sagas WHERE " + dialect.key() + " = ?");
        for (Object saga : forgotten) {
            delete.setObject(1, saga);
            delete.addBatch();
        }
        delete.executeBatch();
        return forgotten.size();
    }
}
