package io.alphaomega.omega.test;

import static io.alphaomega.omega.test.OmegaAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.alphaomega.omega.Compensable;
import io.alphaomega.omega.CompensationArgument;
import io.alphaomega.omega.CompensationHandler;
import io.alphaomega.omega.Omega;
import io.alphaomega.omega.OpenSaga;
import io.alphaomega.omega.SagaAbortedException;
import io.alphaomega.omega.SagaException;
import io.alphaomega.omega.SagaOutcome;
import io.alphaomega.omega.SagaPropagation;
import io.alphaomega.omega.SagaSettings;
import io.alphaomega.omega.SagaStart;
import io.alphaomega.omega.SagaTemplate;
import io.alphaomega.omega.SagaWork;
import io.alphaomega.saga.SagaEvent;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.core.ParameterizedTypeReference;

/** Sagas that code runs by itself, in a service that encrypts what alpha keeps. */
@SpringBootTest(
        classes = TemplateTest.App.class,
        properties = {
            "omega.fence.retention=20d",
            "omega.payload.encryption.active-key=k1",
            "omega.payload.encryption.keys.k1=MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE="
        })
@OmegaTest
class TemplateTest {
    private static final SagaSettings TRIP = SagaSettings.named("Trips.fly").timeout(Duration.ofMinutes(1));

    record Flight(String guest, int seats) {}

    @SpringBootConfiguration
    @EnableAutoConfiguration
    @Import({HotelDesk.class, Ledger.class, PaymentDesk.class, Joining.class})
    static class App {
        @Bean
        CompensationHandler<Flight> cancelFlight(Ledger ledger) {
            return CompensationHandler.of(
                    "flight.cancel",
                    Flight.class,
                    flight -> ledger.add("no " + flight.seats() + " seats for " + flight.guest()));
        }

        @Bean
        CompensationHandler<List<Flight>> cancelFlights(Ledger ledger) {
            return CompensationHandler.of(
                    "flights.cancel",
                    new ParameterizedTypeReference<List<Flight>>() {},
                    flights -> ledger.add("no flights, " + flights.get(1).guest()));
        }
    }

    static class Joining {
        @SagaStart
        public void run(Runnable business) {
            business.run();
        }
    }

    record Order(String id, String card) {}

    static class PaymentDesk {
        private final Ledger ledger;

        PaymentDesk(Ledger ledger) {
            this.ledger = ledger;
        }

        @Compensable(compensationMethod = "refund")
        public String charge(Order order, Thread by) {
            ledger.add("charged " + order.card());
            return "receipt of " + order.id();
        }

        public void refund(@CompensationArgument("#order.id") String order, String receipt) {
            ledger.add("refunded " + order + ", " + receipt);
        }
    }

    @Autowired
    private SagaTemplate sagas;

    @Autowired
    private CompensationHandler<Flight> cancelFlight;

    @Autowired
    private CompensationHandler<List<Flight>> cancelFlights;

    @Autowired
    private HotelDesk hotel;

    @Autowired
    private PaymentDesk payment;

    @Autowired
    private Joining joining;

    @Autowired
    private Omega omega;

    @Autowired
    private Ledger ledger;

    @Autowired
    private TestAlpha alpha;

    @BeforeEach
    void nothing_done() {
        ledger.clear();
    }

    private void fly(OpenSaga saga, String guest) {
        saga.branch("flight")
                .compensateWith(cancelFlight, new Flight(guest, 2))
                .run(() -> ledger.add("seats for " + guest));
    }

    @Test
    void a_saga_commits_and_its_result_is_what_the_work_returns() {
        int seats = sagas.execute(TRIP.businessKey("trip of Ada"), saga -> {
            hotel.book("Ada");
            fly(saga, "Ada");
            return saga.branch("upgrade")
                    .compensateWith(cancelFlight, new Flight("Ada", 1))
                    .call(Integer.class, () -> 3);
        });

        assertThat(seats).isEqualTo(3);
        assertThat(alpha.saga())
                .committed()
                .history()
                .containsExactly(
                        "Trips.fly began",
                        "HotelDesk.book began",
                        "HotelDesk.book ended",
                        "flight began",
                        "flight ended",
                        "upgrade began",
                        "upgrade ended",
                        "commit asked for",
                        "committed",
                        "ended committed");
        assertThat(alpha.saga().businessKey()).isEqualTo("trip of Ada");
        assertThat(sagas.outcome(alpha.saga().id()).state()).isEqualTo(SagaOutcome.State.COMMITTED);
    }

    @Test
    void an_exception_is_thrown_as_it_is_declared_and_handlers_undo_what_was_done_once() {
        alpha.repeat("flight.cancel");
        alpha.fail("flights.cancel");

        assertThatExceptionOfType(TimeoutException.class).isThrownBy(() -> book("Ada"));
        alpha.advance(Duration.ofMinutes(1));

        assertThat(alpha.saga()).compensated("flights", "flight", "HotelDesk.book");
        assertThat(ledger.all())
                .containsExactly(
                        "room for Ada",
                        "seats for Ada",
                        "flights",
                        "no flights, Ada",
                        "no 2 seats for Ada",
                        "no room for Ada");
        SagaOutcome outcome = sagas.outcome(alpha.saga().id());
        assertThat(outcome.state()).isEqualTo(SagaOutcome.State.ABORTED);
        assertThat(outcome.aborted().orElseThrow().reason()).isEqualTo(SagaAbortedException.Cause.INITIATOR);
        assertThat(outcome.aborted().orElseThrow().text()).contains("no answer");
    }

