package io.alphaomega.omega.fence;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.alphaomega.repository.servers.DatabaseServer;
import io.alphaomega.repository.servers.MariaDbServer;
import io.alphaomega.repository.servers.MySqlServer;
import io.alphaomega.repository.servers.PostgreSqlServer;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The fence on real database servers, at each isolation that the business may have chosen. */
@ParameterizedClass
@MethodSource("databases")
final class FenceOnServersTest extends SnapshotContract {
    /** More than any test uses at once. */
    private static final int CONNECTIONS = 20;

    private static final Server MARIADB = new Server("MariaDB", MariaDbServer::start, "");

    /** The same one, set as all are since 11.6.2: to lock what has changed since the snapshot is an error. */
    private static final Server MARIADB_WITH_SNAPSHOTS =
            new Server("MariaDB since 11.6", MARIADB::running, "?sessionVariables=innodb_snapshot_isolation=ON");

    private static final List<Server> SERVERS = List.of(
            MARIADB,
            MARIADB_WITH_SNAPSHOTS,
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
                .flatMap(server -> Stream.of(Isolation.values())
                        .filter(isolation -> server != MARIADB_WITH_SNAPSHOTS || isolation == Isolation.SERIALIZABLE)
                        .map(isolation -> Arguments.of(server, isolation)));
    }

    enum Isolation {
        READ_COMMITTED,
        REPEATABLE_READ,
        SERIALIZABLE
    }

    /** One kind of server, and one of it for this class, with a pool of connections for each isolation. */
    static final class Server {
        private final String name;
        private final Supplier<DatabaseServer> starting;
        private final String options;
        private final Map<Isolation, HikariDataSource> pools = new EnumMap<>(Isolation.class);
        private @Nullable DatabaseServer running;

        Server(String name, Supplier<DatabaseServer> starting, String options) {
            this.name = name;
            this.starting = starting;
            this.options = options;
        }

        DataSource dataSource(Isolation isolation) {
            return pools.computeIfAbsent(isolation, this::pool);
        }

        DatabaseServer running() {
            DatabaseServer server = running;
            if (server == null) {
                server = starting.get();
                running = server;
            }
            return server;
        }

        private HikariDataSource pool(Isolation isolation) {
            HikariConfig config = new HikariConfig();
            config.setJdbcUrl(running().url() + options);
            config.setUsername(DatabaseServer.USER);
            config.setPassword(DatabaseServer.PASSWORD);
            config.setTransactionIsolation("TRANSACTION_" + isolation);
            config.setMaximumPoolSize(CONNECTIONS);
            return new HikariDataSource(config);
        }

        void stop() {
            pools.values().forEach(HikariDataSource::close);
            pools.clear();
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
        DataSource database = server.dataSource(isolation);
        JdbcParticipant participant = new JdbcParticipant(database); // Its user may not drop what it has made.
        try (Connection connection = database.getConnection();
                Statement statement = connection.createStatement()) {
            for (String table : List.of("omega_fence", "booking")) statement.execute("DELETE FROM " + table);
        }
        return participant;
    }
}
