package io.alphaomega.repository.jdbc.server;

import io.alphaomega.repository.jdbc.Session;
import java.sql.SQLException;
import java.time.Duration;
import javax.sql.DataSource;

/** Where a database server is, and how to talk to it. */
interface ServerAccess {
    /** For people; tells no secret. */
    String name();

    /** Connects; that takes a few seconds at most. A statement may then take so long. */
    DataSource dataSource(Duration patience) throws SQLException;

    /**
     * What the server is and how it is set, looked at before it is used.
     *
     * @throws IllegalStateException if it must not be used
     */
    ServerDialect examine(Session session) throws SQLException;
}
