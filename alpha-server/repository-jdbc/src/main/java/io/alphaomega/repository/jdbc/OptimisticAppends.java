package io.alphaomega.repository.jdbc;

import io.alphaomega.repository.Append;
import io.alphaomega.repository.AppendResult;
import io.alphaomega.repository.AppendResult.Appended;
import io.alphaomega.repository.SagaSummary;
import io.alphaomega.repository.StoredEvent;
import io.alphaomega.repository.Version;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Appends to MySQL and MariaDB as if nobody else did: no row is read or locked first. Each row of the batch is replaced
 * only if its token is the one that the append builds on, by the statement itself; the server's count says whether all
 * were. If not, or if there is something in the batch that this process has not written last, the transaction is undone
 * and the careful one takes its place, which finds out who has lost.
 */
final class OptimisticAppends implements Appending {
    /** The server counts a row that an {@code INSERT} has replaced twice, and one that it has left as it is not at all. */
    private static final int REPLACED = 2;

    private static final int DUPLICATE = 1062;

    private static final List<String> MOVED = List.of(
            "id", "sequence", "token", "previous", "services", "branches", "updated_at", "wake_up_at", "due_at");

    /** Never stored: such a row is there already, or everything is undone. */
    private static final List<String> NOT_MOVED =
            List.of("state", "service", "operation", "business_key", "reason", "manual", "begun_at");

    private record Move(Append item, @Nullable Standing before, Standing after) {
        boolean changesMoreThanProgress() {
            if (before == null) return true;
            SagaSummary was = before.summary();
            SagaSummary is = after.summary();
            return was.state() != is.state()
                    || was.manual() != is.manual()
                    || !was.reason().equals(is.reason())
                    || !was.begunAt().equals(is.begunAt())
                    || !was.endedAt().equals(is.endedAt())
                    || !was.service().equals(is.service())
                    || !was.operation().equals(is.operation())
                    || !was.businessKey().equals(is.businessKey())
                    || !was.attributes().equals(is.attributes())
                    || !was.orderedAt().equals(is.orderedAt());
        }
    }

    private final Appending careful;
    private final Standing.Remembered remembered;
    private final int statementBytes;
    private final Insert whole;
    private final Insert moved;
    private final Insert events;
    private final Insert services;
    private final Insert marks;

    /** @param remembered filled by {@code careful} as well */
    OptimisticAppends(ServerDialect dialect, Appending careful, Standing.Remembered remembered) {
        this.careful = careful;
        this.remembered = remembered;
        statementBytes = dialect.statementBytes();
        List<String> all =
                Stream.concat(SagaRow.STORED.stream(), Stream.of("previous")).toList();
        whole = new Insert(dialect, "sagas", all, replaceIfPrevious(all));
        moved = new Insert(
                dialect,
                "sagas",
                Stream.concat(MOVED.stream(), NOT_MOVED.stream()).toList(),
                "(" + "?, ".repeat(MOVED.size()) + "'', '', '', '', '', 0, 0)",
                replaceIfPrevious(MOVED));
        events = new Insert(dialect, "events", AppendTransaction.EVENT_COLUMNS, "");
        services = new Insert(dialect, "saga_services", AppendTransaction.SERVICE_COLUMNS, "");
        marks = new Insert(dialect, "saga_marks", AppendTransaction.MARK_COLUMNS, "");
    }

