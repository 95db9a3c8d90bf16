package io.alphaomega.repository.jdbc.embedded;

import io.alphaomega.repository.Append;
import io.alphaomega.repository.AppendResult;
import io.alphaomega.repository.AppendResult.Appended;
import io.alphaomega.repository.AppendResult.Conflict;
import io.alphaomega.repository.SagaSummary;
import io.alphaomega.repository.Version;
import io.alphaomega.repository.jdbc.BatchAppender;
import io.alphaomega.repository.jdbc.SagaColumns;
import io.alphaomega.repository.jdbc.ServiceNames;
import io.alphaomega.repository.jdbc.Session;
import io.alphaomega.repository.jdbc.StoredSaga;
import io.alphaomega.repository.jdbc.StoredText;
import io.alphaomega.repository.jdbc.Tokens;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Appends to the embedded store: each is one row, inserted only if the saga's last one is the expected version, so the
 * fence is in the statement. A saga's own row is written when it begins, ends, or something changes that people search by.
 *
 * <p>What is known of running sagas is remembered, so that nothing has to be read. That is true as long as the version
 * is, and the statement looks at the version. Used by one thread at a time: there is one writer.
 */
final class EmbeddedAppends implements BatchAppender {
    private static final String BEGIN = """
            INSERT INTO sagas (number, id, state, service, operation, business_key, reason, manual, begun_at, ended_at,
                due_at, attributes, ordered_at)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING""";

    private static final String FIRST =
            "INSERT INTO appends (saga, sequence, token, services, branches, updated_at, wake_up_at, events) VALUES (?, ?, ?, ?, ?, ?, ?, ?)";

    /** No two appends of a saga have one token, so it tells the sequence as well. */
    private static final String NEXT = """
            INSERT INTO appends (saga, sequence, token, services, branches, updated_at, wake_up_at, events)
            SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8
            WHERE (SELECT token FROM appends WHERE saga = ?1 ORDER BY sequence DESC LIMIT 1) = ?9""";

    private static final String STATE =
            "UPDATE sagas SET state = ?, begun_at = ?, ended_at = ?, due_at = ? WHERE number = ?";

    private static final String DUE = "UPDATE sagas SET due_at = ? WHERE number = ?";

    private static final String TEXTS =
            "UPDATE sagas SET service = ?, operation = ?, business_key = ?, reason = ?, manual = ?, attributes = ?, ordered_at = ? WHERE number = ?";

    private static final String WHERE =
            "SELECT " + String.join(", ", SagaColumns.COLUMNS) + ", number, due_at FROM summaries WHERE id = ?";

    private static final String BURIED =
            "SELECT sequence, PRINTF('%016x', token) FROM sagas WHERE id = ? AND buried_at IS NOT NULL";

    /** An item and what it builds on. */
    record Candidate(int place, Append item, @Nullable StoredSaga before, long number, String services, Version after) {
        Candidate(int place, Append item, @Nullable StoredSaga before, long number, Version after) {
            this(place, item, before, number, services(item.summary().services(), before), after);
        }

        private static String services(Set<String> services, @Nullable StoredSaga before) {
            return before != null && before.summary().services().equals(services)
                    ? before.services()
                    : ServiceNames.text(services);
        }

        @Nullable
        Long dueAt() {
            return StoredSaga.dueAt(
                    before == null ? null : before.dueAt(),
                    SagaColumns.millis(item.summary().wakeUpAt()));
        }
    }

    private final StoredSaga.Remembered remembered = new StoredSaga.Remembered();

    /** For the next saga; 0 if that has to be found out. */
    private long nextNumber;

    @Override
    public List<AppendResult> run(Session session, List<Append> batch) throws SQLException {
        @Nullable AppendResult[] results = new @Nullable AppendResult[batch.size()];
        boolean done = false;
        try {
            // More than one round only if there are several items of one saga.
            for (boolean[] taken = new boolean[batch.size()]; round(session, batch, taken, results); ) {}
            done = true;
        } finally {
            if (!done) nextNumber = 0;
        }
        return List.of(results);
    }

