package io.alphaomega.repository.jdbc;

import java.sql.PreparedStatement;
import java.sql.SQLException;

/** The rows by which a saga is found by its services, each with the time of the saga's begin. */
public final class ServiceRows {
    public static final String DELETE = "DELETE FROM saga_services WHERE service = ? AND begun_at = ? AND saga = ?";

    private ServiceRows() {}

    /** Adds one row to a batch of the statement {@link #DELETE}. */
    public static void addTo(PreparedStatement batch, String service, long begunAt, Object saga) throws SQLException {
        batch.setString(1, StoredText.stored(service));
        batch.setLong(2, begunAt);
        batch.setObject(3, saga);
        batch.addBatch();
    }
}
