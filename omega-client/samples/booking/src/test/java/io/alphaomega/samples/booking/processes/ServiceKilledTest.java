package io.alphaomega.samples.booking.processes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A service is halted in its business method or in its compensation, and started again. */
@Tag("processes")
@ExtendWith(StageExtension.class)
class ServiceKilledTest {
    private final Stage stage;

    ServiceKilledTest(Stage stage) {
        this.stage = stage;
    }

    @ParameterizedTest(name = "the {0} dies in {1}: {2}")
    @CsvSource("hotel, book, committed")
    void a_service_that_dies_in_its_method_leaves_nothing_booked(String service, String method, String point) {
        dieInMethod(service, method, point);
    }

    @ParameterizedTest(name = "the {0} dies in {1}: {2}")
    @CsvSource({
        "car, book, before",
        "car, book, after",
        "car, book, committed",
        "booking, enter, after",
        "booking, enter, committed"
    })
    @Tag("long")
    void nor_does_one_that_dies_elsewhere_in_its_method(String service, String method, String point) {
        dieInMethod(service, method, point);
    }

    private void dieInMethod(String service, String method, String point) {
        stage.orderToHalt(service, method, point);
        Answer answer = bookWhile(service, 1);
        assertThat(answer.status()).as(answer.toString()).isNotEqualTo(200);
        assertEndsWhole("COMPENSATED", answer);
    }

    @ParameterizedTest(name = "the {0} dies in {1}: {2}")
    @CsvSource("car, cancel, before")
    void a_service_that_dies_in_its_compensation_is_asked_again(String service, String method, String point) {
        dieInCompensation(service, method, point);
    }

    @ParameterizedTest(name = "the {0} dies in {1}: {2}")
    @CsvSource({"car, cancel, after", "car, cancel, committed", "booking, cancel, committed"})
    @Tag("long")
    void one_that_dies_elsewhere_in_its_compensation_is_asked_again_too(String service, String method, String point) {
        dieInCompensation(service, method, point);
    }

    private void dieInCompensation(String service, String method, String point) {
        stage.orderToHalt(service, method, point);
        Answer answer = bookWhile(service, Stage.tooManyRooms());
        assertEndsWhole("COMPENSATED", answer);
    }

    /** Books; the service dies on the way and is started again. */
    private Answer bookWhile(String service, int rooms) {
        CompletableFuture<Answer> ordering = stage.ordering("killed", 1, rooms);
        await().until(() -> !stage.node(service).isAlive());
        stage.recover();
        return ordering.join();
    }

    private void assertEndsWhole(String end, Answer answer) {
        stage.api.awaitAllOver();
        if (!answer.saga().isEmpty()) assertThat(stage.api.state(answer.saga())).isEqualTo(end);
        assertThat(new Checker(stage).check().torn()).isEmpty();
    }
}
