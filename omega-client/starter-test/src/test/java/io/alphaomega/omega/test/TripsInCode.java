package io.alphaomega.omega.test;

import io.alphaomega.omega.CompensationHandler;
import io.alphaomega.omega.SagaAbortedException;
import io.alphaomega.omega.SagaSettings;
import io.alphaomega.omega.SagaTemplate;
import java.time.Duration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The code of docs/template.md, word for word. */
class TripsInCode {
    record CarOrder(String trip, int cars) {}

    static class Fleet {
        private final Ledger ledger;

        Fleet(Ledger ledger) {
            this.ledger = ledger;
        }

        String book(CarOrder order) {
            ledger.add(order.cars() + " cars for " + order.trip());
            return "reservation of " + order.trip();
        }

        void cancel(CarOrder order) {
            ledger.add("no " + order.cars() + " cars for " + order.trip());
        }
    }

    @Configuration
    static class Undoing {
        @Bean
        CompensationHandler<CarOrder> cancelCar(Fleet fleet) {
            return CompensationHandler.of("car.cancel", CarOrder.class, fleet::cancel);
        }
    }

    static class TripService {
        private static final SagaSettings TRIP =
                SagaSettings.named("TripService.book").timeout(Duration.ofMinutes(1));

        private final SagaTemplate sagas;
        private final Fleet fleet;
        private final CompensationHandler<CarOrder> cancelCar;

        TripService(SagaTemplate sagas, Fleet fleet, CompensationHandler<CarOrder> cancelCar) {
            this.sagas = sagas;
            this.fleet = fleet;
            this.cancelCar = cancelCar;
        }

        String book(CarOrder order) {
            return sagas.execute(TRIP.businessKey(order.trip()), saga -> {
                String reservation =
                        saga.branch("car").compensateWith(cancelCar, order).call(String.class, () -> fleet.book(order));
                // … more branches, and calls of other services
                return reservation;
            });
        }

        String bookAndAwaitPayment(CarOrder order) {
            return sagas.execute(TRIP.timeout(Duration.ofDays(2)).leftOpen(), saga -> {
                saga.branch("car").compensateWith(cancelCar, order).run(() -> fleet.book(order));
                return saga.id().orElseThrow(); // kept with the order
            });
        }

        void paid(String saga, String payment) {
            sagas.resume(saga, "paid " + payment, trip -> {
                // … branches, such as one that sends the tickets
                trip.end();
                return payment;
            });
        }

        String tell(String saga) {
            return switch (sagas.outcome(saga).state()) {
                case COMMITTED -> "booked";
                case ABORTED ->
                    sagas.outcome(saga)
                            .aborted()
                            .map(SagaAbortedException::text)
                            .orElse("cancelled");
                case OPEN -> "not decided yet";
                case UNKNOWN -> "nobody knows it";
            };
        }
    }
}
