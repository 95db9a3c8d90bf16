package io.alphaomega.omega.fence;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;

/**
 * A row of the fence's table: one operation of one branch.
 *
 * @param reason which operation put it there: the forward row may come from a compensation
 */
record FenceRow(String saga, String branch, String op, String reason) {
    static final String FORWARD = "forward";
    static final String COMPENSATION = "compensation";
    static final String CONFIRMATION = "confirmation";

    boolean existsIn(Connection connection) throws SQLException {
        String sql = "SELECT 1 FROM omega_fence WHERE saga = ? AND branch = ? AND op = ?";
        try (PreparedStatement select = connection.prepareStatement(sql)) {
            setKey(select);
            try (ResultSet rows = select.executeQuery()) {
                return rows.next();
            }
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
