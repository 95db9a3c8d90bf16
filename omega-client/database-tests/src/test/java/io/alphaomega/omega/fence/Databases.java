package io.alphaomega.omega.fence;

import com.zaxxer.hikari.HikariDataSource;
import io.alphaomega.repository.servers.DatabaseServer;
import io.alphaomega.repository.servers.MariaDbServer;
import io.alphaomega.repository.servers.MySqlServer;
import io.alphaomega.repository.servers.PostgreSqlServer;
import io.r2dbc.spi.ConnectionFactories;
import io.r2dbc.spi.ConnectionFactory;
import io.r2dbc.spi.ConnectionFactoryOptions;
import io.r2dbc.spi.IsolationLevel;
import io.r2dbc.spi.Option;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.params.provider.Arguments;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import reactor.blockhound.BlockHound;

/** The servers of these tests, each started once. */
enum Databases {
    MARIADB("mariadb"),
    MYSQL("mysql"),
    POSTGRESQL("postgresql");

    /** For a pool: more than any test uses at once. */
    private static final int CONNECTIONS = 20;

    /** As all of MariaDB's are since 11.6.2: to lock what has changed since the snapshot is an error. */
    private static final String WITH_SNAPSHOTS = "innodb_snapshot_isolation=ON";

    private static final Map<Databases, DatabaseServer> RUNNING = new EnumMap<>(Databases.class);

    private final String driver;

    Databases(String driver) {
        this.driver = driver;
    }

    private DatabaseServer start() {
        return switch (this) {
            case MARIADB -> MariaDbServer.start();
            case MYSQL -> MySqlServer.start();
            case POSTGRESQL -> PostgreSqlServer.start();
        };
    }

    private DatabaseServer server() {
        synchronized (RUNNING) {
            return RUNNING.computeIfAbsent(this, database -> database.start());
        }
    }

    /** What a transaction has that asks for no other. */
    IsolationLevel isolation() {
        return this == POSTGRESQL ? IsolationLevel.READ_COMMITTED : IsolationLevel.REPEATABLE_READ;
    }

    /** That, or each that the business may have chosen if the system property {@code fence.isolations} is {@code all}. */
    List<IsolationLevel> isolations() {
        return "all".equals(System.getProperty("fence.isolations"))
                ? List.of(IsolationLevel.READ_COMMITTED, IsolationLevel.REPEATABLE_READ, IsolationLevel.SERIALIZABLE)
                : List.of(isolation());
    }

    /** The parameters of a class of tests: the database, and each of the isolations. */
    static <D> Stream<Arguments> each(String name, Supplier<D> database, List<IsolationLevel> isolations) {
        return isolations.stream().map(isolation -> Arguments.of(Named.of(name, database), isolation));
    }

    /** MariaDB's driver is for both. */
    String url() {
        return this == MYSQL ? server().url() + "&permitMysqlScheme" : server().url();
    }

    DataSource dataSource() {
        return new DriverManagerDataSource(url(), DatabaseServer.USER, DatabaseServer.PASSWORD);
    }

    /** To be set up further until it is used, and closed. */
    HikariDataSource pool() {
        HikariDataSource pool = new HikariDataSource();
        pool.setJdbcUrl(url());
        pool.setUsername(DatabaseServer.USER);
        pool.setPassword(DatabaseServer.PASSWORD);
        pool.setMaximumPoolSize(CONNECTIONS);
        return pool;
    }

    HikariDataSource poolWithSnapshots() {
        HikariDataSource pool = pool();
        pool.addDataSourceProperty("sessionVariables", WITH_SNAPSHOTS);
        return pool;
    }

    ConnectionFactory connections() {
        return ConnectionFactories.get(options().build());
    }

    ConnectionFactory connectionsWithSnapshots() {
        return ConnectionFactories.get(options()
                .option(Option.valueOf("sessionVariables"), WITH_SNAPSHOTS)
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
