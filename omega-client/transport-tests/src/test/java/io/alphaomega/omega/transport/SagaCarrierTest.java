package io.alphaomega.omega.transport;

import static io.alphaomega.omega.test.OmegaAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.alphaomega.omega.Omega;
import io.alphaomega.omega.SagaException;
import io.alphaomega.omega.SagaStart;
import io.alphaomega.omega.context.MalformedSagaHeadersException;
import io.alphaomega.omega.context.SagaCarrier;
import io.alphaomega.omega.context.SagaHeaders;
import io.alphaomega.omega.test.OmegaTest;
import io.alphaomega.omega.test.TestAlpha;
import io.alphaomega.omega.transport.Telegraph.Telegram;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.scheduling.config.ScheduledTaskHolder;
import reactor.core.publisher.Mono;

/** Sagas that travel by what omega has nothing of its own for, and sagas that nobody's call begins. */
@SpringBootTest(classes = CalledShop.class, webEnvironment = SpringBootTest.WebEnvironment.RANDOM_PORT)
@OmegaTest
class SagaCarrierTest {
    @Autowired
    private SagaCarrier sagas;

    @Autowired
    private Telegraph telegraph;

    @Autowired
    private Orders orders;

    @Autowired
    private Stock stock;

    @Autowired
    private Omega omega;

    @Autowired
    private TestAlpha alpha;

    private final String item = UUID.randomUUID().toString();

    /** What the clock calls, and no other service. */
    static class Inventory {
        private final Stock stock;

        Inventory(Stock stock) {
            this.stock = stock;
        }

        @SagaStart
        @Scheduled(initialDelayString = "1d", fixedDelayString = "1d")
        public void count() {
            stock.take("counted");
        }
    }

    @Test
    void a_call_takes_the_saga_along_and_its_answer_brings_the_reports() {
        TravellingEnd.assertOf(wanted -> telegraph.ask("York", wanted), orders, stock, alpha);
    }

    @Test
    void what_is_sent_again_is_the_same_call_and_the_next_call_is_another() {
        orders.run(() -> {
            SagaCarrier.Call call = sagas.call("TELEGRAM York");
            String first = injected(call).get(SagaHeaders.CALL);
            assertThat(injected(call)).containsEntry(SagaHeaders.CALL, first);
            assertThat(injected(sagas.call("TELEGRAM York")).get(SagaHeaders.CALL))
                    .isNotEqualTo(first);

            Map<String, String> headers = new HashMap<>();
            sagas.send("TELEGRAM York", SagaCarrier.Headers.of(headers));
            for (int times = 0; times < 2; times++) {
                Elsewhere.run(() -> telegraph.receive(new Telegram(headers, item)));
            }
        });
        assertThat(stock.taken(item)).isOne();
    }

    @Test
    void work_must_be_done_when_it_returns() {
        orders.open(() -> {
            Map<String, String> headers = injected(sagas.call("TELEGRAM York"));
            assertThatThrownBy(() -> sagas.receive(headers::get, "1", () -> Mono.just("later")))
                    .isInstanceOf(SagaException.class)
                    .hasMessageContaining("for which nothing here would wait")
                    .hasMessageContaining("return the plain value");
            assertThatThrownBy(
                            () -> sagas.serve(headers::get, headers::put, () -> CompletableFuture.runAsync(() -> {})))
                    .isInstanceOf(SagaException.class);
        });
        assertThat(sagas.receive(name -> null, "2", () -> Mono.just("outside of sagas"))
                        .block())
                .isEqualTo("outside of sagas");
    }

    @Test
    void calls_of_one_key_are_one_call_and_the_key_stays_here() {
        orders.run(() -> {
            Map<String, String> headers = new HashMap<>(Map.of(SagaHeaders.KEY, "order 4711"));
            sagas.send("TELEGRAM York", SagaCarrier.Headers.of(headers));
            Map<String, String> again = new HashMap<>(Map.of(SagaHeaders.KEY, "order 4711"));
            sagas.send("TELEGRAM York", SagaCarrier.Headers.of(again));
            assertThat(headers).doesNotContainKey(SagaHeaders.KEY);
            assertThat(again).containsEntry(SagaHeaders.CALL, headers.get(SagaHeaders.CALL));
        });
    }

    @Test
    void the_branches_of_a_message_report_by_themselves() {
        orders.open(() -> {
            Map<String, String> headers = new HashMap<>();
            sagas.send("TELEGRAM York", SagaCarrier.Headers.of(headers));
            String done = Elsewhere.run(() -> sagas.receive(headers::get, "message 1", () -> {
                stock.take(item);
                return "done";
            }));
            assertThat(done).isEqualTo("done");
            assertThat(alpha.saga().history()).contains("Stock.take ended");
        });
        assertThat(alpha.saga()).active();
    }

    @Test
    void what_names_no_saga_is_done_outside_of_sagas() {
        String found =
                sagas.receive(name -> null, "message 1", () -> omega.sagaId().orElse("none"));
        assertThat(found).isEqualTo("none");
        telegraph.receive(new Telegram(Map.of(), item));
        assertThat(stock.taken(item)).isOne();
        assertThat(alpha.sagas()).isEmpty();
    }

    @Test
    void malformed_headers_are_refused_with_a_sentence_and_nothing_is_done() {
        for (String[] malformed : new String[][] {
            {SagaHeaders.SAGA, "sa ga"}, {SagaHeaders.BRANCH, "<b>"}, {SagaHeaders.CALL, ""}, {SagaHeaders.CARRIED, "?"}
        }) {
            Map<String, String> headers = new HashMap<>(Map.of(SagaHeaders.SAGA, "saga-1"));
            headers.put(malformed[0], malformed[1]);
            assertThatThrownBy(() -> telegraph.receive(new Telegram(headers, item)))
                    .isInstanceOf(MalformedSagaHeadersException.class)
                    .hasMessageStartingWith("Header " + malformed[0] + " must be ")
                    .hasMessageNotContaining("<b>");
        }
        assertThat(stock.taken(item)).isZero();
    }

    @Test
    void what_others_have_copied_gives_way_outside_of_sagas_too() {
        Map<String, String> headers =
                new HashMap<>(Map.of(SagaHeaders.SAGA, "s", SagaHeaders.CALL, "c", SagaHeaders.CARRIED, "x"));
        sagas.send("TELEGRAM York", SagaCarrier.Headers.of(headers));
        assertThat(headers).containsOnlyKeys(SagaHeaders.SAGA);
    }

    @Test
    void a_saga_that_is_aborted_undoes_what_was_done_for_a_call() {
        assertThatThrownBy(() -> orders.run(() -> {
            telegraph.ask("York", item);
            throw new IllegalStateException("changed my mind");
        }));
        assertThat(alpha.saga()).compensated("Stock.take");
        assertThat(stock.taken(item)).isZero();
    }

    @Test
    void a_scheduled_method_begins_a_saga_each_time(@Autowired ScheduledTaskHolder clock) {
        Runnable count = clock.getScheduledTasks().iterator().next().getTask().getRunnable();
        count.run();
        count.run();
        // Alpha may only now be told of a saga that another test has left open.
        assertThat(alpha.sagas())
                .filteredOn(saga -> saga.operation().equals("SagaCarrierTest.Inventory.count"))
                .hasSize(2)
                .allSatisfy(saga -> assertThat(saga).committed());
    }

    private static Map<String, String> injected(SagaCarrier.Call call) {
        Map<String, String> headers = new HashMap<>();
        call.inject(SagaCarrier.Headers.of(headers));
        return headers;
    }
}
