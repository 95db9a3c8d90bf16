package io.alphaomega.repository.jdbc;

import java.sql.SQLException;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Whether a failure says that the server is there and does not let alpha in, until somebody changes something. */
public final class AccessRefusal {
    /**
     * Classes of SQL states: of user and password; of a database that PostgreSQL has not; of what the user may not do, or
     * a database that MySQL has not; of what the driver may not do for MySQL's password.
     */
    private static final Set<String> STATES = Set.of("28", "3D", "42", "S1");

    private AccessRefusal() {}

    public static boolean in(SQLException failure) {
        @Nullable String state = failure.getSQLState();
        return state != null && state.length() == 5 && STATES.contains(state.substring(0, 2));
    }

    /** Of a migration: all that is not said by the server is wrong with the tables. */
    public static boolean inMigrating(Throwable failure) {
        for (Throwable at = failure; at != null; at = at.getCause()) {
            if (at instanceof SQLException said) return in(said);
        }
        return true;
    }
}
