package io.alphaomega.repository.jdbc.server;

import io.alphaomega.repository.Append;
import io.alphaomega.repository.AppendResult;
import io.alphaomega.repository.AppendResult.Appended;
import io.alphaomega.repository.AppendResult.Conflict;
import io.alphaomega.repository.AppendResult.Locked;
import io.alphaomega.repository.SagaSummary;
import io.alphaomega.repository.StoredEvent;
import io.alphaomega.repository.Version;
import io.alphaomega.repository.jdbc.BatchAppender;
import io.alphaomega.repository.jdbc.SagaColumns;
import io.alphaomega.repository.jdbc.SearchTag;
import io.alphaomega.repository.jdbc.ServiceNames;
import io.alphaomega.repository.jdbc.ServiceRows;
import io.alphaomega.repository.jdbc.Session;
import io.alphaomega.repository.jdbc.StoredSaga;
import io.alphaomega.repository.jdbc.StoredText;
import io.alphaomega.repository.jdbc.Tokens;
import io.alphaomega.repository.jdbc.Tombstones;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One batch of appends in one transaction: select where its sagas stand, drop the losers in Java, then write the rows of
 * the winners and their events, each kind together. However many items, it is the same few statements.
 *
 * <p>Others write at the same time: the selected rows are locked, those of new sagas too: these are inserted first. Of
 * rows that others have locked there are two ways: to wait for them, or to pass over them, whose items are then {@link
 * Locked}.
 */
final class AppendTransaction implements BatchAppender {
    /** Under every database's limit of parameters; a batch that large is rare, a second round trip for it is not worth much. */
    private static final int SELECTED_MAX = 1_024;

    static final List<String> EVENT_COLUMNS = List.of("saga", "sequence", "type", "bytes", "crc32c");
    static final List<String> SERVICE_COLUMNS = List.of("service", "begun_at", "saga");
    static final List<String> MARK_COLUMNS = List.of("mark", "millis", "saga");

    /**
     * What is stored of a saga and decides how an append to it is written.
     *
     * @param begun whether nothing was stored, and this transaction has put the saga's row there, as it shall be
     */
    private record Stored(
            Version version,
            String state,
            String services,
            Instant begunAt,
            Set<SearchTag> tags,
            @Nullable Long dueAt,
            boolean begun) {
        static final Stored NONE = new Stored(Version.NONE, "", "", Instant.EPOCH, Set.of(), null, false);

        boolean takes(Append item) {
            return version.equals(item.expected()) && !Tombstones.is(state);
        }

        Stored after(SagaSummary saga, Version version) {
            return new Stored(
                    version,
                    saga.state().name(),
                    ServiceNames.text(saga.services()),
                    saga.begunAt(),
                    SearchTag.of(saga),
                    StoredSaga.dueAt(dueAt, SagaColumns.millis(saga.wakeUpAt())),
                    false);
        }
    }

    /** An item that is stored. */
    private record Winner(Append item, Stored before, Stored after) {
        StoredSaga standing() {
            return new StoredSaga(0, after.version(), item.summary(), after.services(), after.dueAt());
        }
    }

    private final ServerDialect dialect;
    private final boolean waits;
    private final Consumer<StoredSaga> written;
    private final String where;
    private final String toLock;
    private final Insert begin;
    private final Insert replace;
    private final Insert events;
    private final Insert services;
    private final Insert marks;

    /**
     * @param waits whether it waits for rows that others have locked, until the database gives up; else it passes over them
     * @param written is told what it knows of each saga now, if its transaction is committed
     */
    AppendTransaction(ServerDialect dialect, boolean waits, Consumer<StoredSaga> written) {
        this.dialect = dialect;
        this.waits = waits;
        this.written = written;
        toLock = waits ? " FOR UPDATE" : dialect.toLockWhatIsFree();
        List<String> columns = SagaColumns.STORED;
        where = "SELECT id, sequence, token, state, services, begun_at, due_at, attributes, ordered_at FROM sagas"
                + dialect.byKey();
        begin = new Insert(dialect, "sagas", columns, dialect.orIgnore("id"));
        replace = new Insert(dialect, "sagas", columns, dialect.orUpdate("id", columns.subList(1, columns.size())));
        events = new Insert(dialect, "events", EVENT_COLUMNS, "");
        services = new Insert(dialect, "saga_services", SERVICE_COLUMNS, "");
        marks = new Insert(dialect, "saga_marks", MARK_COLUMNS, "");
    }