    private void book(String guest) throws TimeoutException {
        sagas.executeWithoutResult(TRIP, saga -> {
            hotel.book(guest);
            fly(saga, guest);
            saga.branch("flights")
                    .compensateWith(cancelFlights, List.of(new Flight("Bob", 1), new Flight(guest, 1)))
                    .run(() -> ledger.add("flights"));
            throw new TimeoutException("no answer");
        });
    }

    @Test
    void a_branch_that_throws_is_not_undone_unless_it_says_so() {
        assertThatIllegalStateException()
                .isThrownBy(() -> sagas.executeWithoutResult(
                        TRIP,
                        saga -> saga.branch("flight")
                                .compensateWith(cancelFlight, new Flight("Ada", 1))
                                .run(TemplateTest::refuse)));
        assertThat(alpha.saga()).compensatedNothing();

        assertThatIllegalStateException()
                .isThrownBy(() -> sagas.executeWithoutResult(
                        TRIP,
                        saga -> saga.branch("flight")
                                .compensateWith(cancelFlight, new Flight("Bob", 1))
                                .compensateOnException()
                                .run(TemplateTest::refuse)));
        assertThat(alpha.sagas().getLast()).compensated("flight");
        assertThat(ledger.all()).containsExactly("no 1 seats for Bob");
    }

    @Test
    void a_handler_that_is_no_bean_is_refused_before_anything_runs() {
        CompensationHandler<Flight> unknown = CompensationHandler.of("flight.cancel", Flight.class, flight -> {});

        assertThatExceptionOfType(SagaException.class)
                .isThrownBy(() -> sagas.executeWithoutResult(
                        TRIP,
                        saga -> saga.branch("flight")
                                .compensateWith(unknown, new Flight("Ada", 1))
                                .run(() -> ledger.add("flight"))))
                .withMessageContaining("flight did not run")
                .withMessageContaining("@Bean");

        assertThat(ledger.all()).isEmpty();
        assertThat(alpha.sagas()).isEmpty();
    }

    @Test
    void the_work_may_join_the_saga_it_is_called_in() {
        joining.run(() -> {
            hotel.book("Ada");
            sagas.executeWithoutResult(
                    SagaSettings.named("Trips.fly").propagation(SagaPropagation.MANDATORY), saga -> fly(saga, "Ada"));
            SagaSettings open = TRIP.propagation(SagaPropagation.REQUIRED).leftOpen();
            assertThatExceptionOfType(SagaException.class)
                    .isThrownBy(() -> sagas.executeWithoutResult(open.noAbortFor(SagaException.class), OpenSaga::end))
                    .withMessageContaining("ends with the code that began it");
        });

        assertThat(alpha.saga()).committed().history().contains("HotelDesk.book ended", "flight ended");
        assertThat(alpha.saga().operation()).isEqualTo("TemplateTest.Joining.run");
    }

    @Test
    void any_thread_may_run_a_branch_of_it() {
        sagas.executeWithoutResult(
                TRIP,
                saga -> CompletableFuture.runAsync(() -> {
                            fly(saga, "Ada");
                            assertThat(saga.id()).isPresent();
                            assertThat(omega.sagaId()).isEmpty();
                        })
                        .join());

        assertThat(alpha.saga()).committed();
        assertThat(ledger.all()).containsExactly("seats for Ada");
    }

    @Test
    void it_is_aborted_by_its_own_code() {
        assertThatExceptionOfType(SagaAbortedException.class)
                .isThrownBy(() -> sagas.executeWithoutResult(TRIP, saga -> {
                    fly(saga, "Ada");
                    saga.abort("changed their mind");
                }))
                .withMessageContaining("changed their mind");
        assertThat(alpha.saga()).compensated("flight");
    }

    @Test
    void outside_of_sagas_a_branch_is_an_ordinary_call() {
        sagas.executeWithoutResult(SagaSettings.named("Trips.look").propagation(SagaPropagation.SUPPORTS), saga -> {
            assertThat(saga.id()).isEmpty();
            fly(saga, "Ada");
        });

        assertThat(alpha.sagas()).isEmpty();
        assertThat(ledger.all()).containsExactly("seats for Ada");
    }

