package io.alphaomega.omega.fence;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Performs the steps of decisions through one connection of JDBC.
 *
 * @param createdAt of the rows that it inserts, in milliseconds since 1970
 */
record JdbcRows(Dialect dialect, Connection connection, long createdAt) {
    private static final String KEY = " FROM omega_fence WHERE saga = ? AND branch = ? AND op = ?";

    <V> V decided(Step<V> decision) throws SQLException {
        Step<V> step = decision;
        while (!(step instanceof Step.Done<V> done)) step = next(step);
        return done.verdict();
    }

    private <V> Step<V> next(Step<V> step) throws SQLException {
        if (step instanceof Step.Read<V> read) return read.then().apply(result(read.row()));
        if (step instanceof Step.Store<V> store) return store.then().apply(store(store.row(), store.result()));
        Step.Ask<V> asked = (Step.Ask<V>) step;
        boolean answer =
                switch (asked.verb()) {
                    case INSERT -> insert(asked.row());
                    case FIND -> asked.row().reason().equals(reason(asked.row()).orElse(null));
                    case DELETE -> delete(asked.row());
                };
        return asked.then().apply(answer);
    }

    boolean insert(FenceRow row) throws SQLException {
        try {
            return dialect.insert(connection, row, createdAt);
        } catch (SQLException e) {
            throw dialect.notInserted(row, e);
        }
    }

    /** The reason of the row with this key, if there is one; also if committed since the transaction began. */
    Optional<String> reason(FenceRow row) throws SQLException {
        return Optional.ofNullable(read("reason", row, ResultSet::getString));
    }

    Optional<byte[]> result(FenceRow row) throws SQLException {
        return Optional.ofNullable(read("result", row, ResultSet::getBytes));
    }

    private interface Column<T> {
        @Nullable
        T of(ResultSet row, int index) throws SQLException;
    }

    private <T> @Nullable T read(String column, FenceRow row, Column<T> type) throws SQLException {
        try (PreparedStatement select = connection.prepareStatement("SELECT " + column + KEY + dialect.lockingRead())) {
            setKey(select, row);
            try (ResultSet rows = select.executeQuery()) {
                return rows.next() ? type.of(rows, 1) : null;
            }
        } catch (SQLException e) {
            throw dialect.translated(e);
        }
    }

    private boolean store(FenceRow row, byte[] result) throws SQLException {
        String sql = "UPDATE omega_fence SET result = ? WHERE saga = ? AND branch = ? AND op = ?";
        try (PreparedStatement update = connection.prepareStatement(sql)) {
            update.setBytes(1, result);
            update.setString(2, row.saga());
            update.setString(3, row.branch());
            update.setString(4, row.op());
            return update.executeUpdate() == 1;
        } catch (SQLException e) {
            throw dialect.translated(e);
        }
    }

    boolean delete(FenceRow row) throws SQLException {
        try (PreparedStatement delete = connection.prepareStatement("DELETE" + KEY)) {
            setKey(delete, row);
            return delete.executeUpdate() == 1;
        } catch (SQLException e) {
            throw dialect.translated(e);
        }
    }

    private static void setKey(PreparedStatement statement, FenceRow row) throws SQLException {
        statement.setString(1, row.saga());
        statement.setString(2, row.branch());
        statement.setString(3, row.op());
    }

    /** Those of a branch, by their operations. */
    Map<String, Found.Row> all(String saga, String branch) throws SQLException {
        Map<String, Found.Row> rows = new HashMap<>();
        String sql = "SELECT op, reason, created_at FROM omega_fence WHERE saga = ? AND branch = ?";
        try (PreparedStatement select = connection.prepareStatement(sql)) {
            select.setString(1, saga);
            select.setString(2, branch);
            try (ResultSet found = select.executeQuery()) {
                while (found.next()) rows.put(found.getString(1), new Found.Row(found.getString(2), found.getLong(3)));
            }
        }
        return rows;
    }

    /** Up to that many rows older than that, oldest first. */
    List<FenceRow> old(long before, int limit) throws SQLException {
        List<FenceRow> rows = new ArrayList<>();
        String sql = "SELECT saga, branch, op, reason FROM omega_fence WHERE created_at < ? ORDER BY created_at";
        try (PreparedStatement select = connection.prepareStatement(sql)) {
            select.setLong(1, before);
            select.setMaxRows(limit);
            try (ResultSet found = select.executeQuery()) {
                while (found.next()) {
                    rows.add(new FenceRow(
                            found.getString(1), found.getString(2), found.getString(3), found.getString(4)));
                }
            }
        }
        return rows;
    }
}