    /** Whether there was anything left to do. */
    private boolean round(Session session, List<Append> batch, boolean[] taken, @Nullable AppendResult[] results)
            throws SQLException {
        long token = Tokens.nextNumber();
        String tokenText = HexFormat.of().toHexDigits(token);
        Set<String> met = new HashSet<>(2 * batch.size());
        List<Candidate> begin = new ArrayList<>();
        List<Candidate> next = new ArrayList<>(batch.size());
        for (int i = 0; i < taken.length; i++) {
            if (taken[i]) continue;
            Append item = batch.get(i);
            if (!met.add(item.id().value())) continue;
            taken[i] = true;
            Version after =
                    new Version(item.expected().sequence() + item.events().size(), tokenText);
            if (item.expected().equals(Version.NONE)) {
                begin.add(new Candidate(i, item, null, takeNumber(session), after));
            } else {
                StoredSaga before = standing(session, item);
                if (before == null) results[i] = conflict(session, item);
                else next.add(new Candidate(i, item, before, before.number(), after));
            }
        }
        if (met.isEmpty()) return false;
        List<Candidate> winners = new ArrayList<>(met.size());
        begin(session, begin, results, winners);
        writeAppends(session, FIRST, winners, token);
        next(session, next, token, results, winners);
        writeStates(session, winners);
        writeTexts(session, winners);
        EmbeddedSearchRows.write(session, winners);
        winners.forEach(this::remember);
        return true;
    }

    private long takeNumber(Session session) throws SQLException {
        if (nextNumber == 0) {
            nextNumber = Long.parseLong(session.text("SELECT COALESCE(MAX(number), 0) FROM sagas")) + 1;
        }
        return nextNumber++;
    }

    /** At the version that the item expects; null if it is at another. */
    private @Nullable StoredSaga standing(Session session, Append item) throws SQLException {
        StoredSaga known = remembered.of(item.id().value(), item.expected());
        if (known == null) known = read(session, item);
        return known != null && known.version().equals(item.expected()) ? known : null;
    }

    private static @Nullable StoredSaga read(Session session, Append item) throws SQLException {
        PreparedStatement select = session.prepared(WHERE);
        select.setString(1, item.id().value());
        try (ResultSet row = select.executeQuery()) {
            if (!row.next()) return null;
            int columns = SagaColumns.COLUMNS.size();
            Optional<Instant> due = SagaColumns.time(row, columns + 2);
            return new StoredSaga(
                    row.getLong(columns + 1),
                    new Version(row.getLong(2), row.getString(3)),
                    SagaColumns.summary(row),
                    row.getString(SagaColumns.COLUMNS.indexOf("services") + 1),
                    SagaColumns.millis(due));
        }
    }

    private static Conflict conflict(Session session, Append item) throws SQLException {
        StoredSaga standing = read(session, item);
        if (standing != null) return new Conflict(standing.version());
        PreparedStatement select = session.prepared(BURIED);
        select.setString(1, item.id().value());
        try (ResultSet row = select.executeQuery()) {
            return new Conflict(row.next() ? new Version(row.getLong(1), row.getString(2)) : Version.NONE);
        }
    }

    private static void begin(
            Session session, List<Candidate> candidates, @Nullable AppendResult[] results, List<Candidate> winners)
            throws SQLException {
        if (candidates.isEmpty()) return;
        PreparedStatement insert = session.prepared(BEGIN);
        for (Candidate candidate : candidates) {
            SagaSummary saga = candidate.item().summary();
            insert.setLong(1, candidate.number());
            insert.setString(2, saga.id().value());
            insert.setString(3, saga.state().name());
            bindTexts(insert, 4, saga);
            insert.setLong(9, saga.begunAt().toEpochMilli());
            bind(insert, 10, SagaColumns.millis(saga.endedAt()));
            bind(insert, 11, candidate.dueAt());
            bindMarked(insert, 12, saga);
            insert.addBatch();
        }
        sort(session, candidates, insert.executeBatch(), results, winners);
    }

    private static void next(
            Session session,
            List<Candidate> candidates,
            long token,
            @Nullable AppendResult[] results,
            List<Candidate> winners)
            throws SQLException {
        if (candidates.isEmpty()) return;
        int[] counts = writeAppends(session, NEXT, candidates, token);
        sort(session, candidates, counts, results, winners);
    }

    /** Who has written a row has won. */
    private static void sort(
            Session session,
            List<Candidate> candidates,
            int[] counts,
            @Nullable AppendResult[] results,
            List<Candidate> winners)
            throws SQLException {
        for (int i = 0; i < counts.length; i++) {
            Candidate candidate = candidates.get(i);
            boolean won = counts[i] == 1;
            if (won) winners.add(candidate);
            results[candidate.place()] = won ? new Appended(candidate.after()) : conflict(session, candidate.item());
        }
    }

