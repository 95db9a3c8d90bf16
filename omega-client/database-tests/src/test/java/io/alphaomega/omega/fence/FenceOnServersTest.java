package io.alphaomega.omega.fence;

import com.zaxxer.hikari.HikariDataSource;
import io.r2dbc.spi.IsolationLevel;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The fence on real database servers, at {@link Databases#isolations}. */
@ParameterizedClass
@MethodSource("databases")
final class FenceOnServersTest extends SnapshotContract {
    private final Supplier<HikariDataSource> database;
    private final IsolationLevel isolation;

    FenceOnServersTest(Supplier<HikariDataSource> database, IsolationLevel isolation) {
        this.database = database;
        this.isolation = isolation;
    }

    static Stream<Arguments> databases() {
        return Stream.of(
                        Databases.each("MariaDB", Databases.MARIADB::pool, Databases.MARIADB.isolations()),
                        Databases.each(
                                "MariaDB since 11.6",
                                Databases.MARIADB::poolWithSnapshots,
                                List.of(IsolationLevel.SERIALIZABLE)),
                        Databases.each("MySQL", Databases.MYSQL::pool, Databases.MYSQL.isolations()),
                        Databases.each("PostgreSQL", Databases.POSTGRESQL::pool, Databases.POSTGRESQL.isolations()))
                .flatMap(each -> each);
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
            its.setTransactionIsolation("TRANSACTION_" + isolation.asSql().replace(' ', '_'));
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
