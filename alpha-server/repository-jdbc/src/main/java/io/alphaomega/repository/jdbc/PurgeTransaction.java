package io.alphaomega.repository.jdbc;

import io.alphaomega.repository.SagaSummary.State;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Deletes what is stored of the sagas that ended first but for a tombstone, and later the tombstones. */
final class PurgeTransaction {
    private static final String ENDED = Stream.of(State.values())
            .filter(State::isEnded)
            .map(state -> "'" + state.name() + "'")
            .collect(Collectors.joining(", "));

    private static final String OLDEST =
            "SELECT id, begun_at, services, state FROM sagas WHERE ended_at < ? AND state IN (%s) ORDER BY ended_at LIMIT ?"
                    .formatted(ENDED);

    /** Assigned from left to right where the database does so: the time is kept before it is cleared. */
    private static final String BURY = """
            UPDATE sagas SET state = ?, token = ?, buried_at = ended_at, ended_at = NULL, wake_up_at = NULL,
                service = '', operation = '', business_key = '', services = '', branches = 0, reason = ''
            WHERE id = ? AND ended_at IS NOT NULL""";

    private static final String OLDEST_TOMBSTONES =
            "SELECT id FROM sagas WHERE buried_at < ? ORDER BY buried_at LIMIT ?";

    private record Ended(String id, long begunAt, String services, String state) {}

    private PurgeTransaction() {}

    static int purge(Session session, SqlDialect dialect, Instant endedBefore, int limit) throws SQLException {
        List<Ended> purged = new ArrayList<>();
        PreparedStatement oldest = session.prepared(OLDEST + dialect.toLockWhatIsFree());
        oldest.setLong(1, endedBefore.toEpochMilli());
        oldest.setInt(2, limit);
        try (ResultSet row = oldest.executeQuery()) {
            while (row.next())
                purged.add(new Ended(row.getString(1), row.getLong(2), row.getString(3), row.getString(4)));
        }
        if (purged.isEmpty()) return 0;
        PreparedStatement services = session.prepared(AppendTransaction.DELETE_SERVICE);
        PreparedStatement events = session.prepared("DELETE FROM events WHERE saga = ?");
        PreparedStatement sagas = session.prepared(BURY);
        String token = Tokens.next();
        for (Ended saga : purged) {
            for (String service : ServiceNames.of(saga.services())) {
                AppendTransaction.addServiceToDelete(services, service, saga.begunAt(), saga.id());
            }
            events.setString(1, saga.id());
            events.addBatch();
            sagas.setString(1, Tombstones.state(saga.state()));
            sagas.setString(2, token);
            sagas.setString(3, saga.id());
            sagas.addBatch();
        }
        services.executeBatch();
        events.executeBatch();
        sagas.executeBatch();
        return purged.size();
    }

    static int forget(Session session, SqlDialect dialect, Instant endedBefore, int limit) throws SQLException {
        List<String> forgotten = new ArrayList<>();
        PreparedStatement oldest = session.prepared(OLDEST_TOMBSTONES + dialect.toLockWhatIsFree());
        oldest.setLong(1, endedBefore.toEpochMilli());
        oldest.setInt(2, limit);
        try (ResultSet row = oldest.executeQuery()) {
            while (row.next()) forgotten.add(row.getString(1));
        }
        if (forgotten.isEmpty()) return 0;
        PreparedStatement delete = session.prepared("DELETE FROM sagas WHERE id = ?");
        for (String saga : forgotten) {
            delete.setString(1, saga);
            delete.addBatch();
        }
        delete.executeBatch();
        return forgotten.size();
    }
}
