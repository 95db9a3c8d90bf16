package io.alphaomega.omega.test;

import static io.alphaomega.omega.test.OmegaAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.annotation.Import;
import org.springframework.http.HttpStatus;
import org.springframework.test.web.servlet.assertj.MockMvcTester;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** The web layer in front of a saga, without a server. */
@SpringBootTest(classes = Travel.class)
@BootUnderTest.WithMockMvc
@OmegaTest
@Import(MockMvcTest.TripController.class)
class MockMvcTest {
    @Autowired
    private MockMvcTester mvc;

    @Autowired
    private TestAlpha alpha;

    @RestController
    static class TripController {
        private final Trips trips;

        TripController(Trips trips) {
            this.trips = trips;
        }

        @PostMapping("/trips")
        void book(@RequestParam String guest) {
            trips.book(guest);
        }

        @ExceptionHandler(PlannedFailureException.class)
        @ResponseStatus(HttpStatus.CONFLICT)
        void refused() {}
    }

    @Test
    void a_request_is_answered_by_how_its_saga_ended() {
        assertThat(mvc.post().uri("/trips").param("guest", "Ada")).hasStatusOk();
        assertThat(alpha.saga()).committed();

        alpha.fail("CarDesk.book");
        assertThat(mvc.post().uri("/trips").param("guest", "Bob")).hasStatus(HttpStatus.CONFLICT);
        assertThat(alpha.sagas().getLast()).compensated("HotelDesk.book");
    }
}
