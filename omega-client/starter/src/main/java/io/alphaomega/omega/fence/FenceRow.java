package io.alphaomega.omega.fence;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * A row of the fence's table: one operation of one branch.
 *
 * @param reason which operation put it there: the forward row may come from a compensation or a failure, the one of the
 *     begin from a compensation
 */
record FenceRow(String saga, String branch, String op, String reason) {
    static final String FORWARD = "forward";
    static final String COMPENSATION = "compensation";
    static final String CONFIRMATION = "confirmation";

    /** What follows a compensation or a confirmation. */
    static final String SEQUEL = "sequel";

    /** That the business was about to begin, where a rollback does not take back all that it does. */
    static final String BEGIN = "begin";

    /** Marks a row that belongs to no branch: its reason is the id of the fence. */
    static final String ID = "id";

    /** Marks the other row that belongs to no branch: its result is what the service remembers of alpha's store. */
    static final String SEEN = "seen";

    static final FenceRow MEMORY = new FenceRow("omega", "fence", SEEN, SEEN);

    /** Only a reason, of a forward row that bars the way. */
    static final String FAILURE = "failure";

    /** As many characters as an id has at most; what is longer is no id of alpha's. */
    private static final int ID_CHARS = 64;

    /** Whether a database that cuts and replaces what it cannot store would store these ids as they are. */
    boolean fits() {
        return fits(saga) && fits(branch);
    }

    private static boolean fits(String id) {
        return id.length() <= ID_CHARS && id.chars().allMatch(letter -> letter < 128);
    }

    String misfit() {
        return "The fence stores ids of up to " + ID_CHARS + " characters of ASCII, and not " + this + ".";
    }

    /** Whether the key is taken, by whichever operation. */
    boolean isKeyTaken(Connection connection) throws SQLException {
        return read("reason", connection, "", ResultSet::getString) != null;
    }

    /** Whether this row is there, put there for this reason; also if committed since the transaction began. */
    boolean isStored(Connection connection, Dialect dialect) throws SQLException {
        return reason.equals(storedReason(connection, dialect));
    }

    /** The reason of whichever row has this key; also if committed since the transaction began. */
    @Nullable
    String storedReason(Connection connection, Dialect dialect) throws SQLException {
        return read("reason", connection, dialect, ResultSet::getString);
    }

    byte @Nullable [] storedResult(Connection connection, Dialect dialect) throws SQLException {
        return read("result", connection, dialect, ResultSet::getBytes);
    }

    private interface Column<T> {
        @Nullable
        T of(ResultSet row, int index) throws SQLException;
    }

    private <T> @Nullable T read(String column, Connection connection, Dialect dialect, Column<T> type)
            throws SQLException {
        try {
            return read(column, connection, dialect.lockingRead(), type);
        } catch (SQLException e) {
            throw dialect.translated(e);
        }
    }

    private <T> @Nullable T read(String column, Connection connection, String suffix, Column<T> type)
            throws SQLException {
        String sql = "SELECT " + column + " FROM omega_fence WHERE saga = ? AND branch = ? AND op = ?" + suffix;
        try (PreparedStatement select = connection.prepareStatement(sql)) {
            setKey(select);
            try (ResultSet rows = select.executeQuery()) {
                return rows.next() ? type.of(rows, 1) : null;
            }
        }
    }

    /** Says whether the row was there to store it in. */
    boolean store(Connection connection, byte[] result) throws SQLException {
        String sql = "UPDATE omega_fence SET result = ? WHERE saga = ? AND branch = ? AND op = ?";
        try (PreparedStatement update = connection.prepareStatement(sql)) {
            update.setBytes(1, result);
            update.setString(2, saga);
            update.setString(3, branch);
            update.setString(4, op);
            return update.executeUpdate() == 1;
        }
    }

    /** Takes back what this transaction has just inserted. */
    void deleteFrom(Connection connection) throws SQLException {
        String sql = "DELETE FROM omega_fence WHERE saga = ? AND branch = ? AND op = ?";
        try (PreparedStatement delete = connection.prepareStatement(sql)) {
            setKey(delete);
            delete.executeUpdate();
        }
    }

    private void setKey(PreparedStatement statement) throws SQLException {
        statement.setString(1, saga);
        statement.setString(2, branch);
        statement.setString(3, op);
    }

    @Override
    public String toString() {
        return "the " + op + " of branch " + branch + " of saga " + saga;
    }
}
