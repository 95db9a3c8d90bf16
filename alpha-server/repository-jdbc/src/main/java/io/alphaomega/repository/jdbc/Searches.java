package io.alphaomega.repository.jdbc;

import io.alphaomega.repository.Cursor;
import io.alphaomega.repository.Page;
import io.alphaomega.repository.SagaCounts;
import io.alphaomega.repository.SagaQuery;
import io.alphaomega.repository.SagaSummary;
import io.alphaomega.repository.SagaSummary.State;
import io.alphaomega.repository.ScanPosition;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** What people ask for: lists of summaries and their numbers. */
final class Searches {
    private Searches() {}

    static Page<SagaSummary> find(Session session, SqlDialect dialect, SagaQuery query, Cursor cursor, int limit)
            throws SQLException {
        Optional<ScanPosition> after = ScanPosition.of(cursor, ScanPosition.Scan.FIND);
        List<Object> parameters = new ArrayList<>();
        String sql = sql(dialect, query, after, limit, parameters);
        PreparedStatement select = session.prepared(sql);
        for (int i = 0; i < parameters.size(); i++) select.setObject(i + 1, parameters.get(i));
        List<SagaSummary> items = new ArrayList<>();
        try (ResultSet row = select.executeQuery()) {
            while (row.next() && items.size() <= limit) items.add(SagaRow.summary(row));
        }
        if (items.size() <= limit) return new Page<>(items, Optional.empty());
        SagaSummary last = items.get(limit - 1);
        ScanPosition place =
                new ScanPosition(last.begunAt().toEpochMilli(), last.id().value());
        return new Page<>(items.subList(0, limit), Optional.of(place.cursor(ScanPosition.Scan.FIND)));
    }

    private static String sql(
            SqlDialect dialect, SagaQuery query, Optional<ScanPosition> after, int limit, List<Object> parameters) {
        boolean open = !query.states().isEmpty() && query.states().stream().noneMatch(State::isEnded);
        if (leadsToFew(query)) return select(dialect, query, false, after, limit, parameters);
        if (!open) return select(dialect, query, query.service().isPresent(), after, limit, parameters);
        // Few sagas are open, and each state has them in the order wanted: nothing else is read.
        List<String> states = new ArrayList<>();
        for (State state : query.states()) {
            String one = select(dialect, query.in(state), false, after, limit, parameters);
            states.add("SELECT * FROM (%s) AS %s".formatted(one, state.name().toLowerCase(Locale.ROOT)));
        }
        parameters.add(limit + 1);
        return String.join(" UNION ALL ", states) + " ORDER BY begun_at DESC, id DESC LIMIT ?";
    }

    /** Whether there is an index that has hardly more than what is looked for, or all that has to be looked at. */
    private static boolean leadsToFew(SagaQuery query) {
        return query.id().isPresent()
                || query.businessKey().filter(key -> !key.isEmpty()).isPresent();
    }

    /** @param byService whether the index is the table of services; its time and id are those of the saga */
    private static String select(
            SqlDialect dialect,
            SagaQuery query,
            boolean byService,
            Optional<ScanPosition> after,
            int limit,
            List<Object> parameters) {
        String time = byService ? "x.begun_at" : "s.begun_at";
        // Where that is the id, it is in the index.
        String id = byService && dialect.key().equals("id") ? "x.saga" : "s.id";
        Conditions conditions = new Conditions(dialect, parameters);
        conditions.of(query, byService, time);
        after.ifPresent(place -> conditions.after(place, time, id));
        parameters.add(limit + 1);
        return "SELECT %s FROM %s WHERE %s ORDER BY %s DESC, %s DESC LIMIT ?"
                .formatted(
                        SagaRow.COLUMNS.stream().map(column -> "s." + column).collect(Collectors.joining(", ")),
                        tables(dialect, query.service().isPresent(), byService),
                        conditions.sql(),
                        time,
                        id);
    }

    private static String tables(SqlDialect dialect, boolean services, boolean servicesFirst) {
        String sagas = dialect.summaries() + " s";
        if (!services) return sagas;
        String x = "saga_services x";
        return servicesFirst ? x + dialect.thenJoins() + sagas : sagas + dialect.thenJoins() + x;
    }

    static SagaCounts counts(Session session, Set<State> wanted) throws SQLException {
        Map<State, Long> counts = new EnumMap<>(State.class);
        // Those in states that a newer version has stored count where all do.
        boolean all = wanted.containsAll(List.of(State.values()));
        String condition =
                all ? Tombstones.NO_STATE : "state IN (%s)".formatted(AppendTransaction.parameters(wanted.size()));
        PreparedStatement select =
                session.prepared("SELECT state, COUNT(*) FROM sagas WHERE %s GROUP BY state".formatted(condition));
        int parameter = 0;
        if (!all) for (State state : wanted) select.setString(++parameter, state.name());
        try (ResultSet row = select.executeQuery()) {
            while (row.next()) {
                counts.merge(SagaRow.state(row.getString(1)).orElse(State.SUSPENDED), row.getLong(2), Long::sum);
            }
        }
        return new SagaCounts(counts);
    }
}