    @Override
    public List<AppendResult> run(Session session, List<Append> batch) throws SQLException {
        String token = Tokens.next();
        begin(session, batch, token);
        Map<String, Stored> standings = standings(session, batch, token);
        Set<String> locked = waits ? Set.of() : passedOver(session, batch, standings.keySet());
        List<Winner> winners = new ArrayList<>(batch.size());
        List<AppendResult> results = new ArrayList<>(batch.size());
        for (Append item : batch) {
            if (locked.contains(item.id().value())) {
                results.add(new Locked());
                continue;
            }
            Stored before = standings.getOrDefault(item.id().value(), Stored.NONE);
            if (before.takes(item)) {
                Version version =
                        new Version(before.version().sequence() + item.events().size(), token);
                Stored after = before.after(item.summary(), version);
                winners.add(new Winner(item, before, after));
                standings.put(item.id().value(), after);
                results.add(new Appended(version));
            } else {
                results.add(new Conflict(before.version()));
            }
        }
        if (!winners.isEmpty()) write(session, winners);
        for (Winner winner : winners) written.accept(winner.standing());
        return results;
    }

    /**
     * Puts the rows of sagas that are said to be new, so that each has a row to lock, if not somebody else's. What is put
     * here is not lost again: who finds his own row has won.
     */
    private void begin(Session session, List<Append> batch, String token) throws SQLException {
        SortedMap<String, @Nullable Object[]> rows = new TreeMap<>();
        for (Append item : batch) {
            if (item.expected().equals(Version.NONE)) {
                Version version = new Version(item.events().size(), token);
                rows.putIfAbsent(
                        item.id().value(),
                        SagaColumns.values(
                                item.summary(),
                                version,
                                SagaColumns.millis(item.summary().wakeUpAt())));
            }
        }
        if (waits) begin.write(session, List.copyOf(rows.values()));
        else if (!rows.isEmpty()) dialect.beginWithoutWaiting(session, begin, rows);
    }

    /**
     * The sagas whose rows were not found, but are there: somebody has locked them. The row of one that begins is there
     * in any case, this transaction's or somebody's who has not committed it.
     */
    private Set<String> passedOver(Session session, List<Append> batch, Set<String> found) throws SQLException {
        Set<String> locked = new HashSet<>();
        Set<String> running = new HashSet<>();
        for (Append item : batch) {
            String id = item.id().value();
            if (!found.contains(id)) (item.expected().equals(Version.NONE) ? locked : running).add(id);
        }
        locked.addAll(existing(session, dialect, running));
        return locked;
    }

    /** Those of the sagas that have a row, by a read that waits for nobody. */
    static Set<String> existing(Session session, ServerDialect dialect, Collection<String> sagas) throws SQLException {
        Set<String> existing = new HashSet<>();
        List<String> ids = List.copyOf(sagas);
        for (int from = 0; from < ids.size(); from += SELECTED_MAX) {
            List<String> some = ids.subList(from, Math.min(ids.size(), from + SELECTED_MAX));
            PreparedStatement select = byId(session, "SELECT id FROM sagas" + dialect.byKey(), some, "");
            try (ResultSet row = select.executeQuery()) {
                while (row.next()) existing.add(row.getString(1));
            }
        }
        return existing;
    }

    private Map<String, Stored> standings(Session session, List<Append> batch, String token) throws SQLException {
        List<String> ids = batch.stream()
                .map(item -> item.id().value())
                .distinct()
                .sorted()
                .toList();
        Map<String, Stored> standings = new HashMap<>();
        for (int from = 0; from < ids.size(); from += SELECTED_MAX) {
            select(session, ids.subList(from, Math.min(ids.size(), from + SELECTED_MAX)), token, standings);
        }
        return standings;
    }