    /** Assigned from left to right: the token, by which the others know, last. */
    private static String replaceIfPrevious(List<String> columns) {
        return columns.stream()
                .filter(column -> !Set.of("id", "previous").contains(column))
                .sorted(Comparator.comparing("token"::equals))
                .map(column -> "%1$s = IF(token = VALUES(previous), VALUES(%1$s), %1$s)".formatted(column))
                .collect(Collectors.joining(", ", " ON DUPLICATE KEY UPDATE ", ""));
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
            Standing before = begins ? null : remembered.of(item.id().value(), item.expected());
            if (!begins && before == null) return List.of();
            Version version =
                    new Version(item.expected().sequence() + item.events().size(), token);
            moves.add(new Move(item, before, Standing.after(before, item.summary(), version)));
        }
        return moves;
    }

    /**
     * Whether all of it was written. Rows of one statement are in the order of ids, so that most who meet do not wait in
     * a circle. Those of the second are locked after those of the first, so that some do: the server rolls one of them
     * back, and it is repeated.
     */
    private boolean write(Session session, List<Move> moves) throws SQLException {
        List<@Nullable Object[]> wholes = new ArrayList<>();
        List<@Nullable Object[]> narrow = new ArrayList<>();
        List<@Nullable Object[]> eventRows = new ArrayList<>();
        List<@Nullable Object[]> serviceRows = new ArrayList<>();
        List<@Nullable Object[]> markRows = new ArrayList<>();
        long expected = 0;
        for (Move move : moves.stream()
                .sorted(Comparator.comparing(move -> move.item().id().value()))
                .toList()) {
            expected += move.before() == null ? 1 : REPLACED;
            if (move.changesMoreThanProgress()) wholes.add(whole(move));
            else narrow.add(narrow(move));
            addEvents(eventRows, move);
            if (move.before() == null || !sameServices(move.before(), move.after())) {
                if (!onlyJoin(move)) return false;
                addServices(serviceRows, move);
            }
            if (!addMarks(markRows, move)) return false;
        }
        try {
            Together together = new Together(session, statementBytes);
            together.insert(whole, wholes, true);
            together.insert(moved, narrow, true);
            together.insert(events, eventRows, false);
            together.insert(services, serviceRows, false);
            together.insert(marks, markRows, false);
            return together.send() == expected;
        } catch (SQLException e) {
            // The winner's events are there: the count would have said the same.
            if (e.getErrorCode() != DUPLICATE) throw e;
            return false;
        }
    }

    private static boolean sameServices(Standing before, Standing after) {
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
                Texts.stored(service), saga.begunAt().toEpochMilli(), saga.id().value()
            });
        }
    }

    /** False if one leaves, as that of the order before the last does: that is left to the careful transaction as well. */
    private static boolean addMarks(List<@Nullable Object[]> rows, Move move) {
        SagaSummary saga = move.after().summary();
        SagaSummary before = move.before() == null ? null : move.before().summary();
        if (before != null && Mark.sameOf(before, saga)) return true;
        Set<Mark> had = before == null ? Set.of() : Mark.of(before);
        Set<Mark> has = Mark.of(saga);
        for (Mark mark : Mark.without(has, had)) rows.add(mark.row(saga.id().value()));
        return has.containsAll(had);
    }

    private static void addEvents(List<@Nullable Object[]> rows, Move move) {
        long sequence = move.item().expected().sequence();
        String saga = move.item().id().value();
        for (StoredEvent event : move.item().events()) {
            rows.add(new @Nullable Object[] {saga, ++sequence, event.type(), event.bytes(), event.crc32c()});
        }
    }

    private static @Nullable Object[] whole(Move move) {
        Standing after = move.after();
        @Nullable Object[] row = SagaRow.values(after.summary(), after.version(), after.dueAt());
        @Nullable Object[] withPrevious = Arrays.copyOf(row, row.length + 1);
        withPrevious[row.length] = move.item().expected().token();
        return withPrevious;
    }

    private static @Nullable Object[] narrow(Move move) {
        SagaSummary saga = move.after().summary();
        return new @Nullable Object[] {
            saga.id().value(),
            move.after().version().sequence(),
            move.after().version().token(),
            move.item().expected().token(),
            ServiceNames.text(saga.services()),
            saga.branches(),
            saga.updatedAt().toEpochMilli(),
            SagaRow.millis(saga.wakeUpAt()),
            move.after().dueAt()
        };
    }
}
