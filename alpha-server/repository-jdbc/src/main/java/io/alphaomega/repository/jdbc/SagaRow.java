package io.alphaomega.repository.jdbc;

import io.alphaomega.repository.SagaSummary;
import io.alphaomega.repository.SagaSummary.State;
import io.alphaomega.repository.Version;
import io.alphaomega.saga.SagaId;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** How a summary and a version are a row of the table {@code sagas}. */
final class SagaRow {
    /** In the order of {@link #bind} and {@link #summary}. */
    static final List<String> COLUMNS = List.of(
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
            "wake_up_at");

    /** What {@link Standing} has: an append that changes one of them changes an index or another table. */
    static final List<String> COLUMNS_THAT_STAY = List.of("id", "state", "services", "begun_at", "ended_at");

    static final List<String> COLUMNS_THAT_MOVE = COLUMNS.stream()
            .filter(column -> !COLUMNS_THAT_STAY.contains(column))
            .toList();

    private SagaRow() {}

    static void bind(PreparedStatement row, SagaSummary saga, Version version) throws SQLException {
        int column = 0;
        row.setString(++column, saga.id().value());
        row.setLong(++column, version.sequence());
        row.setString(++column, version.token());
        row.setString(++column, saga.state().name());
        row.setString(++column, saga.service());
        row.setString(++column, saga.operation());
        row.setString(++column, saga.businessKey());
        row.setString(++column, ServiceNames.text(saga.services()));
        row.setInt(++column, saga.branches());
        row.setString(++column, saga.reason());
        row.setBoolean(++column, saga.manual());
        row.setLong(++column, saga.begunAt().toEpochMilli());
        row.setLong(++column, saga.updatedAt().toEpochMilli());
        bind(row, ++column, saga.endedAt());
        bind(row, ++column, saga.wakeUpAt());
    }

    private static void bind(PreparedStatement row, int column, Optional<Instant> time) throws SQLException {
        if (time.isPresent()) row.setLong(column, time.get().toEpochMilli());
        else row.setNull(column, Types.BIGINT);
    }

    static SagaSummary summary(ResultSet row) throws SQLException {
        String stored = row.getString(4);
        Optional<State> state = state(stored);
        String reason = row.getString(10);
        return new SagaSummary(
                new SagaId(row.getString(1)),
                state.orElse(State.SUSPENDED),
                row.getString(5),
                row.getString(6),
                row.getString(7),
                ServiceNames.of(row.getString(8)),
                row.getInt(9),
                state.isPresent() ? reason : "JOURNAL_UNREADABLE: this version knows no state '" + stored + "'",
                row.getBoolean(11),
                Instant.ofEpochMilli(row.getLong(12)),
                Instant.ofEpochMilli(row.getLong(13)),
                time(row, 14),
                time(row, 15));
    }

    /** Empty for one that a newer version has stored, or that is damaged. */
    static Optional<State> state(String stored) {
        for (State state : State.values()) {
            if (state.name().equals(stored)) return Optional.of(state);
        }
        return Optional.empty();
    }

    static Optional<Instant> time(ResultSet row, int column) throws SQLException {
        long millis = row.getLong(column);
        return row.wasNull() ? Optional.empty() : Optional.of(Instant.ofEpochMilli(millis));
    }
}
