package io.alphaomega.repository.jdbc.server;

import io.alphaomega.repository.servers.DatabaseServer;
import io.alphaomega.repository.servers.PostgreSqlServer;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Properties;
import java.util.UUID;

/** Who may do everything on a server: sets it up otherwise, looks into it, stands in the way. */
final class Admin implements AutoCloseable {
    private final DatabaseServer server;
    private final Connection connection;

    private Admin(DatabaseServer server, Connection connection) {
        this.server = server;
        this.connection = connection;
    }

    /** In alpha's database. */
    static Admin of(DatabaseServer server) {
        return in(server, server.url());
    }

    static Admin in(DatabaseServer server, String url) {
        boolean postgreSql = server instanceof PostgreSqlServer;
        Properties login = new Properties();
        login.setProperty("user", postgreSql ? "postgres" : "root");
        login.setProperty("password", postgreSql ? DatabaseServer.PASSWORD : "");
        try {
            Connection connection = postgreSql
                    ? new org.postgresql.Driver().connect(url, login)
                    : new org.mariadb.jdbc.Driver().connect(url.replace("jdbc:mysql:", "jdbc:mariadb:"), login);
            if (connection == null) throw new IllegalStateException(url);
            return new Admin(server, connection);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The URL of a new database of the same user. */
    String newDatabase() {
        String name = "fresh_" + UUID.randomUUID().toString().replace("-", "");
        if (server instanceof PostgreSqlServer) {
            execute("CREATE DATABASE " + name + " OWNER " + DatabaseServer.USER);
        } else {
            execute("CREATE DATABASE " + name);
            execute("GRANT ALL ON " + name + ".* TO '" + DatabaseServer.USER + "'@'%'");
        }
        return server.url().replace("/" + DatabaseServer.DATABASE, "/" + name);
    }

    void begin() {
        try {
            connection.setAutoCommit(false);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    void rollBack() {
        try {
            connection.rollback();
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    void execute(String sql) {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException e) {
            throw new IllegalStateException(sql, e);
        }
    }

    /** A column of the first row. */
    String text(String sql, int column) {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            if (!row.next()) throw new IllegalStateException("'" + sql + "' returned nothing");
            return String.valueOf(row.getString(column));
        } catch (SQLException e) {
            throw new IllegalStateException(sql, e);
        }
    }

    long number(String sql) {
        return Long.parseLong(text(sql, 1));
    }

    @Override
    public void close() {
        try {
            connection.close();
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }
}
