package io.alphaomega.repository.jdbc.server;

import io.alphaomega.repository.Append;
import io.alphaomega.repository.AppendResult;
import io.alphaomega.repository.AppendResult.Appended;
import io.alphaomega.repository.SagaSummary;
import io.alphaomega.repository.StoredEvent;
import io.alphaomega.repository.Version;
import io.alphaomega.repository.jdbc.BatchAppender;
import io.alphaomega.repository.jdbc.SagaColumns;
import io.alphaomega.repository.jdbc.SearchTag;
import io.alphaomega.repository.jdbc.ServiceNames;
import io.alphaomega.repository.jdbc.Session;
import io.alphaomega.repository.jdbc.StoredSaga;
import io.alphaomega.repository.jdbc.StoredText;
import io.alphaomega.repository.jdbc.Tokens;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Appends to MySQL and MariaDB as if nobody else did: no row is read or locked first. A row is inserted where the saga
 * begins; else it is replaced if its token is the one that the append builds on, and the statement fails if not. The
 * server's count says whether all were there. If something fails so, or if there is something in the batch that this
 * process has not written last, the transaction is undone and the careful one takes its place, which finds out who has
 * lost.
 */
final class OptimisticAppends implements BatchAppender {
    /** The server counts a row that an {@code INSERT} has replaced twice. */
    private static final int REPLACED = 2;

    private static final int DUPLICATE = 1062;
    private static final int OUT_OF_RANGE = 1690;

    /** What all but rare appends to a saga change at most. */
    private static final List<String> MOVED = List.of(
            "id",
            "sequence",
            "token",
            "previous",
            "state",
            "services",
            "branches",
            "reason",
            "manual",
            "updated_at",
            "ended_at",
            "wake_up_at",
            "due_at");

    /** For what a statement does not replace, but must name: such a row is there already, or everything is undone. */
    private static final Map<String, String> NEVER_STORED =
            Map.of("service", "''", "operation", "''", "business_key", "''", "begun_at", "0");

    private record Move(Append item, @Nullable StoredSaga before, StoredSaga after) {
        private static boolean changesMore(SagaSummary was, SagaSummary is) {
            return !was.begunAt().equals(is.begunAt())
                    || !was.service().equals(is.service())
                    || !was.operation().equals(is.operation())
                    || !was.businessKey().equals(is.businessKey())
                    || !was.attributes().equals(is.attributes())
                    || !was.orderedAt().equals(is.orderedAt());
        }
    }

    private final BatchAppender careful;
    private final StoredSaga.Remembered remembered;
    private final int statementBytes;
    private final Insert begun;
    private final Insert moved;
    private final Insert whole;
    private final Insert events;
    private final Insert services;
    private final Insert marks;

    /** @param remembered filled by {@code careful} as well */
    OptimisticAppends(ServerDialect dialect, BatchAppender careful, StoredSaga.Remembered remembered) {
        this.careful = careful;
        this.remembered = remembered;
        statementBytes = dialect.statementBytes();
        begun = new Insert(dialect, "sagas", SagaColumns.STORED, "");
        moved = replacing(dialect, MOVED);
        whole = replacing(dialect, concat(SagaColumns.STORED, List.of("previous")));
        events = new Insert(dialect, "events", AppendTransaction.EVENT_COLUMNS, "");
        services = new Insert(dialect, "saga_services", AppendTransaction.SERVICE_COLUMNS, "");
        marks = new Insert(dialect, "saga_marks", AppendTransaction.MARK_COLUMNS, "");
    }

    private static List<String> concat(Collection<String> some, Collection<String> more) {
        return Stream.concat(some.stream(), more.stream()).toList();
    }

    /** Rows that are there already, of which these columns are replaced. */
    private static Insert replacing(ServerDialect dialect, List<String> columns) {
        SortedMap<String, String> others = new TreeMap<>(NEVER_STORED);
        others.keySet().removeAll(columns);
        List<String> values = concat(Collections.nCopies(columns.size(), "?"), others.values());
        String row = "(" + String.join(", ", values) + ")";
        return new Insert(dialect, "sagas", concat(columns, others.keySet()), row, replaceIfPrevious(columns));
    }

    /**
     * Assigned from left to right: the token, by which the sequence knows, last. Where it is another, the sequence would
     * be larger than any number, which is an error in every SQL mode.
     */
    private static String replaceIfPrevious(List<String> columns) {
        Stream<String> others = columns.stream()
                .filter(column -> !Set.of("id", "previous", "sequence", "token").contains(column));
        return Stream.concat(others, Stream.of("token"))
                .map(column -> "%1$s = VALUES(%1$s)".formatted(column))
                .collect(Collectors.joining(
                        ", ",
                        " ON DUPLICATE KEY UPDATE sequence = IF(token = VALUES(previous), VALUES(sequence), ~0 + VALUES(sequence)), ",
                        ""));
    }

    @Override
    public List<AppendResult> run(Session session, List<Append> batch) throws SQLException {
        List<Move> moves = moves(batch);
        if (moves.size() == batch.size()) {
            if (write(session, moves)) {
                for (Move move : moves) remembered.put(move.after());
                return moves.stream()
                        .<AppendResult>map(move -> new Appended(move.after().version()))
                        .toList();
            }
            session.undo();
        }
        return careful.run(session, batch);
    }

