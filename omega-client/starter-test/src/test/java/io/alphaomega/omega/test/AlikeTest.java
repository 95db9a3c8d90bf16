package io.alphaomega.omega.test;

import static io.alphaomega.omega.test.OmegaAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.alphaomega.omega.CallbackOrder;
import io.alphaomega.omega.Compensable;
import io.alphaomega.omega.SagaStart;
import io.alphaomega.omega.context.SagaContext;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.annotation.Import;

/** Whatever threads do, a test sees the same each time. */
@SpringBootTest(classes = AlikeTest.App.class)
@OmegaTest
class AlikeTest {
    private static final Executor THREADS = task -> Thread.ofVirtual().start(task);

    @SpringBootConfiguration
    @EnableAutoConfiguration
    @Import({Tours.class, HotelDesk.class, CarDesk.class, SeatDesk.class, Ledger.class})
    static class App {}

    /** Where a tour begins: a room and a car side by side, then a seat. */
    static class Tours {
        private final HotelDesk hotel;
        private final CarDesk car;
        private final SeatDesk seat;
        private final TestAlpha alpha;

        Tours(HotelDesk hotel, CarDesk car, SeatDesk seat, TestAlpha alpha) {
            this.hotel = hotel;
            this.car = car;
            this.seat = seat;
            this.alpha = alpha;
        }

        @SagaStart(businessKey = "#guest", order = CallbackOrder.PARALLEL)
        public void undoneAtOnce(String guest, CountDownLatch cars) {
            book(guest, cars);
        }

        @SagaStart(businessKey = "#guest", order = CallbackOrder.SEQUENTIAL)
        public void undoneInTurn(String guest, CountDownLatch cars) {
            book(guest, cars);
        }

        private void book(String guest, CountDownLatch cars) {
            SagaContext saga = SagaContext.current().orElseThrow();
            CompletableFuture<Void> room = CompletableFuture.runAsync(() -> saga.run(() -> hotel.book(guest)), THREADS);
            await().pollInSameThread()
                    .pollInterval(Duration.ofMillis(1))
                    .until(() -> alpha.sagas().stream()
                            .anyMatch(each -> each.businessKey().equals(guest)));
            car.book(guest);
            cars.countDown();
            room.join();
            seat.book(guest);
        }
    }

    /** Has seats. */
    static class SeatDesk {
        @Compensable(compensationMethod = "cancel", fenced = false)
        public void book(String guest) {}

        public void cancel(String guest) {}
    }

    @Autowired
    private Tours tours;

    @Autowired
    private TestAlpha alpha;

    @Test
    void a_thousand_runs_of_two_sagas_at_once_with_all_that_may_go_wrong_are_alike() throws Exception {
        Map<String, Set<List<String>>> histories = new HashMap<>();
        for (int run = 0; run < 1_000; run++) {
            alpha.reset();
            alpha.delay("HotelDesk.book", Duration.ofSeconds(10)).times(2);
            alpha.fail("AlikeTest.SeatDesk.book").afterEffect().times(2);
            alpha.delay("CarDesk.cancel", Duration.ofSeconds(5)).times(2);
            alpha.repeat("CarDesk.cancel").times(2);
            alpha.fail("HotelDesk.cancel").afterEffect().times(2);

            CountDownLatch cars = new CountDownLatch(2);
            List<CompletableFuture<Void>> both = List.of(
                    CompletableFuture.runAsync(() -> tours.undoneAtOnce("Ada", cars), THREADS),
                    CompletableFuture.runAsync(() -> tours.undoneInTurn("Bob", cars), THREADS));
            cars.await();
            alpha.advance(Duration.ofSeconds(10));
            assertThat(both).allSatisfy(each -> assertThat(each).failsWithin(Duration.ofSeconds(30)));
            alpha.advance(Duration.ofMinutes(1));

            assertThat(saga("Ada")).compensated("AlikeTest.SeatDesk.book", "HotelDesk.book", "CarDesk.book");
            assertThat(saga("Bob")).compensated("AlikeTest.SeatDesk.book", "CarDesk.book", "HotelDesk.book");
            for (TestSaga saga : alpha.sagas()) {
                histories
                        .computeIfAbsent(saga.businessKey(), any -> new HashSet<>())
                        .add(saga.history());
            }
            alpha.requireTroublesHappened();
        }
        assertThat(histories)
                .hasSize(2)
                .allSatisfy((guest, all) -> assertThat(all).hasSize(1));
    }

    private TestSaga saga(String guest) {
        return alpha.sagas().stream()
                .filter(each -> each.businessKey().equals(guest))
                .findFirst()
                .orElseThrow();
    }
}
