package io.alphaomega.repository.jdbc.server;

import io.alphaomega.repository.jdbc.JdbcSagaRepository;

/** A database on a server, which several repositories may use at the same time. */
public final class ServerRepository {
    private ServerRepository() {}

    /**
     * MySQL 8.0.17 or later, MariaDB 10.6 or later, PostgreSQL 13 or later. Tables are created and migrated when the
     * repository is opened.
     *
     * @param url {@code jdbc:mysql:}, {@code jdbc:mariadb:} or {@code jdbc:postgresql:}, without a user or a password
     * @throws IllegalArgumentException for another URL
     */
    public static JdbcSagaRepository at(String url, String username, String password) {
        return new JdbcSagaRepository(ServerDatabase.on(server(url, username, password)));
    }

    static ServerAccess server(String url, String username, String password) {
        return url.startsWith(PostgreSql.SCHEME)
                ? new PostgreSql(url, username, password)
                : new MySql(url, username, password);
    }
}
