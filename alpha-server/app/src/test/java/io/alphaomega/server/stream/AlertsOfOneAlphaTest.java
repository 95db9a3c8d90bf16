package io.alphaomega.server.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.alphaomega.protocol.v1.CallbackFailure;
import io.alphaomega.repository.servers.Command;
import io.alphaomega.repository.servers.CuttingProxy;
import io.alphaomega.repository.servers.DatabaseServer;
import io.alphaomega.repository.servers.MariaDbServer;
import io.alphaomega.repository.servers.RedisServer;
import io.alphaomega.repository.servers.ServerProcess;
import io.alphaomega.saga.Limits;
import io.alphaomega.server.AlertRules;
import io.alphaomega.server.AlphaProcess;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.io.TempDir;

/**
 * Faults of one alpha, of its services and of its store, each of which fires the alerts that it should and no others, and
 * resolves them when it is mended.
 */
class AlertsOfOneAlphaTest {
    /** Of the sagas that wait for a test to damage or to hold them. */
    private static final String SOON = "--alpha.saga.timeout=20s";

    @TempDir
    private Path directory;

    @Test
    void each_alert_is_fired_by_the_fault_of_one_test() {
        assertThat(Stream.of(AlertsOfOneAlphaTest.class, AlertsOfClustersTest.class)
                        .flatMap(type -> Stream.of(type.getDeclaredMethods()))
                        .flatMap(test -> Optional.ofNullable(test.getAnnotation(Fires.class)).stream())
                        .flatMap(fires -> Stream.of(fires.value())))
                .containsExactlyInAnyOrderElementsOf(AlertRules.names());
    }

    @Tag("long")
    @Test
    @Fires(
            value = {
                "AlphaJournalUnreadable",
                "AlphaSagasSuspended",
                "AlphaCallbacksFail",
                "AlphaNotReachable",
                "AlphaNobodyLooksForStuckSagas"
            },
            also = "AlphaWakesSagasLate") // The saga whose record was damaged, once it is read.
    void a_service_that_fails_and_a_damaged_record_and_an_alpha_that_is_killed(TestInfo test) throws Exception {
        String[] arguments = {
            SOON,
            "--alpha.saga.passivate-after=1s",
            "--alpha.saga.callback-first-delay=100ms",
            "--alpha.saga.callback-max-delay=10s", // A hundred attempts last for ten minutes: it must not give up.
            "--alpha.saga.callback-attempts=" + Limits.ATTEMPTS,
            "--server.port=" + ServerProcess.freePort()
        };
        try (AlphaProcess alpha = AlphaProcess.start(directory, arguments).awaitReady();
                Alarms alarms = new Alarms(test, directory, alpha);
                AnsweringOmega hotel = new AnsweringOmega(alpha, "hotel");
                Connection store = DriverManager.getConnection("jdbc:sqlite:" + directory.resolve("data/alpha.db"))) {
            byte[] record = damaged(alpha, store);
            hotel.abort("undecodable", CallbackFailure.Code.UNDECODABLE);
            hotel.abort("failing", CallbackFailure.Code.THREW);
            hotel.answers();

            String console = alarms.fires("AlphaSagasSuspended", "service=hotel", "reason=SUSPENDED")
                    .annotations()
                    .getOrDefault("console", "");
            assertThat(alpha.get(console.replaceFirst("^http://[^/]+", "")).body())
                    .contains("href=\"/sagas/undecodable\"");
            alarms.fires("AlphaCallbacksFail", "service=hotel", "reason=FAILING");
            alarms.fires("AlphaJournalUnreadable", "instance=" + alpha.httpAddress());

            hotel.mended();
            restored(store, record);
            assertThat(alpha.post("/api/v1/sagas/undecodable/retry", "ann", "{\"reason\":\"deployed\"}")
                            .statusCode())
                    .isEqualTo(200);
            alarms.resolves("AlphaSagasSuspended", "AlphaCallbacksFail");

            alpha.kill();
            alarms.fires("AlphaNotReachable", "instance=" + alpha.httpAddress());
            alarms.fires("AlphaNobodyLooksForStuckSagas");
            try (AlphaProcess again = AlphaProcess.start(directory, arguments).awaitReady()) {
                assertThat(again.httpAddress()).isEqualTo(alpha.httpAddress());
                alarms.resolves("AlphaNotReachable", "AlphaNobodyLooksForStuckSagas", "AlphaJournalUnreadable");
            }
            alarms.wereAll();
        }
    }

