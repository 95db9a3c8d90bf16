package io.alphaomega.repository.jdbc;

import io.alphaomega.repository.Attribute;
import io.alphaomega.repository.SagaSummary;
import io.alphaomega.repository.SagaSummary.State;
import io.alphaomega.repository.Version;
import io.alphaomega.saga.SagaId;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** How a summary and a version are a row of the table {@code sagas}. */
public final class SagaColumns {
    /** In the order of {@link #summary}. */
    public static final List<String> COLUMNS = List.of(
            "id",
            "sequence",
            "token",
            "state",
            "service",
            "operation",
            "business_key",
            "services",
            "branches",
            "reason",
            "manual",
            "begun_at",
            "updated_at",
            "ended_at",
            "wake_up_at",
            "attributes",
            "ordered_at");

    /** In the order of {@link #values}. */
    public static final List<String> STORED =
            Stream.concat(COLUMNS.stream(), Stream.of("due_at")).toList();

    private SagaColumns() {}

    /** On a server, where all of it is in one row. */
    public static @Nullable Object[] values(SagaSummary saga, Version version, @Nullable Long dueAt) {
        return new @Nullable Object[] {
            saga.id().value(),
            version.sequence(),
            version.token(),
            saga.state().name(),
            StoredText.stored(saga.service()),
            StoredText.stored(saga.operation()),
            StoredText.stored(saga.businessKey()),
            ServiceNames.text(saga.services()),
            saga.branches(),
            StoredText.stored(saga.reason()),
            saga.manual(),
            saga.begunAt().toEpochMilli(),
            saga.updatedAt().toEpochMilli(),
            millis(saga.endedAt()),
            millis(saga.wakeUpAt()),
            attributes(saga.attributes()),
            millis(saga.orderedAt()),
            dueAt
        };
    }

    public static SagaSummary summary(ResultSet row) throws SQLException {
        String stored = row.getString(4);
        Optional<State> state = state(stored);
        String reason = StoredText.read(row.getString(10));
        return new SagaSummary(
                new SagaId(row.getString(1)),
                state.orElse(State.SUSPENDED),
                StoredText.read(row.getString(5)),
                StoredText.read(row.getString(6)),
                StoredText.read(row.getString(7)),
                ServiceNames.of(row.getString(8)),
                row.getInt(9),
                state.isPresent() ? reason : "JOURNAL_UNREADABLE: this version knows no state '" + stored + "'",
                row.getBoolean(11),
                Instant.ofEpochMilli(row.getLong(12)),
                Instant.ofEpochMilli(row.getLong(13)),
                time(row, 14),
                time(row, 15),
                attributes(row.getString(16)),
                time(row, 17));
    }

    /** Null if there are none. */
    public static @Nullable String attributes(Map<String, String> attributes) {
        return attributes.isEmpty() ? null : "\n" + ServiceNames.text(Attribute.texts(attributes));
    }

    public static Map<String, String> attributes(@Nullable String stored) {
        return stored == null ? Map.of() : Attribute.map(ServiceNames.of(stored.substring(1)));
    }

    /** What is somewhere in the stored attributes if this is one of them. */
    static String part(Attribute attribute) {
        return "\n" + ServiceNames.text(Set.of(attribute.text()));
    }

    /** Empty for one that a newer version has stored, or that is damaged. */
    static Optional<State> state(String stored) {
        for (State state : State.values()) {
            if (state.name().equals(stored)) return Optional.of(state);
        }
        return Optional.empty();
    }

    public static @Nullable Long millis(Optional<Instant> time) {
        return time.isPresent() ? (Long) time.get().toEpochMilli() : null;
    }

    public static Optional<Instant> time(ResultSet row, int column) throws SQLException {
        long millis = row.getLong(column);
        return row.wasNull() ? Optional.empty() : Optional.of(Instant.ofEpochMilli(millis));
    }
}