    private static int[] writeAppends(Session session, String sql, List<Candidate> candidates, long token)
            throws SQLException {
        if (candidates.isEmpty()) return new int[0];
        PreparedStatement insert = session.prepared(sql);
        for (Candidate candidate : candidates) {
            Append item = candidate.item();
            insert.setLong(1, candidate.number());
            insert.setLong(2, candidate.after().sequence());
            insert.setLong(3, token);
            insert.setString(4, candidate.services());
            insert.setInt(5, item.summary().branches());
            insert.setLong(6, item.summary().updatedAt().toEpochMilli());
            bind(insert, 7, SagaColumns.millis(item.summary().wakeUpAt()));
            insert.setBytes(8, PackedEvents.pack(item.events()));
            if (candidate.before() != null) {
                insert.setLong(9, HexFormat.fromHexDigitsToLong(item.expected().token()));
            }
            insert.addBatch();
        }
        return insert.executeBatch();
    }

    private static void writeStates(Session session, List<Candidate> winners) throws SQLException {
        PreparedStatement states = session.prepared(STATE);
        PreparedStatement dues = session.prepared(DUE);
        int changedStates = 0;
        int changedDues = 0;
        for (Candidate winner : winners) {
            if (winner.before() == null) continue;
            SagaSummary was = winner.before().summary();
            SagaSummary is = winner.item().summary();
            Long dueAt = winner.dueAt();
            if (is.state() != was.state()
                    || !is.begunAt().equals(was.begunAt())
                    || !is.endedAt().equals(was.endedAt())) {
                states.setString(1, is.state().name());
                states.setLong(2, is.begunAt().toEpochMilli());
                bind(states, 3, SagaColumns.millis(is.endedAt()));
                bind(states, 4, dueAt);
                states.setLong(5, winner.number());
                states.addBatch();
                changedStates++;
            } else if (dueAt == null
                    ? winner.before().dueAt() != null
                    : !dueAt.equals(winner.before().dueAt())) {
                bind(dues, 1, dueAt);
                dues.setLong(2, winner.number());
                dues.addBatch();
                changedDues++;
            }
        }
        if (changedStates > 0) states.executeBatch();
        if (changedDues > 0) dues.executeBatch();
    }

    private static void writeTexts(Session session, List<Candidate> winners) throws SQLException {
        PreparedStatement update = session.prepared(TEXTS);
        int changed = 0;
        for (Candidate winner : winners) {
            if (winner.before() == null) continue;
            SagaSummary was = winner.before().summary();
            SagaSummary is = winner.item().summary();
            if (is.reason().equals(was.reason())
                    && is.manual() == was.manual()
                    && is.service().equals(was.service())
                    && is.operation().equals(was.operation())
                    && is.businessKey().equals(was.businessKey())
                    && is.attributes().equals(was.attributes())
                    && is.orderedAt().equals(was.orderedAt())) {
                continue;
            }
            bindTexts(update, 1, is);
            bindMarked(update, 6, is);
            update.setLong(8, winner.number());
            update.addBatch();
            changed++;
        }
        if (changed > 0) update.executeBatch();
    }

    private static void bindTexts(PreparedStatement statement, int first, SagaSummary saga) throws SQLException {
        statement.setString(first, StoredText.stored(saga.service()));
        statement.setString(first + 1, StoredText.stored(saga.operation()));
        statement.setString(first + 2, StoredText.stored(saga.businessKey()));
        statement.setString(first + 3, StoredText.stored(saga.reason()));
        statement.setInt(first + 4, saga.manual() ? 1 : 0);
    }

    private static void bindMarked(PreparedStatement statement, int first, SagaSummary saga) throws SQLException {
        statement.setString(first, SagaColumns.attributes(saga.attributes()));
        bind(statement, first + 1, SagaColumns.millis(saga.orderedAt()));
    }

    private void remember(Candidate winner) {
        remembered.put(new StoredSaga(
                winner.number(), winner.after(), winner.item().summary(), winner.services(), winner.dueAt()));
    }

    private static void bind(PreparedStatement statement, int parameter, @Nullable Long value) throws SQLException {
        if (value == null) statement.setNull(parameter, Types.INTEGER);
        else statement.setLong(parameter, value);
    }
}
