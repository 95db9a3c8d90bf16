package io.alphaomega.omega.fence;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Instant;
import javax.sql.DataSource;

/** The guard of a participant, in its own database. */
public final class Fence {
    /** The result of a forward call is kept for its duplicates; larger ones belong into the participant's own tables. */
    public static final int RESULT_BYTES = 64 * 1024;

    public Fence(Clock clock) {}

    public Forward forward(Connection connection, String saga, String branch) throws SQLException {
        return pending(null);
    }

    public void storeResult(Connection connection, String saga, String branch, byte[] result) throws SQLException {}

    public Compensation compensation(Connection connection, String saga, String branch, boolean forwardEnded)
            throws SQLException {
        return pending(null);
    }

    public Confirmation confirmation(Connection connection, String saga, String branch, boolean fenced)
            throws SQLException {
        return pending(null);
    }

    public void createTableIfMissing(DataSource dataSource) throws SQLException {}

    public int purge(Connection connection, Instant before, int limit) throws SQLException {
        return pending(null);
    }

    private static <T> T pending(java.util.function.@org.jspecify.annotations.Nullable Supplier<T> t) {
        if (t != null) return t.get();
        throw new UnsupportedOperationException();
    }
}
