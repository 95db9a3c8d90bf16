package io.alphaomega.omega.fence;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.alphaomega.omega.fence.FenceTranscripts.Kind;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.DynamicContainer;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The stories of {@link FenceTranscripts} on servers: those of databases and Redis. */
class FenceTranscriptsOnServersTest {
    @AfterAll
    static void stop() throws Exception {
        Databases.stop();
        Redises.stop();
    }

    @ParameterizedTest
    @EnumSource
    void through_jdbc(Databases database) throws Exception {
        StatementsTeller teller = new StatementsTeller();
        try (HikariDataSource pool = database.pool()) {
            JdbcParticipant participant = new JdbcParticipant(teller.through(pool));
            teller.assertEach(participant, kind(database), "jdbc-" + dialect(database));
        }
    }

    @ParameterizedTest
    @EnumSource
    void through_r2dbc(Databases database) throws Exception {
        StatementsTeller teller = new StatementsTeller();
        R2dbcParticipant participant =
                new R2dbcParticipant(teller.through(database.connections()), database.isolation());
        teller.assertEach(participant, kind(database), "r2dbc-" + dialect(database));
    }

    private static Kind kind(Databases database) {
        return database == Databases.POSTGRESQL ? Kind.READS : Kind.READS_LATEST;
    }

    private static String dialect(Databases database) {
        return database == Databases.POSTGRESQL ? "postgresql" : "mysql";
    }

    @TestFactory
    Stream<DynamicContainer> in_redis() {
        return Stream.of(Redises.values())
                .map(redis -> DynamicContainer.dynamicContainer(
                        "on a " + redis.name().toLowerCase(Locale.ROOT),
                        FenceTranscripts.filesOfRedis().stream()
                                .map(file -> DynamicTest.dynamicTest(FenceTranscripts.name(file), () -> {
                                    RedisTeller teller = new RedisTeller(new RedisParticipant(redis.scripts()));
                                    String retold = FenceTranscripts.retold(file, teller, FenceTranscripts::ofRedis);
                                    assertThat(retold).isEqualTo(FenceTranscripts.rewritten(file, retold));
                                }))));
    }
}
