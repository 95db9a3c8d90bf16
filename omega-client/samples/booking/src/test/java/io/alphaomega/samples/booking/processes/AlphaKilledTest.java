package io.alphaomega.samples.booking.processes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Alpha is halted, and started again, before and after each append to a saga; which one is enumerated, not random. */
@Tag("processes")
@Tag("long")
@ExtendWith(StageExtension.class)
class AlphaKilledTest {
    /** No saga of three branches has as many appends: the enumeration would not end. */
    private static final int APPENDS_MAX = 30;

    private final Stage stage;

    AlphaKilledTest(Stage stage) {
        this.stage = stage;
    }

    @ParameterizedTest(name = "{0} each append of a saga that {1}")
    @CsvSource({"before,commits", "before,compensates", "after,commits", "after,compensates"})
    void a_saga_ends_whole_wherever_alpha_dies(String point, String course) {
        int rooms = course.equals("commits") ? 1 : Stage.tooManyRooms();
        List<String> answers = new ArrayList<>();
        int append = 1;
        while (killed(point, append, rooms, answers)) {
            append++;
            assertThat(append).isLessThan(APPENDS_MAX);
        }
        Checker.Verdict verdict = new Checker(stage).check();
        System.out.printf(
                "== alpha killed %s each of %d appends of a saga that %s; answers %s; %s%n",
                point, append - 1, course, answers, verdict);
        assertThat(append - 1).as("appends of a saga with three branches").isGreaterThan(3);
        assertThat(verdict.torn()).isEmpty();
    }

    /** Whether alpha was killed at that append; if not, the saga had ended before it. */
    private boolean killed(String point, int append, int rooms, List<String> answers) {
        for (int tries = 0; tries < Stage.TRIES; tries++) {
            stage.orderAlphaToHalt(point, append);
            CompletableFuture<Answer> ordering = stage.ordering(point + append, 1, rooms);
            await().until(() -> !stage.alpha.isAlive() || isOver(ordering));
            boolean killed = !stage.alpha.isAlive();
            boolean begun = killed || !ordering.join().saga().isEmpty();
            // It may have got the begin too late, and would halt amid the next saga.
            if (!begun) stage.alpha.kill();
            stage.recover();
            Answer answer = ordering.join();
            stage.api.awaitAllOver();
            assertTruth(answer);
            if (killed) answers.add(append + ":" + answer.status());
            if (begun) return killed;
        }
        throw new AssertionError("Booking begins no saga, although alpha is there.");
    }

    private boolean isOver(CompletableFuture<Answer> ordering) {
        if (!ordering.isDone()) return false;
        String saga = ordering.join().saga();
        try {
            return saga.isEmpty() || List.of("COMMITTED", "COMPENSATED").contains(stage.api.state(saga));
        } catch (IllegalStateException halted) {
            return false;
        }
    }

    /** The customer was told what is so, or that nobody knows. */
    private void assertTruth(Answer answer) {
        switch (answer.status()) {
            case 200 -> assertThat(stage.api.state(answer.saga())).isEqualTo("COMMITTED");
            case 409 -> assertThat(stage.api.state(answer.saga())).isEqualTo("COMPENSATED");
            case 503, 504, 502 -> assertThat(answer.detail()).isNotEmpty();
            default -> throw new AssertionError("Unexpected answer: " + answer);
        }
    }
}