    @Test
    void a_saga_that_was_left_open_goes_on_elsewhere_and_what_comes_again_runs_once() {
        String id = sagas.execute(TRIP.leftOpen(), saga -> {
            fly(saga, "Ada");
            return saga.id().orElseThrow();
        });
        assertThat(alpha.saga()).active();
        assertThat(sagas.outcome(id).state()).isEqualTo(SagaOutcome.State.OPEN);

        for (int delivery = 1; delivery <= 2; delivery++) {
            String paid = sagas.resume(
                    id, "payment 7", saga -> payment.charge(new Order("o-1", "4711"), Thread.currentThread()));
            assertThat(paid).isEqualTo("receipt of o-1");
        }
        sagas.<Object, RuntimeException>resume(id, "the end", saga -> {
            saga.end();
            return id;
        });

        assertThat(alpha.saga()).committed();
        assertThat(ledger.all()).containsExactly("seats for Ada", "charged 4711");
        assertThatExceptionOfType(SagaException.class)
                .isThrownBy(() -> sagas.resume(id, "too late", saga -> "nothing"))
                .withMessageContaining("is committed");
    }

    @Test
    void nothing_goes_on_in_a_saga_that_is_aborted_or_that_alpha_does_not_know() {
        AtomicReference<String> id = new AtomicReference<>();
        assertThatIllegalStateException()
                .isThrownBy(() -> sagas.executeWithoutResult(TRIP, saga -> {
                    id.set(saga.id().orElseThrow());
                    fly(saga, "Ada");
                    refuse();
                }));

        assertThatExceptionOfType(SagaAbortedException.class)
                .isThrownBy(() -> sagas.resume(id.get(), "key", saga -> "nothing"));
        assertThat(sagas.outcome("nobody-began-it").state()).isEqualTo(SagaOutcome.State.UNKNOWN);
        assertThatExceptionOfType(SagaException.class)
                .isThrownBy(() -> sagas.resume("nobody-began-it", "key", saga -> "nothing"))
                .withMessageContaining("has not heard");
    }

    @Test
    void a_compensation_is_told_what_it_declares_and_nothing_else_leaves_the_service_readable() {
        assertThatIllegalStateException()
                .isThrownBy(() -> sagas.executeWithoutResult(TRIP, saga -> {
                    payment.charge(new Order("o-1", "4711"), Thread.currentThread());
                    refuse();
                }));

        assertThat(alpha.saga()).compensated("TemplateTest.PaymentDesk.charge");
        assertThat(ledger.all()).containsExactly("charged 4711", "refunded o-1, receipt of o-1");
        List<String> kept = alpha.saga().events().stream()
                .filter(SagaEvent.BranchBegan.class::isInstance)
                .map(event ->
                        new String(((SagaEvent.BranchBegan) event).arguments().bytes(), StandardCharsets.UTF_8))
                .toList();
        assertThat(kept)
                .singleElement()
                .asString()
                .startsWith("[\"aes-gcm:1:k1:")
                .doesNotContain("o-1", "4711");
    }

    @Test
    void settings_that_mean_nothing_are_refused_before_anything_runs() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> sagas.executeWithoutResult(
                        TRIP.propagation(SagaPropagation.NEVER).abortFor(RuntimeException.class),
                        saga -> ledger.add("ran")))
                .withMessageContainingAll("Trips.fly", "a timeout, abortFor", "NEVER");
        assertThatIllegalArgumentException()
                .isThrownBy(
                        () -> sagas.executeWithoutResult(TRIP.timeout(Duration.ofDays(30)), saga -> ledger.add("ran")))
                .withMessageContaining("omega.fence.retention");
        assertThat(ledger.all()).isEmpty();
    }

    @Test
    void a_branch_whose_row_might_be_gone_before_it_is_undone_does_not_run() {
        SagaWork.WithoutResult<RuntimeException> slow = saga -> saga.branch("flight")
                .compensateWith(cancelFlight, new Flight("Ada", 1))
                .timeout(Duration.ofDays(20))
                .run(() -> ledger.add("ran"));
        assertThatExceptionOfType(SagaException.class)
                .isThrownBy(() -> sagas.executeWithoutResult(TRIP, slow))
                .withMessageStartingWith("flight did not run: omega.fence.retention is PT480H, but the saga")
                .withMessageContaining("may be compensated up to PT504H after that");
        assertThat(ledger.all()).isEmpty();
        assertThat(alpha.sagas()).isEmpty();

        sagas.executeWithoutResult(
                TRIP,
                saga -> saga.branch("flight")
                        .compensateWith(cancelFlight, new Flight("Ada", 1))
                        .timeout(Duration.ofDays(20))
                        .unfenced()
                        .run(() -> ledger.add("ran")));
        assertThat(ledger.all()).containsExactly("ran");
    }

    @Test
    void nothing_is_taken_for_done_that_is_only_promised() {
        CompletableFuture<String> promise = new CompletableFuture<>();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> sagas.executeWithoutResult(
                        TRIP,
                        saga -> saga.branch("flight")
                                .compensateWith(cancelFlight, new Flight("Ada", 1))
                                .call(CompletableFuture.class, () -> promise)))
                .withMessageContaining("flight returns a CompletableFuture");
        assertThat(ledger.all()).isEmpty();

        assertThatExceptionOfType(SagaException.class)
                .isThrownBy(() -> sagas.execute(TRIP, saga -> {
                    fly(saga, "Ada");
                    return promise;
                }))
                .withMessageContaining("Trips.fly returned a CompletableFuture");
        assertThat(alpha.sagas().getLast()).compensated("flight");
    }

    private static void refuse() {
        throw new IllegalStateException("no seat left");
    }
}
