package io.alphaomega.omega.test;

import static io.alphaomega.omega.test.OmegaAssertions.assertThat;

import io.alphaomega.omega.SagaStart;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.annotation.Import;
import org.springframework.http.HttpStatus;
import org.springframework.test.web.reactive.server.WebTestClient;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** The web layer of a reactive service in front of a saga, without a server. */
@SpringBootTest(
        classes = Travel.class,
        properties = {"spring.main.web-application-type=reactive", "spring.reactor.context-propagation=auto"})
@BootUnderTest.WithWebTestClient
@OmegaTest
@Import({WebTestClientTest.TripController.class, WebTestClientTest.ReactiveTrips.class})
class WebTestClientTest {
    @Autowired
    private WebTestClient web;

    @Autowired
    private TestAlpha alpha;

    static class ReactiveTrips {
        private final HotelDesk hotel;
        private final CarDesk car;

        ReactiveTrips(HotelDesk hotel, CarDesk car) {
            this.hotel = hotel;
            this.car = car;
        }

        @SagaStart(timeout = "1m")
        public Mono<String> book(String guest) {
            return Mono.fromCallable(() -> {
                        hotel.book(guest);
                        car.book(guest);
                        return "trip of " + guest;
                    })
                    .subscribeOn(Schedulers.boundedElastic());
        }
    }

    @RestController
    static class TripController {
        private final ReactiveTrips trips;

        TripController(ReactiveTrips trips) {
            this.trips = trips;
        }

        @PostMapping("/reactive-trips")
        Mono<String> book(@RequestParam String guest) {
            return trips.book(guest);
        }

        @ExceptionHandler(PlannedFailureException.class)
        @ResponseStatus(HttpStatus.CONFLICT)
        void refused() {}
    }

    private WebTestClient.ResponseSpec book(String guest) {
        return web.post().uri("/reactive-trips?guest={guest}", guest).exchange();
    }

    @Test
    void a_request_is_answered_by_how_its_saga_ended() {
        book("Ada").expectStatus().isOk().expectBody(String.class).isEqualTo("trip of Ada");
        assertThat(alpha.saga()).committed();

        alpha.fail("CarDesk.book");
        book("Bob").expectStatus().isEqualTo(HttpStatus.CONFLICT);
        assertThat(alpha.sagas().getLast()).compensated("HotelDesk.book");
    }
}
