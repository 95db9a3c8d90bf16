package io.alphaomega.repository.jdbc;

import io.alphaomega.repository.Cursor;
import io.alphaomega.repository.Page;
import io.alphaomega.repository.SagaCounts;
import io.alphaomega.repository.SagaQuery;
import io.alphaomega.repository.SagaSummary;
import io.alphaomega.repository.SagaSummary.State;
import io.alphaomega.repository.ScanPosition;
import io.alphaomega.repository.jdbc.SearchConditions.First;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/** What people ask for: lists of summaries and their numbers. */
final class SearchStatements {
    private SearchStatements() {}

    static Page<SagaSummary> find(Session session, SqlDialect dialect, SagaQuery query, Cursor cursor, int limit)
            throws SQLException {
        Optional<ScanPosition> after = ScanPosition.of(cursor, ScanPosition.Scan.FIND);
        List<Object> parameters = new ArrayList<>();
        String sql = sql(dialect, query, after, limit, parameters);
        return page(session, sql, parameters, limit, ScanPosition.Scan.FIND, SagaSummary::begunAt);
    }

    static Page<SagaSummary> ordered(Session session, SqlDialect dialect, Instant since, Cursor cursor, int limit)
            throws SQLException {
        Optional<ScanPosition> after = ScanPosition.of(cursor, ScanPosition.Scan.ORDERED);
        List<Object> parameters = new ArrayList<>();
        SearchConditions conditions = new SearchConditions(dialect, parameters);
        conditions.ordered(since);
        String sql = select(dialect, conditions, First.MARKS, false, after, limit, parameters);
        Function<SagaSummary, Instant> orderedAt = saga -> saga.orderedAt().orElseThrow();
        return page(session, sql, parameters, limit, ScanPosition.Scan.ORDERED, orderedAt);
    }

    /** @param time by which they are ordered */
    private static Page<SagaSummary> page(
            Session session,
            String sql,
            List<Object> parameters,
            int limit,
            ScanPosition.Scan scan,
            Function<SagaSummary, Instant> time)
            throws SQLException {
        PreparedStatement select = session.prepared(sql);
        for (int i = 0; i < parameters.size(); i++) select.setObject(i + 1, parameters.get(i));
        List<SagaSummary> items = new ArrayList<>();
        try (ResultSet row = select.executeQuery()) {
            while (row.next() && items.size() <= limit) items.add(SagaColumns.summary(row));
        }
        if (items.size() <= limit) return new Page<>(items, Optional.empty());
        SagaSummary last = items.get(limit - 1);
        ScanPosition place =
                new ScanPosition(time.apply(last).toEpochMilli(), last.id().value());
        return new Page<>(items.subList(0, limit), Optional.of(place.cursor(scan)));
    }

    private static String sql(
            SqlDialect dialect, SagaQuery query, Optional<ScanPosition> after, int limit, List<Object> parameters) {
        boolean open = !query.states().isEmpty() && query.states().stream().noneMatch(State::isEnded);
        if (leadsToFew(query)) return select(dialect, query, First.SAGAS, after, limit, parameters);
        if (!open) return select(dialect, query, first(query), after, limit, parameters);
        // Few sagas are open, and each state has them in the order wanted: nothing else is read.
        List<String> states = new ArrayList<>();
        for (State state : query.states()) {
            String one = select(dialect, query.in(state), First.SAGAS, after, limit, parameters);
            states.add("SELECT * FROM (%s) AS %s".formatted(one, state.name().toLowerCase(Locale.ROOT)));
        }
        parameters.add(limit + 1);
        return String.join(" UNION ALL ", states) + " ORDER BY begun_at DESC, id DESC LIMIT ?";
    }

    /** Fewer sagas have an attribute than a service. */
    private static First first(SagaQuery query) {
        if (query.attribute().isPresent()) return First.MARKS;
        return query.service().isPresent() ? First.SERVICES : First.SAGAS;
    }

    /** Whether there is an index that has hardly more than what is looked for, or all that has to be looked at. */
    private static boolean leadsToFew(SagaQuery query) {
        return query.id().isPresent()
                || query.businessKey().filter(key -> !key.isEmpty()).isPresent();
    }

    private static String select(
            SqlDialect dialect,
            SagaQuery query,
            First first,
            Optional<ScanPosition> after,
            int limit,
            List<Object> parameters) {
        SearchConditions conditions = new SearchConditions(dialect, parameters);
        conditions.of(query, first, time(first));
        return select(dialect, conditions, first, query.service().isPresent(), after, limit, parameters);
    }

    /** @param services whether the conditions are about them as well */
    private static String select(
            SqlDialect dialect,
            SearchConditions conditions,
            First first,
            boolean services,
            Optional<ScanPosition> after,
            int limit,
            List<Object> parameters) {
        String time = time(first);
        String id = id(dialect, first);
        after.ifPresent(place -> conditions.after(place, time, id));
        parameters.add(limit + 1);
        return "SELECT %s FROM %s WHERE %s ORDER BY %s DESC, %s DESC LIMIT ?"
                .formatted(
                        SagaColumns.COLUMNS.stream()
                                .map(column -> "s." + column)
                                .collect(Collectors.joining(", ")),
                        tables(dialect, first, services),
                        conditions.sql(),
                        time,
                        id);
    }

    private static String time(First first) {
        return switch (first) {
            case SAGAS -> "s.begun_at";
            case SERVICES -> "x.begun_at";
            case MARKS -> "m.millis";
        };
    }

    /** Where that is how the other tables know a saga, it is in the index. */
    private static String id(SqlDialect dialect, First first) {
        if (!dialect.key().equals("id")) return "s.id";
        return switch (first) {
            case SAGAS -> "s.id";
            case SERVICES -> "x.saga";
            case MARKS -> "m.saga";
        };
    }

    private static String tables(SqlDialect dialect, First first, boolean services) {
        String sagas = dialect.summaries() + " s";
        List<String> inOrder = new ArrayList<>(List.of(sagas));
        if (services) inOrder.add(first == First.SERVICES ? 0 : 1, "saga_services x");
        if (first == First.MARKS) inOrder.add(0, "saga_marks m");
        return String.join(dialect.thenJoins(), inOrder);
    }

    static SagaCounts counts(Session session, Set<State> wanted) throws SQLException {
        Map<State, Long> counts = new EnumMap<>(State.class);
        // Those in states that a newer version has stored count where all do.
        boolean all = wanted.containsAll(List.of(State.values()));
        String condition = all ? Tombstones.NO_STATE : "state IN (%s)".formatted(Session.parameters(wanted.size()));
        PreparedStatement select =
                session.prepared("SELECT state, COUNT(*) FROM sagas WHERE %s GROUP BY state".formatted(condition));
        int parameter = 0;
        if (!all) for (State state : wanted) select.setString(++parameter, state.name());
        try (ResultSet row = select.executeQuery()) {
            while (row.next()) {
                counts.merge(SagaColumns.state(row.getString(1)).orElse(State.SUSPENDED), row.getLong(2), Long::sum);
            }
        }
        return new SagaCounts(counts);
    }
}
