package io.alphaomega.samples.booking.processes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Alpha or a service is away for longer than anybody waits, then comes back. */
@Tag("processes")
@Tag("long")
@ExtendWith(StageExtension.class)
class AwayTest {
    private final Stage stage;

    AwayTest(Stage stage) {
        this.stage = stage;
    }

    @Test
    void without_alpha_a_trip_is_refused_quickly_and_nothing_is_booked() {
        int trips = new Checker(stage).check().trips();
        stage.alpha.stop();
        CompletableFuture<Answer> ordering = stage.ordering("early", 1, 1);
        await().until(ordering::isDone); // Nobody answers before alpha is back.
        assertThat(ordering.join().status()).isEqualTo(503);
        assertThat(ordering.join().detail()).isNotEmpty();
        stage.recover();
        stage.api.awaitAllOver();
        Checker.Verdict verdict = new Checker(stage).check();
        assertThat(verdict.trips()).isEqualTo(trips);
        assertThat(verdict.torn()).isEmpty();
    }

    @Test
    void an_alpha_that_goes_in_the_middle_and_stays_away_undoes_the_trip_when_it_is_back() {
        // The ledger's branch has begun, then the car's: alpha goes as the hotel's branch begins.
        Answer answer = bookUntilAlphaHaltsBefore(3, "midway");
        assertThat(stage.alpha.isAlive()).isFalse();
        assertThat(answer.status()).as(answer.toString()).isIn(502, 503, 504);
        stage.recover();
        stage.api.awaitAllOver();
        assertThat(stage.api.state(answer.saga())).isEqualTo("COMPENSATED");
        assertThat(new Checker(stage).check().torn()).isEmpty();
    }

    @Test
    void an_alpha_that_goes_at_the_end_and_stays_away_leaves_the_customer_with_an_unknown_outcome() {
        // Three branches have begun, each telling the end of the one before: alpha goes as the saga ends.
        Answer answer = bookUntilAlphaHaltsBefore(4, "late");
        assertThat(stage.alpha.isAlive()).isFalse();
        assertThat(answer.status()).as(answer.toString()).isEqualTo(504);
        stage.recover();
        stage.api.awaitAllOver();
        assertThat(new Checker(stage).check().torn()).isEmpty();
    }

    /** Again if it took so long that one of the appends before may have been that of an overdue branch, on a busy machine. */
    private Answer bookUntilAlphaHaltsBefore(int append, String name) {
        for (int tries = 0; tries < Stage.TRIES; tries++) {
            stage.orderAlphaToHalt("before", append);
            long ordered = System.nanoTime();
            CompletableFuture<Answer> ordering = stage.ordering(name, 1, 1);
            await().until(() -> !stage.alpha.isAlive() || ordering.isDone());
            boolean inTime = Stage.isInTime(ordered);
            Answer answer = ordering.join();
            if (inTime) return answer;
            // It may be about to halt.
            stage.alpha.kill();
            stage.recover();
            stage.api.awaitAllOver();
        }
        throw new AssertionError("Alpha was at no append %d within %s.".formatted(append, Stage.BRANCH_TIMEOUT));
    }

    @Test
    void a_service_that_was_away_compensates_as_soon_as_it_is_back() {
        stage.orderToHalt("car", "cancel", "before");
        Answer answer = stage.book("patient", 1, Stage.tooManyRooms());
        await().until(() -> !stage.car.isAlive());
        assertThat(stage.api.state(answer.saga())).isEqualTo("COMPENSATING");
        stage.recover();
        assertThat(stage.api.awaitEnd(answer.saga())).isEqualTo("COMPENSATED");
        assertThat(new Checker(stage).check().torn()).isEmpty();
    }
}
