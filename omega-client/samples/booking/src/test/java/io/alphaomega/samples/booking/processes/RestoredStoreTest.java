package io.alphaomega.samples.booking.processes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.alphaomega.repository.servers.Patience;
import io.alphaomega.repository.servers.ServerProcess;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/**
 * Alpha's store is copied while two trips are being booked: one of them is booked in the end, the other one is not. Every
 * process is stopped, the copy is put back, and all are started again. The fences of the real services then tell what became
 * of the trips.
 */
@Tag("processes")
@Tag("long")
class RestoredStoreTest {
    @Test
    void nothing_that_was_booked_is_undone_and_a_person_reads_off_the_fences_how_each_trip_ended() throws Exception {
        try (Stage stage = new Stage("restored").start()) {
            stage.warmUp();
            Path copy = stage.directory.resolve("copy.db");
            Map<String, String> ended = endedSince(stage, copy);
            awaitMarksBeyond(stage, copy);
            for (String process : List.of("booking", "car", "hotel", "alpha"))
                stage.node(process).stop();

            Path data = stage.directory.resolve("alpha");
            ServerProcess.delete(data);
            Files.createDirectories(data);
            Files.copy(copy, data.resolve("alpha.db"));
            stage.recover();

            for (String saga : ended.keySet()) {
                await().atMost(Patience.LIMIT).until(() -> isTold(stage.api.saga(saga)));
                assertThat(findings(stage.api.saga(saga)))
                        .as("what the fences have of a trip that ended %s", ended.get(saga))
                        .containsOnly(ended.get(saga).equals("COMMITTED") ? "RAN" : "UNDONE");
            }
            assertThat(stage.book("meanwhile", 1, 1).status()).isEqualTo(200);
            ended.forEach((saga, outcome) -> stage.api.resolve(saga, outcome));
            assertThat(stage.api.awaitAllOver()).containsAllEntriesOf(ended);
            assertThat(new Checker(stage).check().torn()).isEmpty();
        }
    }

    /** How two trips have ended that the copy has open; again if that took so long that a branch was overdue. */
    private static Map<String, String> endedSince(Stage stage, Path copy) throws Exception {
        for (int tries = 0; tries < Stage.TRIES; tries++) {
            Files.deleteIfExists(copy);
            Map<String, String> open = openInCopy(stage, copy);
            Map<String, String> all = stage.api.awaitAllOver();
            Map<String, String> ended = all.entrySet().stream()
                    .filter(saga -> open.containsKey(saga.getKey()))
                    .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
            if (ended.containsValue("COMMITTED") && ended.containsValue("COMPENSATED")) return ended;
        }
        throw new AssertionError("No trip was booked while the store was copied, %d times.".formatted(Stage.TRIES));
    }

    /** The hotel is paused when the cars are booked, and goes on when the store is copied. */
    private static Map<String, String> openInCopy(Stage stage, Path copy) throws Exception {
        stage.hotel.signal("STOP");
        try {
            CompletableFuture<Answer> good = stage.ordering("good", 1, 1);
            CompletableFuture<Answer> bad = stage.ordering("bad", 1, Stage.tooManyRooms());
            await().until(() -> good.isDone() || bad.isDone() || withCars(stage).size() == 2);
            Map<String, String> open = withCars(stage);
            query(stage, "VACUUM INTO '" + copy + "'");
            return open;
        } finally {
            stage.hotel.signal("CONT");
        }
    }

    private static Map<String, String> withCars(Stage stage) {
        return stage.api.states().entrySet().stream()
                .filter(saga -> saga.getValue().equals("ACTIVE"))
                .filter(saga -> stage.api.saga(saga.getKey()).path("branches").size() == 2)
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
    }

    /** The services are told each mark, and keep the last when they stop. */
    private static void awaitMarksBeyond(Stage stage, Path copy) {
        List<String> copied = notes(copy);
        await().atMost(Patience.LIMIT)
                .until(() -> notes(stage.directory.resolve("alpha/alpha.db")).stream()
                        .noneMatch(copied::contains));
    }

    private static List<String> notes(Path store) {
        return query(store, "SELECT text FROM notes WHERE name LIKE 'run-%'");
    }

    private static void query(Stage stage, String sql) {
        var unused = query(stage.directory.resolve("alpha/alpha.db"), sql);
    }

    private static List<String> query(Path store, String sql) {
        try (Connection database = DriverManager.getConnection("jdbc:sqlite:" + store + "?busy_timeout=10000");
                Statement statement = database.createStatement()) {
            List<String> texts = new ArrayList<>();
            if (!statement.execute(sql)) return texts;
            try (ResultSet rows = statement.getResultSet()) {
                while (rows.next()) texts.add(rows.getString(1));
            }
            return texts;
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
    }

    /** Whether it is held, and the fences of all its branches have answered. */
    private static boolean isTold(JsonNode saga) {
        return saga.path("suspension").path("reason").asString("").equals("RESTORED")
                && findings(saga).size() == saga.path("branches").size();
    }

    private static List<String> findings(JsonNode saga) {
        List<String> findings = new ArrayList<>();
        for (JsonNode branch : saga.path("branches")) {
            String finding = branch.path("fence").path("finding").asString("");
            if (!finding.isEmpty()) findings.add(finding);
        }
        return findings;
    }
}