    /** The only record of a saga that is in nobody's memory and will soon be due. Returns it as it was. */
    private static byte[] damaged(AlphaProcess alpha, Connection store) throws SQLException {
        try (TestOmega booking = AnsweringOmega.of(alpha, "booking")) {
            assertThat(booking.ask(TestOmega.begin(1, "damaged")).hasAccepted()).isTrue();
        }
        await().until(() -> alpha.get("/api/v1/nodes").body().contains("\"sagas\":0"));
        byte[] record;
        try (Statement statement = store.createStatement()) {
            statement.execute("PRAGMA busy_timeout = 10000");
            try (ResultSet only = statement.executeQuery("SELECT events FROM appends")) {
                record = only.getBytes(1);
            }
        }
        restored(store, new byte[record.length]);
        return record;
    }

    private static void restored(Connection store, byte[] record) throws SQLException {
        try (PreparedStatement write = store.prepareStatement("UPDATE appends SET events = ? WHERE number = 1")) {
            write.setBytes(1, record);
            assertThat(write.executeUpdate()).isEqualTo(1);
        }
    }

    @Tag("long")
    @Test
    @Fires({"AlphaStoreAway", "AlphaStoreLostWrites"})
    void a_store_that_is_killed_and_comes_back_without_what_it_had(TestInfo test) throws Exception {
        try (RedisServer redis = RedisServer.start("appendonly no");
                AlphaProcess alpha = on(
                        redis.port(),
                        "--alpha.repository.redis.allow-volatile=true",
                        "--alpha.saga.passivate-after=10m"); // Who has forgotten the saga misses nothing.
                Alarms alarms = new Alarms(test, directory, alpha);
                TestOmega omega = AnsweringOmega.of(alpha, "hotel")) {
            assertThat(omega.ask(TestOmega.begin(1, "kept")).hasAccepted()).isTrue();
            assertThat(omega.ask(TestOmega.begin(2, "first")).hasAccepted()).isTrue();

            redis.process().kill();
            omega.send(TestOmega.beginBranch(3, "first", "room")); // Somebody notices.
            alarms.fires("AlphaStoreAway", "instance=" + alpha.httpAddress());
            redis.process().start();
            alarms.resolves("AlphaStoreAway");

            omega.send(TestOmega.beginBranch(4, "kept", "room"));
            alarms.fires("AlphaStoreLostWrites", "instance=" + alpha.httpAddress());
            alarms.wereAll();
        }
    }

    private AlphaProcess on(int redis, String... more) {
        return AlphaProcess.start(
                        directory,
                        Stream.concat(
                                        Stream.of(
                                                "--alpha.repository.type=redis",
                                                "--alpha.repository.redis.uri=redis://127.0.0.1:" + redis),
                                        Stream.of(more))
                                .toArray(String[]::new))
                .awaitReady();
    }