    /** In the order of ids: who locks in one order does not wait in a circle. */
    private void select(Session session, List<String> ids, String token, Map<String, Stored> standings)
            throws SQLException {
        PreparedStatement select = byId(session, where, ids, " ORDER BY id" + toLock);
        try (ResultSet row = select.executeQuery()) {
            while (row.next()) {
                Version version = new Version(row.getLong(2), row.getString(3));
                boolean begun = version.token().equals(token);
                Instant begunAt = Instant.ofEpochMilli(row.getLong(6));
                standings.put(
                        row.getString(1),
                        new Stored(
                                begun ? Version.NONE : version,
                                row.getString(4),
                                begun ? "" : row.getString(5),
                                begunAt,
                                begun
                                        ? Set.of()
                                        : SearchTag.of(
                                                SagaColumns.attributes(row.getString(8)),
                                                begunAt,
                                                SagaColumns.time(row, 9)),
                                SagaColumns.millis(SagaColumns.time(row, 7)),
                                begun));
            }
        }
    }

    private static PreparedStatement byId(Session session, String select, List<String> ids, String suffix)
            throws SQLException {
        // Padded to a power of two, so that there are few texts to prepare.
        int parameters = Math.max(1, Integer.highestOneBit(2 * ids.size() - 1));
        PreparedStatement statement =
                session.prepared("%s WHERE id IN (%s)%s".formatted(select, Session.parameters(parameters), suffix));
        for (int i = 0; i < parameters; i++) statement.setString(i + 1, ids.get(Math.min(i, ids.size() - 1)));
        return statement;
    }

    private void write(Session session, List<Winner> winners) throws SQLException {
        List<@Nullable Object[]> replaced = new ArrayList<>();
        List<@Nullable Object[]> added = new ArrayList<>();
        for (Winner winner : winners) {
            if (!winner.before().begun()) {
                replaced.add(SagaColumns.values(
                        winner.item().summary(),
                        winner.after().version(),
                        winner.after().dueAt()));
            }
            addEvents(added, winner);
        }
        replace.write(session, replaced);
        events.write(session, added);
        writeServices(session, winners);
        writeMarks(session, winners);
    }

    private static void addEvents(List<@Nullable Object[]> rows, Winner winner) {
        long sequence = winner.before().version().sequence();
        String saga = winner.item().id().value();
        for (StoredEvent event : winner.item().events()) {
            rows.add(new @Nullable Object[] {saga, ++sequence, event.type(), event.bytes(), event.crc32c()});
        }
    }

    private void writeServices(Session session, List<Winner> winners) throws SQLException {
        PreparedStatement delete = session.prepared(ServiceRows.DELETE);
        boolean deletes = false;
        List<@Nullable Object[]> added = new ArrayList<>();
        for (Winner winner : winners) {
            Stored before = winner.before();
            Stored after = winner.after();
            boolean sameTime = before.begunAt().equals(after.begunAt());
            if (sameTime && before.services().equals(after.services())) continue;
            Set<String> had = ServiceNames.of(before.services());
            Set<String> has = winner.item().summary().services();
            String saga = winner.item().id().value();
            for (String service : sameTime ? without(had, has) : had) {
                ServiceRows.addTo(delete, service, before.begunAt().toEpochMilli(), saga);
                deletes = true;
            }
            for (String service : sameTime ? without(has, had) : has) {
                added.add(new @Nullable Object[] {
                    StoredText.stored(service), after.begunAt().toEpochMilli(), saga
                });
            }
        }
        if (deletes) delete.executeBatch();
        services.write(session, added);
    }

    private void writeMarks(Session session, List<Winner> winners) throws SQLException {
        PreparedStatement delete = session.prepared(SearchTag.DELETE);
        boolean deletes = false;
        List<@Nullable Object[]> added = new ArrayList<>();
        for (Winner winner : winners) {
            Set<SearchTag> had = winner.before().tags();
            Set<SearchTag> has = winner.after().tags();
            String saga = winner.item().id().value();
            for (SearchTag tag : SearchTag.without(had, has)) {
                tag.addTo(delete, saga);
                deletes = true;
            }
            for (SearchTag tag : SearchTag.without(has, had)) added.add(tag.row(saga));
        }
        if (deletes) delete.executeBatch();
        marks.write(session, added);
    }

    private static Set<String> without(Set<String> some, Set<String> others) {
        Set<String> rest = new TreeSet<>(some);
        rest.removeAll(others);
        return rest;
    }
}
