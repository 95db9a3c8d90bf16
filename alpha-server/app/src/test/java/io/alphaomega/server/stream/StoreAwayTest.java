package io.alphaomega.server.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.alphaomega.protocol.v1.Ack;
import io.alphaomega.protocol.v1.Input;
import io.alphaomega.server.AlphaProcess;
import java.net.URI;
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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A real alpha whose store is away for a while: what it says meanwhile, and how it comes back. */
class StoreAwayTest {
    private static final int SAGAS = 50;

    private static final Duration BACK_WITHIN = Duration.ofSeconds(10);

    /** The embedded store notices within its own time limit for a lock. */
    private static final Duration NOTICED_WITHIN = Duration.ofSeconds(20);

    @TempDir
    private Path directory;

    @Test
    void running_sagas_finish_new_ones_are_refused_meanwhile_and_alpha_serves_again_without_a_restart()
            throws SQLException {
        List<String> running =
                IntStream.range(0, SAGAS).mapToObj(i -> "running-" + i).toList();
        try (AlphaProcess alpha = AlphaProcess.start(directory).awaitReady();
                TestOmega omega = TestOmega.welcomed(port(alpha), "booking", "booking-1")) {
            assertThat(answers(omega, running, TestOmega::begin)).allMatch(Ack::hasAccepted);

            Connection holder = lockOut();
            try {
                running.forEach(saga -> omega.send(TestOmega.end(running.indexOf(saga), saga, true)));
                await().atMost(NOTICED_WITHIN).until(() -> readiness(alpha) == 503);
                await().atMost(NOTICED_WITHIN)
                        .untilAsserted(() -> assertThat(
                                        alpha.get("/actuator/health/readiness").body())
                                .contains("The store has been away for ", "locked"));
                refusesNewSagasAtOnce(omega);
                assertThat(alpha.get("/actuator/health/liveness").statusCode()).isEqualTo(200);
                assertThat(alpha.get("/actuator/prometheus").body())
                        .containsPattern("alpha_repository_away_seconds (0\\.[0-9]*[1-9]|[1-9])")
                        .contains("alpha_repository_outages_total 1.0");
            } finally {
                holder.close();
            }
            await().atMost(BACK_WITHIN).until(() -> readiness(alpha) == 200);
            await().atMost(BACK_WITHIN)
                    .until(() -> answers(omega, List.of("new"), TestOmega::begin)
                            .getFirst()
                            .hasAccepted());
            assertThat(committed(omega, running)).isEqualTo(SAGAS);

            assertThat(alpha.out().lines().filter(line -> line.contains(" WARN ") || line.contains(" ERROR ")))
                    .singleElement()
                    .asString()
                    .contains("The store is away, so new sagas are refused");
            assertThat(alpha.out().lines().filter(line -> line.contains("The store is back after ")))
                    .singleElement()
                    .asString()
                    .containsPattern("Refused meanwhile: [1-9][0-9]* new sagas");
        }
    }

    private void refusesNewSagasAtOnce(TestOmega omega) {
        omega.acks.clear();
        List<String> late = IntStream.range(0, 200).mapToObj(i -> "late-" + i).toList();
        long begun = System.nanoTime();
        for (String saga : late) omega.send(TestOmega.begin(1_000 + late.indexOf(saga), saga));
        Map<Long, Ack> answers = new HashMap<>();
        while (answers.size() < late.size()) {
            for (Ack ack : omega.acks(1)) if (ack.getCorrelation() >= 1_000) answers.put(ack.getCorrelation(), ack);
        }
        assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofSeconds(2));
        assertThat(answers.values())
                .allSatisfy(ack ->
                        assertThat(ack.getUnavailable().getRetryAfterMillis()).isBetween(1_000L, 3_000L));
    }

    /** As an omega does: asks again as long as it is told to. */
    private static long committed(TestOmega omega, List<String> sagas) {
        omega.acks.clear();
        long committed = 0;
        for (String saga : sagas) {
            Ack ack = omega.ask(TestOmega.end(1, saga, true));
            while (ack.getCorrelation() != 1 || ack.hasUnavailable()) ack = omega.ask(TestOmega.end(1, saga, true));
            if (ack.hasCommitted()) committed++;
        }
        return committed;
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

    /** Somebody else has the lock of the store's writers: a backup that hangs. */
    private Connection lockOut() throws SQLException {
        Connection holder = DriverManager.getConnection("jdbc:sqlite:" + directory.resolve("data/alpha.db"));
        try (Statement statement = holder.createStatement()) {
            statement.execute("PRAGMA busy_timeout = 10000");
            statement.execute("BEGIN IMMEDIATE");
        }
        return holder;
    }

    private static int readiness(AlphaProcess alpha) {
        return alpha.get("/actuator/health/readiness").statusCode();
    }

    private static int port(AlphaProcess alpha) {
        return URI.create("grpc://" + alpha.grpcAddress()).getPort();
    }
}