    /** A saga counts as forsaken by its service after a minute. */
    @Tag("long")
    @Test
    @Fires({"AlphaParticipantAway", "AlphaSagasOverdue", "AlphaWakesSagasLate"})
    void a_service_that_is_killed_and_a_saga_that_somebody_holds_in_the_store(TestInfo test) throws Exception {
        try (MariaDbServer server = MariaDbServer.start();
                AlphaProcess alpha = on(server);
                Alarms alarms = new Alarms(test, directory, alpha);
                ServerProcess hotel = hotel(alpha);
                TestOmega booking = AnsweringOmega.of(alpha, "booking");
                Connection holder =
                        DriverManager.getConnection(server.url(), DatabaseServer.USER, DatabaseServer.PASSWORD)) {
            hotel.kill();
            assertThat(booking.ask(TestOmega.begin(1, "held")).hasAccepted()).isTrue();
            holder.setAutoCommit(false);
            try (Statement statement = holder.createStatement()) {
                assertThat(statement
                                .executeQuery("SELECT * FROM sagas WHERE id = 'held' FOR UPDATE")
                                .next())
                        .isTrue();
            }

            alarms.fires("AlphaSagasOverdue", "service=booking", "reason=OVERDUE");
            alarms.fires("AlphaParticipantAway", "service=hotel", "reason=NO_PARTICIPANT");
            holder.rollback();
            alarms.resolves("AlphaSagasOverdue");
            // It was looked at half a minute late at least: the other one has waited for a minute.
            alarms.fires("AlphaWakesSagasLate", "instance=" + alpha.httpAddress());
            try (AnsweringOmega again = new AnsweringOmega(alpha, "hotel").answers()) {
                assertThat(again).isNotNull();
                alarms.resolves("AlphaParticipantAway");
            }
            alarms.wereAll();
        }
    }

    private AlphaProcess on(MariaDbServer server) {
        return AlphaProcess.start(
                        directory,
                        SOON,
                        "--alpha.repository.type=mysql",
                        "--alpha.repository.jdbc.url=" + server.url(),
                        "--alpha.repository.jdbc.username=" + DatabaseServer.USER,
                        "--alpha.repository.jdbc.password=" + DatabaseServer.PASSWORD)
                .awaitReady();
    }

    /** A process that has a branch of a saga, and then nothing more to do. */
    private ServerProcess hotel(AlphaProcess alpha) throws Exception {
        Path home = Files.createDirectories(directory.resolve("hotel"));
        Path done = home.resolve("done");
        Command java = Command.of(
                ProcessHandle.current().info().command().orElse("java"),
                "-cp",
                System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                IdleHotel.class.getName(),
                AnsweringOmega.port(alpha),
                done);
        return new ServerProcess(home, java, () -> Files.exists(done)).start();
    }

    /** The main class of {@link #hotel}. */
    static final class IdleHotel {
        private IdleHotel() {}

        public static void main(String[] args) throws Exception {
            TestOmega omega = TestOmega.welcomed(Integer.parseInt(args[0]), "hotel", "hotel-1");
            omega.ask(TestOmega.begin(1, "forsaken"));
            omega.run("forsaken", "room");
            Files.createFile(Path.of(args[1]));
            omega.status();
        }
    }

    /** The store is silent for more than a minute. */
    @Tag("long")
    @Test
    @Fires(
            value = {"AlphaStoreTooSlow", "AlphaAppendsWait"},
            also = {"AlphaStoreAway", "AlphaWakesSagasLate", "AlphaNobodyLooksForStuckSagas"})
    void a_store_that_is_slower_than_the_load_and_then_hangs(TestInfo test) throws Exception {
        try (RedisServer redis = RedisServer.start("appendfsync always");
                CuttingProxy network = CuttingProxy.to(redis.port());
                AlphaProcess alpha = on(network.port(), "--alpha.saga.timeout=1h"); // The flood is not to be due.
                Alarms alarms = new Alarms(test, directory, alpha)) {
            String node = "instance=" + alpha.httpAddress();
            try (Flood flood = new Flood(alpha)) {
                assertThat(flood).isNotNull();
                network.slowDown(Flood.TOO_SLOW);
                alarms.fires("AlphaAppendsWait", node);
                alarms.fires("AlphaStoreTooSlow", node, "because=full", "saga=new");
                network.pass();
                alarms.resolves("AlphaStoreTooSlow", "AlphaAppendsWait");
            }
            redis.process().pause();
            alarms.fires("AlphaStoreAway", node);
            alarms.fires("AlphaWakesSagasLate", node);
            alarms.fires("AlphaNobodyLooksForStuckSagas", node);
            redis.process().resume();
            alarms.resolves("AlphaStoreAway", "AlphaWakesSagasLate", "AlphaNobodyLooksForStuckSagas");
            alarms.wereAll();
        }
    }
}
