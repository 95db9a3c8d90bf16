package io.alphaomega.omega.fence;

import io.r2dbc.spi.IsolationLevel;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The fence through R2DBC on real database servers, at each isolation that the business may have chosen. */
@ParameterizedClass
@MethodSource("databases")
final class ReactiveFenceOnServersTest extends FenceContract {
    private final Databases database;
    private final IsolationLevel isolation;

    ReactiveFenceOnServersTest(Databases database, IsolationLevel isolation) {
        this.database = database;
        this.isolation = isolation;
    }

    static Stream<Arguments> databases() {
        List<IsolationLevel> levels =
                List.of(IsolationLevel.READ_COMMITTED, IsolationLevel.REPEATABLE_READ, IsolationLevel.SERIALIZABLE);
        return Stream.of(Databases.values())
                .flatMap(database -> levels.stream().map(level -> Arguments.of(database, level)));
    }

    /** Of these parameters; each log-in takes longer than a test. */
    private static @Nullable R2dbcParticipant participant;

    @AfterAll
    static void stop() {
        participant = null;
        Databases.stop();
    }

    @Override
    Participant emptyDatabase() throws Exception {
        R2dbcParticipant its = participant;
        if (its == null) {
            its = new R2dbcParticipant(database.connections(), isolation);
            participant = its;
        }
        for (String table : List.of("omega_fence", "booking")) its.execute("DELETE FROM " + table);
        return its;
    }
}
