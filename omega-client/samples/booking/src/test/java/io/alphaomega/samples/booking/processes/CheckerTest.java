package io.alphaomega.samples.booking.processes;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A checker that finds nothing is worth something only if it finds what is planted. */
@Tag("processes")
@ExtendWith(StageExtension.class)
class CheckerTest {
    private final Stage stage;
    private final Checker checker;
    private final String saga;
    private final String booked;
    private final String undone;

    CheckerTest(Stage stage) {
        this.stage = stage;
        checker = new Checker(stage);
        Answer answer = stage.book("whole", 1, 1);
        saga = answer.saga();
        booked = answer.body().path("id").asString();
        Answer refused = stage.book("undone", 1, Stage.tooManyRooms());
        stage.api.awaitEnd(refused.saga());
        undone = trip(refused.saga());
    }

    @BeforeEach
    void nothing_is_torn_before() {
        assertThat(checker.check().torn()).isEmpty();
    }

    @ParameterizedTest(name = "{0}: {1}")
    @CsvSource(
            delimiter = '|',
            value = {
                "booking | update trip set state = 'CANCELLED' where id = '%s' | update trip set state = 'BOOKED' where id = '%s'",
                "car | update booking set state = 'CANCELLED' where trip = '%s' | update booking set state = 'BOOKED' where trip = '%s'",
                "hotel | update booking set rooms = 2 where trip = '%s' | update booking set rooms = 1 where trip = '%s'",
                "hotel | update booking set trip = 'lost' where trip = '%s' | update booking set trip = '%s' where trip = 'lost'"
            })
    void a_committed_saga_with_a_branch_undone_is_torn(String service, String plant, String mend) {
        write(service, plant.formatted(booked));
        Checker.Verdict verdict = checker.check();
        write(service, mend.formatted(booked));
        assertThat(verdict.torn()).anyMatch(sentence -> sentence.contains("is committed, but trip " + booked));
    }

    @Test
    void a_compensated_saga_with_a_branch_left_done_is_torn() {
        write("car", "update booking set state = 'BOOKED' where trip = '%s'".formatted(undone));
        Checker.Verdict verdict = checker.check();
        write("car", "update booking set state = 'CANCELLED' where trip = '%s'".formatted(undone));
        assertThat(verdict.torn()).anyMatch(sentence -> sentence.contains("is compensated, but trip " + undone));
    }

    @Test
    void a_compensation_that_took_effect_twice_is_found() {
        write("car", "update fleet set free = free + 1");
        Checker.Verdict verdict = checker.check();
        write("car", "update fleet set free = free - 1");
        assertThat(verdict.torn()).singleElement().asString().startsWith("The car has ");
    }

    @Test
    void an_event_that_was_promised_and_is_not_in_the_history_is_found() {
        Recorder.Promise kept = new Recorder.Promise(saga, "saga.committed.v1");
        Recorder.Promise broken = new Recorder.Promise(saga, "branch.ended.v1 never-seen");
        assertThat(checker.missing(List.of(kept, broken))).containsExactly(broken);
    }

    private String trip(String saga) {
        try (Connection database = DriverManager.getConnection("jdbc:sqlite:" + stage.database("booking"));
                Statement statement = database.createStatement();
                var rows = statement.executeQuery("select id from trip where saga = '" + saga + "'")) {
            return rows.getString(1);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private void write(String service, String sql) {
        try (Connection database =
                        DriverManager.getConnection("jdbc:sqlite:" + stage.database(service) + "?busy_timeout=10000");
                Statement statement = database.createStatement()) {
            assertThat(statement.executeUpdate(sql)).as(sql).isEqualTo(1);
        } catch (SQLException e) {
            throw new IllegalStateException(sql, e);
        }
    }
}
