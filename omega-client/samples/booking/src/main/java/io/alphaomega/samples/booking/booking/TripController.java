package io.alphaomega.samples.booking.booking;

import io.alphaomega.omega.SagaAbortedException;
import io.alphaomega.omega.SagaOutcome;
import io.alphaomega.omega.SagaTemplate;
import io.alphaomega.samples.booking.Problems;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.springframework.core.ParameterizedTypeReference;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.client.RestClient;

/** The booking of trips over HTTP, and what the page shows. */
@RestController
class TripController {
    private static final ParameterizedTypeReference<List<Map<String, Object>>> BOOKINGS =
            new ParameterizedTypeReference<>() {};

    private final TripService service;
    private final TripLedger ledger;
    private final BookingProperties services;
    private final RestClient http;
    private final SagaTemplate sagas;

    TripController(
            TripService service,
            TripLedger ledger,
            BookingProperties services,
            RestClient.Builder http,
            SagaTemplate sagas) {
        this.service = service;
        this.ledger = ledger;
        this.services = services;
        this.http = http.build();
        this.sagas = sagas;
    }

    /** A trip as customers see it: with the address of its saga's history. */
    record View(String id, String name, int cars, int rooms, String state, String saga, String history) {}

    @PostMapping("/trips")
    ResponseEntity<?> book(@RequestBody TripOrder order) {
        String trip = UUID.randomUUID().toString();
        try {
            service.book(trip, order);
            return ResponseEntity.ok(ledger.trip(trip).map(this::view));
        } catch (RuntimeException cause) {
            ProblemDetail problem = Problems.of(cause);
            ledger.trip(trip).ifPresent(entered -> problem.setProperty("saga", entered.saga()));
            return ResponseEntity.of(problem).build();
        }
    }

    @GetMapping("/trips")
    List<View> trips() {
        return ledger.trips().stream().map(this::view).toList();
    }

    /** How a trip was decided, for whoever was told that nobody knows. */
    record Decision(String state, String text) {}

    @GetMapping("/trips/{saga}/outcome")
    Decision outcome(@PathVariable String saga) {
        SagaOutcome outcome = sagas.outcome(saga);
        return new Decision(
                outcome.state().name(),
                outcome.aborted().map(SagaAbortedException::text).orElse(""));
    }

    @GetMapping("/cars")
    List<Map<String, Object>> cars() {
        return http.get().uri(services.car() + "/bookings").retrieve().requiredBody(BOOKINGS);
    }

    @GetMapping("/rooms")
    List<Map<String, Object>> rooms() {
        return http.get().uri(services.hotel() + "/bookings").retrieve().requiredBody(BOOKINGS);
    }

    private View view(Trip trip) {
        return new View(
                trip.id(),
                trip.name(),
                trip.cars(),
                trip.rooms(),
                trip.state(),
                trip.saga(),
                services.alpha() + "/api/v1/sagas/" + trip.saga());
    }
}
