package io.alphaomega.samples.booking.booking;

import io.alphaomega.omega.SagaStart;
import java.util.Map;
import org.springframework.http.HttpStatusCode;
import org.springframework.stereotype.Service;
import org.springframework.web.client.RestClient;
import tools.jackson.databind.json.JsonMapper;

/** Books trips: a row in the ledger, cars in one service, rooms in another; all of it or nothing. */
@Service
public class TripService {
    private final TripLedger ledger;
    private final RestClient cars;
    private final RestClient hotel;

    TripService(TripLedger ledger, RestClient.Builder http, BookingProperties services, JsonMapper json) {
        this.ledger = ledger;
        http.defaultStatusHandler(HttpStatusCode::isError, new Explanations(json));
        this.cars = http.clone().baseUrl(services.car()).build();
        this.hotel = http.clone().baseUrl(services.hotel()).build();
    }

    /** Returns only if the saga is committed. An exception aborts it: what was booked until then is cancelled. */
    @SagaStart(businessKey = "#trip")
    public void book(String trip, TripOrder order) {
        ledger.enter(trip, order);
        cars.post()
                .uri("/bookings")
                .body(Map.of("trip", trip, "name", order.name(), "cars", order.cars()))
                .retrieve()
                .toBodilessEntity();
        hotel.post()
                .uri("/bookings")
                .body(Map.of("trip", trip, "name", order.name(), "rooms", order.rooms()))
                .retrieve()
                .toBodilessEntity();
    }
}
