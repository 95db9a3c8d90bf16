package io.alphaomega.server.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.alphaomega.protocol.v1.Ack;
import io.alphaomega.protocol.v1.Input;
import io.alphaomega.repository.servers.RedisServer;
import io.alphaomega.server.AlphaProcess;
import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A real alpha whose store is away for a while: what it says meanwhile, and how it comes back. */
class StoreAwayTest {
    private static final int SAGAS = 50;

    /** Ten seconds are the promise, and a busy machine has three times that. */
    private static final Duration BACK_WITHIN = Duration.ofSeconds(30);

    @TempDir
    private Path directory;

    /** What an operator, or fate, does to a store. */
    private interface Trouble {
        void happens() throws SQLException;
    }

    /** Somebody else has the lock of the store's writers: a backup that hangs. */
    @Test
    @Tag("long")
    void an_embedded_store_that_is_locked() throws SQLException {
        try (AlphaProcess alpha = AlphaProcess.start(directory).awaitReady();
                Connection holder = DriverManager.getConnection("jdbc:sqlite:" + directory.resolve("data/alpha.db"))) {
            isSurvived(alpha, () -> execute(holder, "BEGIN IMMEDIATE"), () -> execute(holder, "ROLLBACK"));
        }
    }

    @Test
    void a_redis_that_is_killed_and_started_again() throws SQLException {
        try (RedisServer redis = RedisServer.start("appendfsync always");
                AlphaProcess alpha = on(redis)) {
            isSurvived(alpha, redis.process()::kill, redis.process()::start);
        }
    }

    @Test
    @Tag("long")
    void a_redis_that_hangs() throws SQLException {
        try (RedisServer redis = RedisServer.start("appendfsync always");
                AlphaProcess alpha = on(redis)) {
            isSurvived(alpha, redis.process()::pause, redis.process()::resume);
        }
    }

    private AlphaProcess on(RedisServer redis) {
        return AlphaProcess.start(
                        directory,
                        "--alpha.repository.type=redis",
                        "--alpha.repository.redis.uri=redis://127.0.0.1:" + redis.port())
                .awaitReady();
    }

    /** Running sagas finish, new ones are refused meanwhile, and alpha serves again without a restart. */
    private void isSurvived(AlphaProcess alpha, Trouble begin, Trouble end) throws SQLException {
        List<String> running =
                IntStream.range(0, SAGAS).mapToObj(i -> "running-" + i).toList();
        try (TestOmega omega = TestOmega.welcomed(port(alpha), "booking", "booking-1")) {
            assertThat(answers(omega, running, TestOmega::begin)).allMatch(Ack::hasAccepted);

            begin.happens();
            try {
                running.forEach(saga -> omega.send(TestOmega.end(running.indexOf(saga), saga, true)));
                await().untilAsserted(() -> {
                    HttpResponse<String> readiness = alpha.get("/actuator/health/readiness");
                    assertThat(readiness.statusCode()).isEqualTo(503);
                    assertThat(readiness.body()).contains("The store has been away for ");
                });
                refusesNewSagas(omega);
                assertThat(alpha.get("/actuator/health/liveness").statusCode()).isEqualTo(200);
                assertThat(alpha.get("/actuator/health/balancer").statusCode())
                        .as("a balancer that takes every alpha out leaves nobody to say when to come again")
                        .isEqualTo(200);
                assertThat(alpha.get("/actuator/prometheus").body())
                        .containsPattern("alpha_repository_away_seconds (0\\.[0-9]*[1-9]|[1-9])")
                        .contains("alpha_repository_outages_total 1.0");
            } finally {
                end.happens();
            }
            long back = System.nanoTime();
            await().atMost(BACK_WITHIN)
                    .until(() -> alpha.get("/actuator/health/readiness").statusCode() == 200);
            await().atMost(BACK_WITHIN)
                    .until(() -> ask(omega, TestOmega.begin(9_999, "new")).hasAccepted());
            assertThat(Duration.ofNanos(System.nanoTime() - back)).isLessThan(BACK_WITHIN);
            assertThat(running)
                    .allSatisfy(saga -> assertThat(committed(omega, saga)).isTrue());
            toldOnce(alpha);
        }
    }

    private static void toldOnce(AlphaProcess alpha) {
        // A scan that was under way when it began is one more line at most.
        assertThat(alpha.out()
                        .lines()
                        .filter(line -> line.contains(" WARN ") || line.contains(" ERROR "))
                        .filter(line -> !line.contains(" Sweep ")))
                .singleElement()
                .asString()
                .contains("The store is away, so new sagas are refused");
        assertThat(alpha.out().lines().filter(line -> line.contains("The store is back after ")))
                .singleElement()
                .asString()
                .containsPattern("Refused meanwhile: [1-9][0-9]* new sagas");
    }

    private void refusesNewSagas(TestOmega omega) {
        omega.acks.clear();
        List<String> late = IntStream.range(0, 200).mapToObj(i -> "late-" + i).toList();
        for (String saga : late) omega.send(TestOmega.begin(1_000 + late.indexOf(saga), saga));
        Map<Long, Ack> answers = new HashMap<>();
        while (answers.size() < late.size()) {
            for (Ack ack : omega.acks(1)) if (ack.getCorrelation() >= 1_000) answers.put(ack.getCorrelation(), ack);
        }
        assertThat(answers.values())
                .allSatisfy(ack ->
                        assertThat(ack.getUnavailable().getRetryAfterMillis()).isBetween(1_000L, 3_000L));
    }

    /** As an omega does: asks again as long as it is told to. */
    private static boolean committed(TestOmega omega, String saga) {
        Ack ack = ask(omega, TestOmega.end(9_998, saga, true));
        while (ack.hasUnavailable()) ack = ask(omega, TestOmega.end(9_998, saga, true));
        return ack.hasCommitted();
    }

    /** The answer to this input, whatever else is answered meanwhile. */
    private static Ack ask(TestOmega omega, Input input) {
        omega.send(input);
        while (true) {
            for (Ack ack : omega.acks(1)) if (ack.getCorrelation() == input.getCorrelation()) return ack;
        }
    }

    private interface Say {
        Input of(long correlation, String saga);
    }

    private static List<Ack> answers(TestOmega omega, List<String> sagas, Say say) {
        omega.send(IntStream.range(0, sagas.size())
                .mapToObj(i -> say.of(i, sagas.get(i)))
                .toArray(Input[]::new));
        return omega.acks(sagas.size());
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("PRAGMA busy_timeout = 10000");
            statement.execute(sql);
        }
    }

    private static int port(AlphaProcess alpha) {
        return URI.create("grpc://" + alpha.grpcAddress()).getPort();
    }
}
