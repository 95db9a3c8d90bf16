package io.alphaomega.repository.jdbc.server;

import io.alphaomega.repository.servers.DatabaseServer;
import io.alphaomega.repository.servers.MariaDbServer;
import io.alphaomega.repository.servers.MySqlServer;
import io.alphaomega.repository.servers.PostgreSqlServer;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** One kind of database server that the tests know, and one of it for all tests of this JVM, with which it ends. */
final class Servers {
    static final Servers MARIADB = new Servers("MariaDB", MariaDbServer::start);
    static final Servers MYSQL = new Servers("MySQL", MySqlServer::start);
    static final Servers POSTGRESQL = new Servers("PostgreSQL", PostgreSqlServer::start);

    private final String name;
    private final Function<String[], DatabaseServer> starting;
    private @Nullable DatabaseServer shared;

    private Servers(String name, Function<String[], DatabaseServer> starting) {
        this.name = name;
        this.starting = starting;
    }

    static Stream<Servers> all() {
        return Stream.of(MARIADB, MYSQL, POSTGRESQL);
    }

    /** Runs, whatever the test before has done to it. */
    synchronized DatabaseServer shared() {
        if (shared == null) {
            DatabaseServer started = start();
            Runtime.getRuntime().addShutdownHook(new Thread(started::close));
            shared = started;
        }
        if (!shared.process().isRunning()) shared.process().start();
        return shared;
    }

    /** Another one, set up otherwise; the caller closes it. */
    DatabaseServer start(String... settings) {
        return starting.apply(settings);
    }

    @Override
    public String toString() {
        return name;
    }
}
