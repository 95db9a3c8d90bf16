package io.alphaomega.omega.fence;

import io.alphaomega.repository.servers.DatabaseServer;
import io.alphaomega.repository.servers.MariaDbServer;
import io.alphaomega.repository.servers.PostgreSqlServer;
import io.r2dbc.spi.ConnectionFactories;
import io.r2dbc.spi.ConnectionFactory;
import io.r2dbc.spi.ConnectionFactoryOptions;
import io.r2dbc.spi.Option;
import java.util.EnumMap;
import java.util.Map;
import javax.sql.DataSource;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import reactor.blockhound.BlockHound;

/** The servers of these tests, each started once. */
enum Databases {
    MARIADB("mariadb"),
    POSTGRESQL("postgresql");

    private static final Map<Databases, DatabaseServer> RUNNING = new EnumMap<>(Databases.class);

    private final String driver;

    Databases(String driver) {
        this.driver = driver;
    }

    private DatabaseServer start() {
        return switch (this) {
            case MARIADB -> MariaDbServer.start();
            case POSTGRESQL -> PostgreSqlServer.start();
        };
    }

    private DatabaseServer server() {
        synchronized (RUNNING) {
            return RUNNING.computeIfAbsent(this, database -> database.start());
        }
    }

    String url() {
        return server().url();
    }

    DataSource dataSource() {
        return new DriverManagerDataSource(url(), DatabaseServer.USER, DatabaseServer.PASSWORD);
    }

    ConnectionFactory connections() {
        return ConnectionFactories.get(options().build());
    }

    /** As all of MariaDB's are since 11.6.2: to lock what has changed since the snapshot is an error. */
    ConnectionFactory connectionsWithSnapshots() {
        return ConnectionFactories.get(options()
                .option(Option.valueOf("sessionVariables"), "innodb_snapshot_isolation=ON")
                .build());
    }

    private ConnectionFactoryOptions.Builder options() {
        DatabaseServer server = server();
        return ConnectionFactoryOptions.builder()
                .option(ConnectionFactoryOptions.DRIVER, driver)
                .option(ConnectionFactoryOptions.HOST, "127.0.0.1")
                .option(ConnectionFactoryOptions.PORT, server.port())
                .option(ConnectionFactoryOptions.DATABASE, DatabaseServer.DATABASE)
                .option(ConnectionFactoryOptions.USER, DatabaseServer.USER)
                .option(ConnectionFactoryOptions.PASSWORD, DatabaseServer.PASSWORD);
    }

    /** From now on no thread of Reactor's may wait. */
    static void watch() {
        // The drivers' own, at a log-in: one looks for its plugins in jars, one reads the system's random numbers.
        BlockHound.install(builder -> builder.allowBlockingCallsInside(
                        "org.mariadb.r2dbc.authentication.AuthenticationFlowPluginLoader", "get")
                .allowBlockingCallsInside("io.r2dbc.postgresql.authentication.SASLAuthenticationHandler", "handle"));
    }

    static void stop() {
        synchronized (RUNNING) {
            RUNNING.values().forEach(DatabaseServer::close);
            RUNNING.clear();
        }
    }
}
