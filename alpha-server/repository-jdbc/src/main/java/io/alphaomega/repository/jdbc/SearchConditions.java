package io.alphaomega.repository.jdbc;

import io.alphaomega.repository.SagaQuery;
import io.alphaomega.repository.ScanPosition;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * What rows {@code s} of sagas, {@code x} of their services and {@code m} of their marks must meet; and the parameters of
 * that, in their order.
 *
 * <p>Who reads services first needs no more than the saga of each: with a second condition for the same thing PostgreSQL
 * expects hardly any, and so sorts all. Who reads sagas first finds their services by an index that begins with the time.
 */
final class SearchConditions {
    /** What is read first, in its order by time; the rest is looked up for each row of it. */
    enum First {
        SAGAS,
        SERVICES,
        MARKS
    }

    private final SqlDialect dialect;
    private final List<Object> parameters;
    private final List<String> conditions = new ArrayList<>(List.of(Tombstones.NONE));

    /** @param parameters those of what stands before; this adds its own */
    SearchConditions(SqlDialect dialect, List<Object> parameters) {
        this.dialect = dialect;
        this.parameters = parameters;
    }

    String sql() {
        return String.join(" AND ", conditions);
    }

    /** @param time the column that has a saga's begin */
    void of(SagaQuery query, First first, String time) {
        query.id().ifPresent(id -> add("s.id = ?", id.value()));
        query.service()
                .ifPresent(service -> add(
                        "x.service = ? AND x.saga = s." + dialect.key()
                                + (first == First.SERVICES ? "" : " AND x.begun_at = s.begun_at"),
                        StoredText.stored(service)));
        if (!query.states().isEmpty()) {
            String any = Session.parameters(query.states().size());
            String state = query.businessKey().isPresent() ? dialect.unindexed("s.state") : "s.state";
            add(
                    "%s IN (%s)".formatted(state, any),
                    query.states().stream().map(Enum::name).toArray());
        }
        query.operation().ifPresent(operation -> add("s.operation = ?", StoredText.stored(operation)));
        query.businessKey().ifPresent(this::businessKey);
        query.attribute().ifPresent(attribute -> {
            if (first == First.MARKS) mark(SearchTag.of(attribute));
            add(dialect.contains("s.attributes"), SagaColumns.part(attribute));
        });
        query.from().ifPresent(from -> add(time + " >= ?", from.toEpochMilli()));
        query.to().ifPresent(to -> add(time + " < ?", to.toEpochMilli()));
        query.changedSince().ifPresent(since -> add("s.updated_at >= ?", since.toEpochMilli()));
        query.lasting()
                .ifPresent(lasting -> add(
                        "COALESCE(s.ended_at, ?) - s.begun_at >= ?",
                        lasting.asOf().toEpochMilli(),
                        lasting.atLeast().toMillis()));
        query.text().ifPresent(text -> mentions(List.of("s.id", "s.business_key", "s.operation", "s.reason"), text));
        query.reason().ifPresent(text -> mentions(List.of("s.reason"), text));
    }

    void ordered(Instant since) {
        mark(SearchTag.ORDER);
        add("m.millis >= ?", since.toEpochMilli());
        // Not so where an older alpha has purged a saga, and left the mark, and another has its id now.
        add("s.ordered_at = m.millis");
    }

    private void mark(long mark) {
        add("m.mark = ? AND m.saga = s." + dialect.key(), mark);
    }

    /** Those without a key are in no index of keys, where the database can leave them out: it must be told. */
    private void businessKey(String key) {
        add(
                key.isEmpty() ? "s.business_key = ?" : "s.business_key = ? AND s.business_key <> ''",
                StoredText.stored(key));
    }

    private void mentions(List<String> columns, String text) {
        String mentions = dialect.mentions(columns);
        long times = mentions.chars().filter(c -> c == '?').count();
        add(mentions, Collections.nCopies((int) times, StoredText.stored(text)).toArray());
    }

    /** Said twice: not every database finds the place in its index by the pair. */
    void after(ScanPosition place, String time, String id) {
        add("%1$s <= ? AND (%1$s, %2$s) < (?, ?)".formatted(time, id), place.millis(), place.millis(), place.id());
    }

    private void add(String condition, Object... values) {
        conditions.add(condition);
        parameters.addAll(List.of(values));
    }
}
