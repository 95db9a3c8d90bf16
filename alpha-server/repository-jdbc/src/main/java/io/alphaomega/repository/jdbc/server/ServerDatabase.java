package io.alphaomega.repository.jdbc.server;

import io.alphaomega.repository.RepositoryUnavailableException;
import io.alphaomega.repository.jdbc.AccessRefusal;
import io.alphaomega.repository.jdbc.Database;
import io.alphaomega.repository.jdbc.Session;
import io.alphaomega.repository.jdbc.Sessions;
import io.alphaomega.repository.jdbc.server.ServerDialect.Use;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import javax.sql.DataSource;

/** Opens a database on a server: looks at the server, migrates the schema, and connects when there is something to do. */
final class ServerDatabase {
    /** Above what the server itself takes to give up on a lock or a search. */
    private static final Duration PATIENCE = Duration.ofSeconds(6);

    /** After a pause, one question more costs less than an append whose outcome nobody knows. */
    private static final Duration TRUST = Duration.ofSeconds(1);

    /** One for each lane of a group commit, and two for purges and checks. */
    private static final int WRITING_SESSIONS = 4;

    /** Saga actors load after a start or a failover. */
    private static final int JOURNAL_SESSIONS = 4;

    private static final int SEARCH_SESSIONS = 2;

    private final ServerAccess server;
    private final DataSource dataSource;
    private final ServerDialect dialect;

    private ServerDatabase(ServerAccess server) throws SQLException {
        this.server = server;
        dataSource = server.dataSource(PATIENCE);
        try (Session session = new Session(dataSource.getConnection(), true)) {
            dialect = server.examine(session);
        }
    }

    static Database.Opening on(ServerAccess server) {
        return () -> {
            try {
                return new ServerDatabase(server).open();
            } catch (SQLException e) {
                throw new RepositoryUnavailableException(
                        "%s cannot be opened now: %s".formatted(server.name(), e.getMessage()), e, AccessRefusal.in(e));
            }
        };
    }

    private Database open() throws SQLException {
        Migrations.run(server, dialect);
        String name = server.name();
        return new Database(
                name,
                dialect,
                new Sessions(name, WRITING_SESSIONS, () -> session(Use.WRITING), TRUST),
                new Sessions(name, JOURNAL_SESSIONS, () -> session(Use.READING), TRUST),
                new Sessions(name, SEARCH_SESSIONS, () -> session(Use.SEARCHING), TRUST),
                () -> {});
    }

    private Session session(Use use) throws SQLException {
        Connection connection = dataSource.getConnection();
        boolean ready = false;
        try {
            Session session = new Session(connection, true);
            session.execute(dialect.settings(use));
            connection.setAutoCommit(use != Use.WRITING);
            ready = true;
            return session;
        } finally {
            if (!ready) connection.close();
        }
    }
}
