package io.alphaomega.omega.test;

import static io.alphaomega.omega.test.OmegaAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.alphaomega.omega.SagaAbortedException;
import io.alphaomega.omega.SagaException;
import io.alphaomega.omega.SagaOutcome;
import io.alphaomega.omega.SagaRepeatedException;
import io.alphaomega.omega.SagaSettings;
import io.alphaomega.omega.SagaStart;
import io.alphaomega.omega.SagaTemplate;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.annotation.Import;

/** Sagas that are started again with a business key of which there may be only one. */
@SpringBootTest(classes = UniqueTest.App.class, properties = "spring.application.name=orders")
@OmegaTest
class UniqueTest {
    private static final Duration LIMIT = Duration.ofSeconds(30);

    @SpringBootConfiguration
    @EnableAutoConfiguration
    @Import({HotelDesk.class, Ledger.class, Orders.class})
    static class App {}

    static class Orders {
        private final HotelDesk hotel;

        Orders(HotelDesk hotel) {
            this.hotel = hotel;
        }

        @SagaStart(businessKey = "#order", unique = true)
        public void take(@Nullable String order) {
            hotel.book(String.valueOf(order));
        }

        @SagaStart(businessKey = "#order", unique = true)
        public String confirm(String order, Runnable then) {
            hotel.book(order);
            then.run();
            return "confirmed";
        }

        @SagaStart(businessKey = "#order", unique = true, autoClose = false)
        public void open(String order) {
            hotel.book(order);
        }

        @SagaStart(businessKey = "#order", unique = true)
        public CompletableFuture<String> later(String order) {
            hotel.book(order);
            return CompletableFuture.completedFuture("confirmed");
        }
    }

    @Autowired
    private Orders orders;

    @Autowired
    private HotelDesk hotel;

    @Autowired
    private SagaTemplate sagas;

    @Autowired
    private Ledger ledger;

    @Autowired
    private TestAlpha alpha;

    private final String order = UUID.randomUUID().toString();

    /** How often. */
    private long booked() {
        return ledger.all().stream().filter(("room for " + order)::equals).count();
    }

    @Test
    void a_repeated_start_of_a_committed_saga_does_not_run_and_returns() {
        orders.take(order);
        orders.take(order);
        assertThat(booked()).isOne();
        assertThat(alpha.saga()).committed();
        assertThat(sagas.outcome("orders", "UniqueTest.Orders.take", order).state())
                .isEqualTo(SagaOutcome.State.COMMITTED);
        assertThat(sagas.outcome("orders", "UniqueTest.Orders.take", "another").state())
                .isEqualTo(SagaOutcome.State.UNKNOWN);
    }

    @Test
    void what_would_have_to_return_something_says_that_it_was_repeated() {
        assertThat(orders.confirm(order, () -> {})).isEqualTo("confirmed");
        assertRepeated(() -> orders.confirm(order, () -> {}), SagaOutcome.State.COMMITTED);
        orders.take(order); // Another method has other sagas.
        assertThat(orders.later(order)).succeedsWithin(LIMIT).isEqualTo("confirmed");
        assertThat(orders.later(order))
                .failsWithin(LIMIT)
                .withThrowableThat()
                .withCauseInstanceOf(SagaRepeatedException.class);
        assertThat(booked()).isEqualTo(3);
    }

    @Test
    void a_repeated_start_of_an_aborted_saga_is_told_so() {
        assertThatThrownBy(() -> orders.confirm(order, () -> {
                    throw new IllegalStateException("changed my mind");
                }))
                .isInstanceOf(IllegalStateException.class);
        assertThatExceptionOfType(SagaAbortedException.class)
                .isThrownBy(() -> orders.confirm(order, () -> {}))
                .withMessageContaining("changed my mind");
        assertThat(alpha.saga()).compensated("HotelDesk.book");
    }

    @Test
    void a_repeated_start_of_an_open_saga_waits_for_nothing() {
        orders.open(order);
        assertRepeated(() -> orders.open(order), SagaOutcome.State.OPEN);
        assertThat(booked()).isOne();
    }

    @Test
    void of_starts_side_by_side_one_runs() throws Exception {
        CountDownLatch running = new CountDownLatch(1);
        CountDownLatch refused = new CountDownLatch(1);
        CompletableFuture<String> first = CompletableFuture.supplyAsync(() -> orders.confirm(order, () -> {
            running.countDown();
            await(refused);
        }));
        running.await();
        assertRepeated(() -> orders.confirm(order, () -> {}), SagaOutcome.State.OPEN);
        refused.countDown();
        assertThat(first.join()).isEqualTo("confirmed");
        assertThat(booked()).isOne();
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void without_a_key_it_does_not_run() {
        for (String none : List.of("", "x".repeat(257))) {
            assertThatThrownBy(() -> orders.take(none))
                    .isInstanceOf(SagaException.class)
                    .hasMessageContaining("is unique and must have 1 to 256 characters")
                    .hasMessageContaining("it did not run");
        }
        assertThatThrownBy(() -> orders.take(null)).isInstanceOf(SagaException.class);
        assertThat(alpha.sagas()).isEmpty();
    }

    @Test
    void code_may_say_so_too() {
        SagaSettings settings = SagaSettings.named("order").businessKey(order).unique();
        for (int times = 0; times < 2; times++) {
            sagas.executeWithoutResult(settings, saga -> hotel.book(order));
        }
        assertRepeated(() -> sagas.execute(settings, saga -> "again"), SagaOutcome.State.COMMITTED);
        assertThat(booked()).isOne();
        assertThat(sagas.outcome("orders", "order", order).isDecided()).isTrue();
        assertThatThrownBy(() -> sagas.execute(SagaSettings.named("order").unique(), saga -> "no key"))
                .isInstanceOf(SagaException.class);
    }

    private static void assertRepeated(Runnable start, SagaOutcome.State state) {
        assertThatExceptionOfType(SagaRepeatedException.class)
                .isThrownBy(start::run)
                .withMessageContaining("was started before")
                .satisfies(repeated -> assertThat(repeated.outcome().state()).isEqualTo(state));
    }
}
