package io.alphaomega.omega.fence;

import io.alphaomega.repository.servers.DatabaseServer;
import io.alphaomega.repository.servers.MariaDbServer;
import io.alphaomega.repository.servers.MySqlServer;
import io.alphaomega.repository.servers.PostgreSqlServer;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.jdbc.datasource.AbstractDataSource;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

/** The fence on real database servers, at each isolation that the business may have chosen. */
@ParameterizedClass
@MethodSource("databases")
final class FenceOnServersTest extends FenceContract {
    private static final List<Server> SERVERS = List.of(
            new Server("MariaDB", MariaDbServer::start, ""),
            new Server("MySQL", MySqlServer::start, "&permitMysqlScheme"),
            new Server("PostgreSQL", PostgreSqlServer::start, ""));

    private final Server server;
    private final Isolation isolation;

    FenceOnServersTest(Server server, Isolation isolation) {
        this.server = server;
        this.isolation = isolation;
    }

    static Stream<Arguments> databases() {
        return SERVERS.stream()
                .flatMap(server -> Stream.of(Isolation.values()).map(isolation -> Arguments.of(server, isolation)));
    }

    enum Isolation {
        READ_COMMITTED(Connection.TRANSACTION_READ_COMMITTED),
        REPEATABLE_READ(Connection.TRANSACTION_REPEATABLE_READ),
        SERIALIZABLE(Connection.TRANSACTION_SERIALIZABLE);

        private final int level;

        Isolation(int level) {
            this.level = level;
        }
    }

    /** One kind of server, and one of it for this class. */
    static final class Server {
        private final String name;
        private final Supplier<DatabaseServer> starting;
        private final String options;
        private @Nullable DatabaseServer running;

        Server(String name, Supplier<DatabaseServer> starting, String options) {
            this.name = name;
            this.starting = starting;
            this.options = options;
        }

        DataSource dataSource() {
            DatabaseServer server = running;
            if (server == null) {
                server = starting.get();
                running = server;
            }
            return new DriverManagerDataSource(server.url() + options, DatabaseServer.USER, DatabaseServer.PASSWORD);
        }

        void stop() {
            if (running != null) running.close();
            running = null;
        }

        @Override
        public String toString() {
            return name;
        }
    }

    @AfterAll
    static void stop() {
        for (Server each : SERVERS) each.stop();
    }

    @Override
    Participant emptyDatabase() throws SQLException {
        DataSource database = server.dataSource();
        new JdbcParticipant(database); // Its user may not drop what it has made.
        try (Connection connection = database.getConnection();
                Statement statement = connection.createStatement()) {
            for (String table : List.of("omega_fence", "booking")) statement.execute("DELETE FROM " + table);
        }
        return new JdbcParticipant(new AbstractDataSource() {
            @Override
            public Connection getConnection() throws SQLException {
                Connection connection = database.getConnection();
                connection.setTransactionIsolation(isolation.level);
                return connection;
            }

            @Override
            public Connection getConnection(String user, String password) throws SQLException {
                return database.getConnection(user, password);
            }
        });
    }
}
