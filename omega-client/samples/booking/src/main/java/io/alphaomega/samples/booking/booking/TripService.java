package io.alphaomega.samples.booking.booking;

import io.alphaomega.omega.SagaStart;
import io.alphaomega.samples.booking.RefusedException;
import java.io.IOException;
import java.util.Map;
import org.springframework.http.HttpRequest;
import org.springframework.http.HttpStatus;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.client.ClientHttpResponse;
import org.springframework.stereotype.Service;
import org.springframework.web.client.RestClient;
import org.springframework.web.client.RestClientException;
import tools.jackson.databind.json.JsonMapper;

/** Books trips: a row in the ledger, cars in one service, rooms in another; all of it or nothing. */
@Service
public class TripService {
    private final TripLedger ledger;
    private final RestClient cars;
    private final RestClient hotel;
    private final JsonMapper json;

    TripService(TripLedger ledger, RestClient.Builder http, BookingProperties services, JsonMapper json) {
        this.ledger = ledger;
        this.json = json;
        http.defaultStatusHandler(HttpStatusCode::isError, this::fail);
        this.cars = http.clone().baseUrl(services.car()).build();
        this.hotel = http.clone().baseUrl(services.hotel()).build();
    }

    /** Returns only if the saga is committed. An exception aborts it: what was booked until then is cancelled. */
    @SagaStart
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

    /** The other services explain themselves with a problem detail, as this one does. */
    private void fail(HttpRequest request, ClientHttpResponse response) throws IOException {
        String sentence = json.readTree(response.getBody()).path("detail").asString("");
        if (response.getStatusCode().isSameCodeAs(HttpStatus.CONFLICT)) throw new RefusedException(sentence);
        throw new RestClientException("%s answered %s. %s"
                .formatted(request.getURI(), response.getStatusCode(), sentence)
                .strip());
    }
}
