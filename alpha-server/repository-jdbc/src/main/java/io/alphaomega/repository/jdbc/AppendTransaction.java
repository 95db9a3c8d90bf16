package io.alphaomega.repository.jdbc;

import io.alphaomega.repository.Append;
import io.alphaomega.repository.AppendResult;
import io.alphaomega.repository.AppendResult.Appended;
import io.alphaomega.repository.AppendResult.Conflict;
import io.alphaomega.repository.SagaSummary;
import io.alphaomega.repository.StoredEvent;
import io.alphaomega.repository.Version;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * One batch of appends in one transaction: select where its sagas stand, drop the losers in Java, then write the rows of
 * the winners and their events, each kind by one JDBC batch. However many items, it is the same few statements.
 */
final class AppendTransaction {
    /** Under every database's limit of parameters; a batch that large is rare, a second round trip for it is not worth much. */
    private static final int SELECTED_MAX = 1_024;

    /** What is stored of a saga and decides how an append to it is written. */
    private record Standing(
            Version version, String state, String services, Instant begunAt, Optional<Instant> endedAt) {
        static final Standing NONE = new Standing(Version.NONE, "", "", Instant.EPOCH, Optional.empty());

        boolean takes(Append item) {
            return version.equals(item.expected()) && !Tombstones.is(state);
        }

        static Standing of(SagaSummary saga, Version version) {
            return new Standing(
                    version, saga.state().name(), ServiceNames.text(saga.services()), saga.begunAt(), saga.endedAt());
        }

        boolean differsInAnIndexFrom(Standing that) {
            return !state.equals(that.state)
                    || !services.equals(that.services)
                    || !begunAt.equals(that.begunAt)
                    || !endedAt.equals(that.endedAt);
        }
    }

    /** An item that is stored. */
    private record Winner(Append item, Standing before, Standing after) {}

    private final String insertOrReplace;
    private final String insertOrMove;

    AppendTransaction(SqlDialect dialect) {
        String insert = "INSERT INTO sagas (%s) VALUES (%s)"
                .formatted(String.join(", ", SagaRow.COLUMNS), parameters(SagaRow.COLUMNS.size()));
        insertOrReplace = insert + dialect.orUpdate("id", SagaRow.COLUMNS.subList(1, SagaRow.COLUMNS.size()));
        insertOrMove = insert + dialect.orUpdate("id", SagaRow.COLUMNS_THAT_MOVE);
    }

    List<AppendResult> run(Session session, List<Append> batch) throws SQLException {
        Map<String, Standing> standings = standings(session, batch);
        String token = Tokens.next();
        List<Winner> winners = new ArrayList<>(batch.size());
        List<AppendResult> results = new ArrayList<>(batch.size());
        for (Append item : batch) {
            Standing before = standings.getOrDefault(item.id().value(), Standing.NONE);
            if (before.takes(item)) {
                Version version =
                        new Version(before.version().sequence() + item.events().size(), token);
                Standing after = Standing.of(item.summary(), version);
                winners.add(new Winner(item, before, after));
                standings.put(item.id().value(), after);
                results.add(new Appended(version));
            } else {
                results.add(new Conflict(before.version()));
            }
        }
        if (!winners.isEmpty()) write(session, winners);
        return results;
    }

    private Map<String, Standing> standings(Session session, List<Append> batch) throws SQLException {
        List<String> ids = batch.stream()
                .map(item -> item.id().value())
                .distinct()
                .sorted()
                .toList();
        Map<String, Standing> standings = new HashMap<>();
        for (int from = 0; from < ids.size(); from += SELECTED_MAX) {
            select(session, ids.subList(from, Math.min(ids.size(), from + SELECTED_MAX)), standings);
        }
        return standings;
    }

    private void select(Session session, List<String> ids, Map<String, Standing> standings) throws SQLException {
        // Padded to a power of two, so that there are few texts to prepare.
        int parameters = Math.max(1, Integer.highestOneBit(2 * ids.size() - 1));
        PreparedStatement select = session.prepared(
                "SELECT id, sequence, token, state, services, begun_at, ended_at FROM sagas WHERE id IN (%s) ORDER BY id"
                        .formatted(parameters(parameters)));
        for (int i = 0; i < parameters; i++) select.setString(i + 1, ids.get(Math.min(i, ids.size() - 1)));
        try (ResultSet row = select.executeQuery()) {
            while (row.next()) {
                standings.put(
                        row.getString(1),
                        new Standing(
                                new Version(row.getLong(2), row.getString(3)),
                                row.getString(4),
                                row.getString(5),
                                Instant.ofEpochMilli(row.getLong(6)),
                                SagaRow.time(row, 7)));
            }
        }
    }

    private void write(Session session, List<Winner> winners) throws SQLException {
        PreparedStatement replace = session.prepared(insertOrReplace);
        PreparedStatement move = session.prepared(insertOrMove);
        PreparedStatement event =
                session.prepared("INSERT INTO events (saga, sequence, type, bytes, crc32c) VALUES (?, ?, ?, ?, ?)");
        boolean replaces = false;
        boolean moves = false;
        for (Winner winner : winners) {
            boolean indexed = winner.before().differsInAnIndexFrom(winner.after());
            PreparedStatement row = indexed ? replace : move;
            SagaRow.bind(row, winner.item().summary(), winner.after().version());
            row.addBatch();
            replaces |= indexed;
            moves |= !indexed;
            addEvents(event, winner);
        }
        if (replaces) replace.executeBatch();
        if (moves) move.executeBatch();
        event.executeBatch();
        writeServices(session, winners);
    }

    private static void addEvents(PreparedStatement row, Winner winner) throws SQLException {
        long sequence = winner.before().version().sequence();
        for (StoredEvent event : winner.item().events()) {
            row.setString(1, winner.item().id().value());
            row.setLong(2, ++sequence);
            row.setString(3, event.type());
            row.setBytes(4, event.bytes());
            row.setInt(5, event.crc32c());
            row.addBatch();
        }
    }

    private void writeServices(Session session, List<Winner> winners) throws SQLException {
        PreparedStatement delete =
                session.prepared("DELETE FROM saga_services WHERE service = ? AND begun_at = ? AND saga = ?");
        PreparedStatement insert =
                session.prepared("INSERT INTO saga_services (service, begun_at, saga) VALUES (?, ?, ?)");
        boolean deletes = false;
        boolean inserts = false;
        for (Winner winner : winners) {
            Standing before = winner.before();
            Standing after = winner.after();
            boolean sameTime = before.begunAt().equals(after.begunAt());
            if (sameTime && before.services().equals(after.services())) continue;
            Set<String> had = ServiceNames.of(before.services());
            Set<String> has = winner.item().summary().services();
            deletes |= addServices(delete, winner, before.begunAt(), sameTime ? without(had, has) : had);
            inserts |= addServices(insert, winner, after.begunAt(), sameTime ? without(has, had) : has);
        }
        if (deletes) delete.executeBatch();
        if (inserts) insert.executeBatch();
    }

    private static boolean addServices(PreparedStatement row, Winner winner, Instant begunAt, Set<String> services)
            throws SQLException {
        for (String service : services) {
            row.setString(1, service);
            row.setLong(2, begunAt.toEpochMilli());
            row.setString(3, winner.item().id().value());
            row.addBatch();
        }
        return !services.isEmpty();
    }

    private static Set<String> without(Set<String> some, Set<String> others) {
        Set<String> rest = new TreeSet<>(some);
        rest.removeAll(others);
        return rest;
    }

    static String parameters(int count) {
        return "?" + ", ?".repeat(count - 1);
    }
}
