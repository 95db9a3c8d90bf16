package io.alphaomega.omega.docs;

import io.alphaomega.omega.Compensable;
import io.alphaomega.omega.SagaStart;
import java.util.Map;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.web.client.RestClient;

/** The code of README.md, in two services that have what it speaks of. */
final class OfReadme {
    private final Ledger ledger;
    private final RestClient cars;
    private final RestClient hotel;
    private final JdbcClient database;
    private final int carsPerTrip;

    OfReadme(Ledger ledger, RestClient cars, RestClient hotel, JdbcClient database, int carsPerTrip) {
        this.ledger = ledger;
        this.cars = cars;
        this.hotel = hotel;
        this.database = database;
        this.carsPerTrip = carsPerTrip;
    }

    interface Ledger {
        void enter(String trip, TripOrder order);
    }

    record TripOrder(int cars, int rooms) {}

    record CarOrder(String trip, int cars) {}

    static final class RefusedException extends RuntimeException {
        RefusedException(String message) {
            super(message);
        }
    }

    @Service
    public class TripService {
        /** Returns only if the saga is committed. An exception aborts it: what was booked until then is cancelled. */
        @SagaStart(businessKey = "#trip")
        public void book(String trip, TripOrder order) {
            ledger.enter(trip, order);
            cars.post()
                    .uri("/bookings")
                    .body(Map.of("trip", trip, "cars", order.cars()))
                    .retrieve()
                    .toBodilessEntity();
            hotel.post()
                    .uri("/bookings")
                    .body(Map.of("trip", trip, "rooms", order.rooms()))
                    .retrieve()
                    .toBodilessEntity();
        }
    }

    @Service
    public class CarDesk {
        @Transactional
        @Compensable(compensationMethod = "cancel")
        public void book(CarOrder order) {
            if (order.cars() > carsPerTrip)
                throw new RefusedException("A trip may have at most " + carsPerTrip + " cars.");
            database.sql("update fleet set free = free - ?").param(order.cars()).update();
            database.sql("insert into booking (trip, cars, state) values (?, ?, 'BOOKED')")
                    .params(order.trip(), order.cars())
                    .update();
        }

        /** Undoes book. Alpha calls it as often as it takes; it need not ask whether book was committed or this has run before. */
        @Transactional
        public void cancel(CarOrder order) {
            database.sql("update booking set state = 'CANCELLED' where trip = ?")
                    .param(order.trip())
                    .update();
            database.sql("update fleet set free = free + ?").param(order.cars()).update();
        }
    }
}