    /** In the order of the batch; fewer than it has if one of them is not known well enough. */
    private List<Move> moves(List<Append> batch) {
        String token = Tokens.next();
        Set<String> met = new HashSet<>(2 * batch.size());
        List<Move> moves = new ArrayList<>(batch.size());
        for (Append item : batch) {
            if (!met.add(item.id().value())) return List.of();
            boolean begins = item.expected().equals(Version.NONE);
            StoredSaga before = begins ? null : remembered.of(item.id().value(), item.expected());
            if (!begins && before == null) return List.of();
            Version version =
                    new Version(item.expected().sequence() + item.events().size(), token);
            moves.add(new Move(item, before, StoredSaga.after(before, item.summary(), version)));
        }
        return moves;
    }

    /**
     * Whether all of it was written. Rows of one statement are in the order of ids, so that most who meet do not wait in
     * a circle. Those of the second are locked after those of the first, so that some do: the server rolls one of them
     * back, and it is repeated.
     */
    private boolean write(Session session, List<Move> moves) throws SQLException {
        List<@Nullable Object[]> begunRows = new ArrayList<>();
        List<@Nullable Object[]> movedRows = new ArrayList<>();
        List<@Nullable Object[]> wholeRows = new ArrayList<>();
        List<@Nullable Object[]> eventRows = new ArrayList<>();
        List<@Nullable Object[]> serviceRows = new ArrayList<>();
        List<@Nullable Object[]> markRows = new ArrayList<>();
        long expected = 0;
        for (Move move : moves.stream()
                .sorted(Comparator.comparing(move -> move.item().id().value()))
                .toList()) {
            SagaSummary before = move.before() == null ? null : move.before().summary();
            SagaSummary after = move.after().summary();
            expected += before == null ? 1 : REPLACED;
            if (before == null) begunRows.add(row(move));
            else if (Move.changesMore(before, after))
                wholeRows.add(with(row(move), move.item().expected().token()));
            else movedRows.add(moved(move));
            addEvents(eventRows, move);
            if (move.before() == null || !sameServices(move.before(), move.after())) {
                if (!onlyJoin(move)) return false;
                addServices(serviceRows, move);
            }
            if (!addMarks(markRows, move)) return false;
        }
        try {
            PipelinedInserts inserts = new PipelinedInserts(session, statementBytes);
            inserts.insert(begun, begunRows, true);
            inserts.insert(moved, movedRows, true);
            inserts.insert(whole, wholeRows, true);
            inserts.insert(events, eventRows, false);
            inserts.insert(services, serviceRows, false);
            inserts.insert(marks, markRows, false);
            return inserts.send() == expected;
        } catch (SQLException e) {
            // The winner's row or events are there, or his token: the count would have said the same.
            if (e.getErrorCode() != DUPLICATE && e.getErrorCode() != OUT_OF_RANGE) throw e;
            return false;
        }
    }

    private static boolean sameServices(StoredSaga before, StoredSaga after) {
        return before.summary().begunAt().equals(after.summary().begunAt())
                && before.summary().services().equals(after.summary().services());
    }

    /** That a service leaves, or a saga begins at another time, is rare, and left to the careful transaction. */
    private static boolean onlyJoin(Move move) {
        return move.before() == null
                || (move.before()
                                .summary()
                                .begunAt()
                                .equals(move.after().summary().begunAt())
                        && move.after()
                                .summary()
                                .services()
                                .containsAll(move.before().summary().services()));
    }

    private static void addServices(List<@Nullable Object[]> rows, Move move) {
        SagaSummary saga = move.after().summary();
        Set<String> had =
                move.before() == null ? Set.of() : move.before().summary().services();
        for (String service : saga.services()) {
            if (had.contains(service)) continue;
            rows.add(new @Nullable Object[] {
                StoredText.stored(service),
                saga.begunAt().toEpochMilli(),
                saga.id().value()
            });
        }
    }

    /** False if one leaves, as that of the order before the last does: that is left to the careful transaction as well. */
    private static boolean addMarks(List<@Nullable Object[]> rows, Move move) {
        SagaSummary saga = move.after().summary();
        SagaSummary before = move.before() == null ? null : move.before().summary();
        if (before != null && SearchTag.sameOf(before, saga)) return true;
        Set<SearchTag> had = before == null ? Set.of() : SearchTag.of(before);
        Set<SearchTag> has = SearchTag.of(saga);
        for (SearchTag tag : SearchTag.without(has, had))
            rows.add(tag.row(saga.id().value()));
        return has.containsAll(had);
    }

    private static void addEvents(List<@Nullable Object[]> rows, Move move) {
        long sequence = move.item().expected().sequence();
        String saga = move.item().id().value();
        for (StoredEvent event : move.item().events()) {
            rows.add(new @Nullable Object[] {saga, ++sequence, event.type(), event.bytes(), event.crc32c()});
        }
    }

    private static @Nullable Object[] row(Move move) {
        StoredSaga after = move.after();
        return SagaColumns.values(after.summary(), after.version(), after.dueAt());
    }

    private static @Nullable Object[] moved(Move move) {
        SagaSummary saga = move.after().summary();
        return new @Nullable Object[] {
            saga.id().value(),
            move.after().version().sequence(),
            move.after().version().token(),
            move.item().expected().token(),
            saga.state().name(),
            ServiceNames.text(saga.services()),
            saga.branches(),
            StoredText.stored(saga.reason()),
            saga.manual(),
            saga.updatedAt().toEpochMilli(),
            SagaColumns.millis(saga.endedAt()),
            SagaColumns.millis(saga.wakeUpAt()),
            move.after().dueAt()
        };
    }

    private static @Nullable Object[] with(@Nullable Object[] row, @Nullable Object... more) {
        @Nullable Object[] all = Arrays.copyOf(row, row.length + more.length);
        System.arraycopy(more, 0, all, row.length, more.length);
        return all;
    }
}
