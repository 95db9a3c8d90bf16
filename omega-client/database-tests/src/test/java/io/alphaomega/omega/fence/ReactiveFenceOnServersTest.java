package io.alphaomega.omega.fence;

import io.r2dbc.spi.ConnectionFactory;
import io.r2dbc.spi.IsolationLevel;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The fence through R2DBC on real database servers, at {@link Databases#isolations}. */
@ParameterizedClass
@MethodSource("databases")
final class ReactiveFenceOnServersTest extends SnapshotContract {
    private final Supplier<ConnectionFactory> database;
    private final IsolationLevel isolation;

    ReactiveFenceOnServersTest(Supplier<ConnectionFactory> database, IsolationLevel isolation) {
        this.database = database;
        this.isolation = isolation;
    }

    static Stream<Arguments> databases() {
        return Stream.of(
                        Databases.each("MariaDB", Databases.MARIADB::connections, Databases.MARIADB.isolations()),
                        Databases.each(
                                "MariaDB since 11.6",
                                Databases.MARIADB::connectionsWithSnapshots,
                                List.of(IsolationLevel.REPEATABLE_READ)),
                        Databases.each("MySQL", Databases.MYSQL::connections, Databases.MYSQL.isolations()),
                        Databases.each(
                                "PostgreSQL", Databases.POSTGRESQL::connections, Databases.POSTGRESQL.isolations()))
                .flatMap(each -> each);
    }

    /** Of these parameters; each log-in takes longer than a test. */
    private static @Nullable R2dbcParticipant participant;

    @AfterParameterizedClassInvocation
    static void forget() {
        participant = null;
    }

    @AfterAll
    static void stop() {
        Databases.stop();
    }

    @Override
    Participant emptyDatabase() throws Exception {
        R2dbcParticipant its = participant;
        if (its == null) {
            its = new R2dbcParticipant(database.get(), isolation);
            participant = its;
        }
        for (String table : List.of("omega_fence", "booking")) its.execute("DELETE FROM " + table);
        return its;
    }
}
