package io.alphaomega.omega.test;

import static io.alphaomega.omega.test.OmegaAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import io.alphaomega.omega.SagaAbortedException;
import io.alphaomega.omega.SagaSettings;
import io.alphaomega.omega.SagaTemplate;
import io.alphaomega.omega.context.SagaCarrier;
import io.alphaomega.omega.context.SagaHeaders;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Import;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.client.RestClient;

/** What a service hands over to other threads while it serves a call of another service's saga: the answer does not wait. */
class HandedOverAcrossTest {
    private static final SagaSettings TRIP = SagaSettings.named("trip");

    private final TestAlpha alpha = new TestAlpha();
    private final ExecutorService caller = Executors.newSingleThreadExecutor();
    private final ConfigurableApplicationContext tours = start(Tours.class, "tours", "none");
    private ConfigurableApplicationContext cars = tours;

    @SpringBootConfiguration
    @EnableAutoConfiguration
    @OmegaTest
    @Import({HotelDesk.class, CarDesk.class, Ledger.class})
    static class Tours {}

    @SpringBootConfiguration
    @EnableAutoConfiguration
    @OmegaTest
    @Import({Travel.class, AsyncTravel.class})
    @RestController
    static class Cars {
        private final AsyncTravel.SeatDesk seats;

        Cars(AsyncTravel.SeatDesk seats) {
            this.seats = seats;
        }

        @PostMapping("/nothing")
        void nothing() {
            seats.bookLater("Ada");
        }

        @PostMapping("/text")
        String text() {
            seats.bookLater("Ada");
            return "booked";
        }

        @PostMapping("/json")
        Map<String, String> json() {
            seats.bookLater("Ada");
            return Map.of("car", "booked");
        }

        @PostMapping("/later")
        CompletableFuture<String> later() {
            seats.bookLater("Ada");
            return CompletableFuture.completedFuture("booked");
        }

        @PostMapping("/callable")
        Callable<String> callable() {
            return () -> {
                seats.bookLater("Ada");
                return "booked";
            };
        }

        @PostMapping("/failure")
        String failure() {
            seats.bookLater("Ada");
            throw new IllegalStateException("failed");
        }
    }

    private ConfigurableApplicationContext start(Class<?> application, String name, String web) {
        return new SpringApplicationBuilder(application)
                .initializers(context -> context.getBeanFactory().registerSingleton("alpha", alpha))
                .run(
                        "--spring.application.name=" + name,
                        "--server.port=0",
                        "--spring.main.web-application-type=" + web,
                        "--spring.task.execution.mode=force",
                        "--spring.reactor.context-propagation=auto");
    }

    private void startCars(String web) {
        cars = start(Cars.class, "cars", web);
        cars.getBean(AsyncTravel.Gate.class).close();
    }

    private void open() {
        cars.getBean(AsyncTravel.Gate.class).open();
    }

    @AfterEach
    void stop() {
        if (!cars.equals(tours)) open();
        cars.close();
        tours.close();
        caller.shutdownNow();
        alpha.close();
    }

    /** Swallows a failure of the call. */
    private Future<?> begun(String path) {
        int port = cars.getEnvironment().getRequiredProperty("local.server.port", Integer.class);
        RestClient client = tours.getBean(RestClient.Builder.class)
                .baseUrl("http://localhost:" + port)
                .build();
        Future<?> saga = caller.submit(() -> tours.getBean(SagaTemplate.class).executeWithoutResult(TRIP, open -> {
            tours.getBean(HotelDesk.class).book("Ada");
            client.post().uri(path).exchange((request, response) -> response.getStatusCode());
        }));
        awaitOwed(saga);
        return saga;
    }

    private void awaitOwed(Future<?> saga) {
        await().until(() -> saga.isDone()
                || alpha.sagas().stream()
                        .flatMap(each -> each.history().stream())
                        .anyMatch(line -> line.contains("SeatDesk.bookLater, handed over")));
    }

    private void assertWaits(Future<?> saga) throws Exception {
        assertThat(saga).isNotDone();
        open();
        saga.get();
        assertThat(alpha.saga()).committed();
        assertThat(cars.getBean(Ledger.class).all()).containsExactly("car for Ada");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/nothing", "/text", "/json", "/later", "/callable", "/failure"})
    void a_saga_waits_for_it_whatever_a_servlet_answers(String path) throws Exception {
        startCars("servlet");
        assertWaits(begun(path));
    }

    @ParameterizedTest
    @ValueSource(strings = {"/nothing", "/text", "/json", "/later", "/failure"})
    void and_whatever_a_reactive_service_does(String path) throws Exception {
        startCars("reactive");
        assertWaits(begun(path));
    }

    @Test
    void a_message_that_is_handled_so_is_a_part_of_the_saga() throws Exception {
        startCars("none");
        Future<?> saga = caller.submit(() -> tours.getBean(SagaTemplate.class)
                .executeWithoutResult(
                        TRIP,
                        open -> cars.getBean(SagaCarrier.class)
                                .receive(Map.of(SagaHeaders.SAGA, open.id().orElseThrow())::get, "message-1", () -> {
                                    cars.getBean(AsyncTravel.SeatDesk.class).bookLater("Ada");
                                    return "handled";
                                })));
        awaitOwed(saga);
        assertWaits(saga);
    }

    @Test
    void if_it_is_never_done_the_saga_is_aborted_in_time() {
        startCars("servlet");
        Future<?> saga = begun("/text");

        alpha.advance(Duration.ofMinutes(10));
        await().until(saga::isDone);
        assertThatExceptionOfType(ExecutionException.class)
                .isThrownBy(saga::get)
                .havingCause()
                .isInstanceOf(SagaAbortedException.class)
                .withMessageContaining(
                        "SeatDesk.bookLater, handed over to another thread, of cars did not end in time");
        assertThat(alpha.saga()).compensated("HotelDesk.book");
    }
}
