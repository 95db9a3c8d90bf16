package io.alphaomega.omega.fence;

import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The fence on real database servers, at each isolation that the business may have chosen. */
@ParameterizedClass
@MethodSource("databases")
final class FenceOnServersTest extends SnapshotContract {
    private final Supplier<HikariDataSource> database;
    private final Isolation isolation;

    FenceOnServersTest(Supplier<HikariDataSource> database, Isolation isolation) {
        this.database = database;
        this.isolation = isolation;
    }

    enum Isolation {
        READ_COMMITTED,
        REPEATABLE_READ,
        SERIALIZABLE
    }

    static Stream<Arguments> databases() {
        Isolation[] all = Isolation.values();
        return Stream.of(
                        of("MariaDB", Databases.MARIADB::pool, all),
                        of("MariaDB since 11.6", Databases.MARIADB::poolWithSnapshots, Isolation.SERIALIZABLE),
                        of("MySQL", Databases.MYSQL::pool, all),
                        of("PostgreSQL", Databases.POSTGRESQL::pool, all))
                .flatMap(each -> each);
    }

    private static Stream<Arguments> of(String name, Supplier<HikariDataSource> database, Isolation... levels) {
        return Stream.of(levels).map(level -> Arguments.of(Named.of(name, database), level));
    }

    /** Of these parameters. */
    private static @Nullable HikariDataSource pool;

    @AfterParameterizedClassInvocation
    static void close() {
        if (pool != null) pool.close();
        pool = null;
    }

    @AfterAll
    static void stop() {
        Databases.stop();
    }

    @Override
    Participant emptyDatabase() throws SQLException {
        HikariDataSource its = pool;
        if (its == null) {
            its = database.get();
            its.setTransactionIsolation("TRANSACTION_" + isolation);
            pool = its;
        }
        JdbcParticipant participant = new JdbcParticipant(its); // Its user may not drop what it has made.
        try (Connection connection = its.getConnection();
                Statement statement = connection.createStatement()) {
            for (String table : List.of("omega_fence", "booking")) statement.execute("DELETE FROM " + table);
        }
        return participant;
    }
}
