package io.alphaomega.samples.booking.processes;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What {@code scripts/demo} shows. */
@Tag("processes")
@ExtendWith(StageExtension.class)
class TripsTest {
    private final Stage stage;

    TripsTest(Stage stage) {
        this.stage = stage;
    }

    @Test
    void a_trip_that_everybody_accepts_is_booked_everywhere() {
        Answer answer = stage.bookInTime("ann", 2, 1);
        assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
        assertThat(stage.api.awaitEnd(answer.saga())).isEqualTo("COMMITTED");
        assertThat(stage.outcome(answer.saga()).body().path("state").asString(""))
                .isEqualTo("COMMITTED");
        assertThat(new Checker(stage).check().torn()).isEmpty();
    }

    @Test
    void a_trip_that_the_hotel_refuses_is_cancelled_at_the_car_rental_too() {
        Answer answer = stage.bookInTime("bob", 1, Stage.tooManyRooms());
        assertThat(answer.status()).as(answer.toString()).isEqualTo(409);
        assertThat(answer.detail()).contains("bob asked for");
        assertThat(stage.api.awaitEnd(answer.saga())).isEqualTo("COMPENSATED");
        Answer outcome = stage.outcome(answer.saga());
        assertThat(outcome.body().path("state").asString("")).isEqualTo("ABORTED");
        assertThat(outcome.body().path("text").asString("")).contains("bob asked for");
        assertThat(stage.outcome("nobody").body().path("state").asString("")).isEqualTo("UNKNOWN");
        assertThat(new Checker(stage).check().torn()).isEmpty();
    }

    @Test
    void a_trip_that_the_car_rental_refuses_never_reaches_the_hotel() {
        Answer answer = stage.bookInTime("carl", 4, 1);
        assertThat(answer.status()).as(answer.toString()).isEqualTo(409);
        assertThat(answer.detail()).isEqualTo("carl asked for 4 cars, but a trip may have at most 3.");
        assertThat(stage.api.awaitEnd(answer.saga())).isEqualTo("COMPENSATED");
        assertThat(stage.api.saga(answer.saga()).path("branches").size()).isEqualTo(2);
        assertThat(new Checker(stage).check().torn()).isEmpty();
    }

    @Test
    void an_order_for_nothing_is_a_bad_request_with_a_sentence() {
        Answer answer = stage.book("dora", 0, 1);
        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.detail()).isEqualTo("A trip needs at least 1 car, not 0.");
    }
}
