package io.alphaomega.omega.transport;

import static io.alphaomega.omega.test.OmegaAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.alphaomega.omega.Compensable;
import io.alphaomega.omega.context.SagaCarrier;
import io.alphaomega.omega.context.SagaHeaders;
import io.alphaomega.omega.test.TestAlpha;
import io.alphaomega.omega.transport.kafka.SagaRecords;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.kafka.core.ConsumerFactory;
import org.springframework.kafka.core.KafkaTemplate;
import org.springframework.kafka.core.ProducerFactory;

/** Sagas of the records that a listener of Kafka gets several of at a time. */
@KafkaShop
@ExtendWith(OutputCaptureExtension.class)
class KafkaBatchTest {
    @Autowired
    private ProducerFactory<String, String> producers;

    @Autowired
    private ConsumerFactory<String, String> consumers;

    private KafkaTemplate<String, String> together;

    @Autowired
    private Orders orders;

    @Autowired
    private Stock stock;

    @Autowired
    private Batches batches;

    @Autowired
    private TestAlpha alpha;

    private final String item = UUID.randomUUID().toString();
    private final String next = UUID.randomUUID().toString();

    static class Batches {
        private final SagaCarrier sagas;
        private final Stock stock;
        private final Orders orders;
        private final List<List<String>> heard = new CopyOnWriteArrayList<>();
        private volatile String failsOnce = "";

        Batches(SagaCarrier sagas, Stock stock, Orders orders) {
            this.sagas = sagas;
            this.stock = stock;
            this.orders = orders;
        }

        @KafkaListener(id = "each", idIsGroup = false, topics = "each", batch = "true")
        void each(List<ConsumerRecord<String, String>> batch) {
            heard.add(batch.stream().map(ConsumerRecord::value).toList());
            for (ConsumerRecord<String, String> order : batch) {
                SagaRecords.handle(sagas, order, () -> {
                    stock.take(order.value());
                    if (order.value().equals(failsOnce)) {
                        failsOnce = "";
                        throw new IllegalStateException("not yet");
                    }
                    orders.close();
                    return null;
                });
            }
        }

        long heard(String item) {
            return heard.stream().flatMap(List::stream).filter(item::equals).count();
        }
    }

    /** What does not start. */
    static class Mistaken {
        @KafkaListener(topics = "each", batch = "true", autoStartup = "false")
        @Compensable(compensationMethod = "undo")
        public void take(List<String> items) {}

        public void undo(List<String> items) {}
    }

    @BeforeEach
    void connect() {
        batches.failsOnce = "";
        together = new KafkaTemplate<>(producers, Map.of(ProducerConfig.LINGER_MS_CONFIG, 60_000));
    }

    @AfterEach
    void disconnect() {
        together.destroy();
    }

    @Test
    void each_record_of_a_batch_is_handled_in_its_own_saga(CapturedOutput output) {
        together(() -> {
            orders.open(() -> send(item));
            orders.open(() -> send(next));
        });
        await().until(() -> stock.taken(next) == 1);
        alpha.awaitSagas(2);
        assertThat(alpha.sagas())
                .hasSize(2)
                .allSatisfy(saga -> assertThat(saga).committed().history().containsOnlyOnce("Stock.take ended"));
        assertThat(stock.taken(item)).isOne();
        assertThat(batches.heard).contains(List.of(item, next));
        assertThat(output.getOut()).doesNotContain("of [each] takes messages in batches");
    }

    @Test
    void a_record_that_fails_comes_again_as_the_same_call_and_those_before_it_do_not() {
        batches.failsOnce = next;
        together(() -> {
            orders.open(() -> send(item));
            orders.open(() -> send(next));
        });
        alpha.awaitSagas(2);
        assertThat(alpha.sagas()).hasSize(2).allSatisfy(saga -> assertThat(saga).committed());
        assertThat(batches.heard(item)).isOne();
        assertThat(batches.heard(next)).isEqualTo(2);
        assertThat(stock.taken(next)).isOne();
    }

    @Test
    void the_record_of_a_saga_that_is_aborted_is_done_with_and_the_others_are_handled() {
        together(() -> {
            assertThatThrownBy(() -> orders.open(() -> {
                send(item);
                throw new IllegalStateException("changed my mind");
            }));
            orders.open(() -> send(next));
        });
        await().until(() -> stock.taken(next) == 1);
        assertThat(batches.heard(item)).isOne();
        assertThat(stock.taken(item)).isZero();
    }

    @Test
    void a_record_with_malformed_headers_goes_to_the_dead_letters_and_the_others_are_handled() {
        ProducerRecord<String, String> malformed = new ProducerRecord<>("each", item);
        malformed.headers().add(SagaHeaders.SAGA, "sa ga".getBytes(StandardCharsets.UTF_8));
        together(() -> {
            CompletableFuture<?> unused = together.send(malformed);
            orders.open(() -> send(next));
        });
        await().until(() -> stock.taken(next) == 1);
        KafkaTemplate<String, String> reader = new KafkaTemplate<>(producers);
        reader.setConsumerFactory(consumers);
        ConsumerRecord<?, ?> dead = Objects.requireNonNull(reader.receive("each-dlt", 0, 0, Duration.ofMinutes(1)));
        assertThat(dead.value()).isEqualTo(item);
        assertThat(batches.heard(item)).as("not tried again").isOne();
        assertThat(stock.taken(item)).isZero();
    }

    @Test
    void a_listener_of_batches_that_is_a_branch_does_not_start() {
        SpringApplicationBuilder shop =
                new SpringApplicationBuilder(Shop.class, Mistaken.class).web(WebApplicationType.NONE);
        assertThatThrownBy(shop::run)
                .hasStackTraceContaining("KafkaBatchTest.Mistaken.take(List) is @Compensable, but as @KafkaListener it"
                        + " takes messages in batches");
    }

    /** So that records are written, and so consumed, in one batch. */
    private void together(Runnable sending) {
        sending.run();
        together.flush();
    }

    private void send(String order) {
        CompletableFuture<?> unused = together.send("each", order);
    }
}
