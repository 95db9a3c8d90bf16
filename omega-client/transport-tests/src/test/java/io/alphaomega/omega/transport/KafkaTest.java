package io.alphaomega.omega.transport;

import static io.alphaomega.omega.test.OmegaAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.alphaomega.omega.SagaStart;
import io.alphaomega.omega.context.SagaHeaders;
import io.alphaomega.omega.test.TestAlpha;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.kafka.config.ConcurrentKafkaListenerContainerFactory;
import org.springframework.kafka.config.KafkaListenerEndpointRegistry;
import org.springframework.kafka.core.ConsumerFactory;
import org.springframework.kafka.core.DefaultKafkaConsumerFactory;
import org.springframework.kafka.core.DefaultKafkaProducerFactory;
import org.springframework.kafka.core.KafkaTemplate;
import org.springframework.kafka.core.ProducerFactory;
import org.springframework.kafka.listener.ContainerProperties;
import org.springframework.kafka.listener.DeadLetterPublishingRecoverer;
import org.springframework.kafka.listener.DefaultErrorHandler;
import org.springframework.kafka.listener.MessageListenerContainer;
import org.springframework.kafka.support.Acknowledgment;
import org.springframework.kafka.support.KafkaHeaders;
import org.springframework.util.backoff.FixedBackOff;

/** Sagas over a real broker of Kafka. */
@KafkaShop
@ExtendWith(OutputCaptureExtension.class)
class KafkaTest {
    @Autowired
    private KafkaTemplate<String, String> kafka;

    @Autowired
    private Orders orders;

    @Autowired
    private Stock stock;

    @Autowired
    private Listeners listeners;

    @Autowired
    private KafkaListenerEndpointRegistry registry;

    @Autowired
    private TestAlpha alpha;

    private final String item = UUID.randomUUID().toString();

    static class Listeners {
        private final Stock stock;
        private final Orders orders;
        private final List<ConsumerRecord<String, String>> heard = new CopyOnWriteArrayList<>();
        private final List<ConsumerRecord<String, String>> dead = new CopyOnWriteArrayList<>();
        private final List<String> gossip = new CopyOnWriteArrayList<>();
        private final List<String> batched = new CopyOnWriteArrayList<>();
        private volatile boolean failsOnce;

        /** When the saga is committed, and the record not yet acknowledged. */
        private volatile boolean failsAtEnd;

        Listeners(Stock stock, Orders orders) {
            this.stock = stock;
            this.orders = orders;
        }

        @Bean
        static DefaultErrorHandler errorHandler(KafkaTemplate<?, ?> kafka) {
            return new DefaultErrorHandler(new DeadLetterPublishingRecoverer(kafka), new FixedBackOff(0, 2));
        }

        @Bean
        static ConcurrentKafkaListenerContainerFactory<Object, Object> acknowledging(
                BeanFactory beans, ConsumerFactory<Object, Object> consumers) {
            ConcurrentKafkaListenerContainerFactory<Object, Object> factory =
                    BootUnderTest.kafkaListeners(beans, consumers);
            factory.getContainerProperties().setAckMode(ContainerProperties.AckMode.MANUAL_IMMEDIATE);
            return factory;
        }

        /** Of the service's own, and not by Spring Boot's producer factory. */
        @Bean(defaultCandidate = false)
        static KafkaTemplate<String, String> ownTemplate(ProducerFactory<?, ?> producers) {
            return new KafkaTemplate<>(
                    new DefaultKafkaProducerFactory<>(Map.of("bootstrap.servers", "nowhere.invalid:1")));
        }

        @KafkaListener(id = "orders", idIsGroup = false, topics = "orders")
        void order(ConsumerRecord<String, String> order) {
            heard.add(order);
            stock.take(order.value());
            if (failsOnce) {
                failsOnce = false;
                throw new IllegalStateException("not yet");
            }
            orders.close();
            if (failsAtEnd) {
                failsAtEnd = false;
                throw new IllegalStateException("not acknowledged");
            }
        }

        @KafkaListener(topics = "orders-dlt", groupId = "dead")
        void dead(ConsumerRecord<String, String> order) {
            dead.add(order);
        }

        @KafkaListener(topics = "later")
        CompletableFuture<Void> later(String item) {
            return CompletableFuture.runAsync(() -> {
                throw new IllegalStateException("too late");
            });
        }

        @KafkaListener(
                id = "acknowledged",
                topics = "acknowledged",
                containerFactory = "acknowledging",
                properties = "enable.auto.commit=false")
        void acknowledge(ConsumerRecord<String, String> order, Acknowledgment acknowledgment) {
            stock.take(order.value());
            acknowledgment.acknowledge();
        }

        @KafkaListener(topics = "gossip")
        void gossip(String item) {
            gossip.add(item);
        }

        @KafkaListener(topics = "batches", batch = "true")
        void batch(List<String> items) {
            batched.addAll(items);
        }

        long heard(String item) {
            return heard.stream().filter(each -> each.value().equals(item)).count();
        }
    }

    /** What nobody's saga reaches. */
    static class Starts {
        private final Stock stock;

        Starts(Stock stock) {
            this.stock = stock;
        }

        @KafkaListener(topics = "starts")
        @SagaStart
        public void start(String item) {
            stock.take(item);
        }
    }

    @BeforeEach
    void forget() {
        listeners.failsOnce = false;
        listeners.failsAtEnd = false;
    }

    @Test
    void each_repetition_by_advice_is_in_the_saga_and_the_same_branch(@Autowired KafkaRetries retries) {
        orders.open(() -> kafka.send("repeated", item).join());
        alpha.awaitSagas(1);
        assertThat(alpha.saga()).committed().history().containsOnlyOnce("Stock.take ended");
        assertThat(retries.sagas)
                .containsExactlyElementsOf(Collections.nCopies(2, alpha.saga().id()));
        assertThat(stock.taken(item)).isOne();
    }

    @Test
    void a_container_that_comes_from_no_factory_handles_records_in_their_sagas() {
        orders.open(() -> kafka.send("by-hand", item).join());
        alpha.awaitSagas(1);
        assertThat(alpha.saga()).committed().history().contains("Stock.take ended");
        assertThat(stock.taken(item)).isOne();
    }

    @Test
    void a_branch_of_a_batch_that_is_handled_outside_of_its_sagas_is_refused(
            @Autowired ConsumerFactory<String, String> consumers) {
        orders.open(() -> kafka.send("careless", item).join());
        kafka.setConsumerFactory(consumers);
        ConsumerRecord<?, ?> dead = Objects.requireNonNull(kafka.receive("careless-dlt", 0, 0, Duration.ofMinutes(1)));
        assertThat(dead.value()).isEqualTo(item);
        assertThat(stock.taken(item)).isZero();
        assertThat(new String(
                        dead.headers()
                                .lastHeader(KafkaHeaders.DLT_EXCEPTION_STACKTRACE)
                                .value(),
                        StandardCharsets.UTF_8))
                .contains(
                        "Stock.take is @Compensable but was called outside a saga, it did not run. Its thread serves a"
                                + " batch of messages, some of which belong to sagas");
    }

    @Test
    void a_record_takes_the_saga_along_and_its_listener_ends_it() {
        orders.open(() -> send(item));
        alpha.awaitSagas(1);
        assertThat(alpha.saga()).committed().history().contains("Stock.take ended");
        assertThat(stock.taken(item)).isOne();
    }

    @Test
    void a_record_that_comes_again_is_the_same_branch() {
        listeners.failsOnce = true;
        orders.open(() -> send(item));
        await().until(() -> listeners.heard(item) == 2);
        assertThat(alpha.saga()).committed().history().containsOnlyOnce("Stock.take ended");
        assertThat(stock.taken(item)).isOne();
    }

    @Test
    void a_record_that_comes_again_after_the_commit_is_done_with_at_once(CapturedOutput output) {
        listeners.failsAtEnd = true;
        orders.open(() -> send(item));
        String next = UUID.randomUUID().toString();
        await().until(() -> listeners.heard(item) == 2);
        orders.open(() -> send(next));
        await().until(() -> stock.taken(next) == 1);
        assertThat(listeners.heard(item)).isEqualTo(2);
        assertThat(stock.taken(item)).isOne();
        assertThat(dead(item)).isEmpty();
        assertThat(output.getAll())
                .contains("Stock.take of saga " + alpha.sagas().getFirst().id() + " has come again after the commit.");
    }

    @Test
    void two_records_are_two_calls_unless_their_sender_gives_them_a_key() {
        orders.open(() -> {
            for (int times = 0; times < 2; times++) {
                kafka.send("orders-dlt", item).join();
                ProducerRecord<String, String> keyed = new ProducerRecord<>("orders-dlt", item);
                keyed.headers().add(SagaHeaders.KEY, "4711".getBytes(StandardCharsets.UTF_8));
                kafka.send(keyed).join();
            }
        });
        await().until(() -> dead(item).size() == 4);
        List<String> calls =
                dead(item).stream().map(each -> header(each, SagaHeaders.CALL)).toList();
        assertThat(calls.get(1)).isEqualTo(calls.get(3)).isNotEmpty();
        assertThat(calls.stream().distinct()).hasSize(3);
        assertThat(dead(item)).allMatch(each -> each.headers().lastHeader(SagaHeaders.KEY) == null);
    }

    @Test
    void the_record_of_a_saga_that_is_aborted_is_done_with() {
        MessageListenerContainer listening = pause("orders");
        assertThatThrownBy(() -> orders.open(() -> {
            send(item);
            throw new IllegalStateException("changed my mind");
        }));
        String next = UUID.randomUUID().toString();
        orders.open(() -> send(next));
        listening.resume();
        await().until(() -> stock.taken(next) == 1);
        assertThat(listeners.heard(item)).isOne();
        assertThat(stock.taken(item)).isZero();
        assertThat(dead(item)).isEmpty();
    }

    @Test
    void it_is_acknowledged_for_a_listener_that_does_so_itself(@Autowired ConsumerFactory<?, ?> consumers) {
        MessageListenerContainer listening = pause("acknowledged");
        assertThatThrownBy(() -> orders.open(() -> {
            kafka.send("acknowledged", item).join();
            throw new IllegalStateException("changed my mind");
        }));
        listening.resume();
        TopicPartition partition = new TopicPartition("acknowledged", 0);
        try (Consumer<?, ?> reader = consumers.createConsumer("acknowledged", "reader")) {
            await().until(() -> {
                OffsetAndMetadata at = reader.committed(Set.of(partition)).get(partition);
                return at != null && at.offset() == 1;
            });
        }
        assertThat(stock.taken(item)).isZero();
    }

    @Test
    void the_record_of_a_saga_that_is_committed_goes_to_the_dead_letters_and_stays_the_call_it_was() {
        MessageListenerContainer listening = pause("orders");
        orders.run(() -> {
            stock.take("something else");
            send(item);
        });
        listening.resume();
        await().until(() -> !dead(item).isEmpty());
        assertThat(stock.taken(item)).isZero();
        ConsumerRecord<String, String> dead = dead(item).get(0);
        ConsumerRecord<String, String> heard = listeners.heard.stream()
                .filter(each -> each.value().equals(item))
                .findFirst()
                .orElseThrow();
        assertThat(header(dead, SagaHeaders.CALL))
                .isEqualTo(header(heard, SagaHeaders.CALL))
                .isNotEmpty();
        assertThat(header(dead, SagaHeaders.SAGA)).isEqualTo(alpha.saga().id());
    }

    @Test
    void a_record_whose_branch_has_failed_is_done_with_when_it_comes_again() {
        alpha.fail("Stock.take");
        orders.open(() -> send(item));
        String next = UUID.randomUUID().toString();
        await().until(() -> listeners.heard(item) == 2);
        orders.open(() -> send(next));
        await().until(() -> stock.taken(next) == 1);
        assertThat(listeners.heard(item)).isEqualTo(2);
        assertThat(stock.taken(item)).isZero();
        assertThat(dead(item)).isEmpty();
    }

    @Test
    void a_record_with_malformed_headers_is_not_handled_and_not_tried_again(
            @Autowired ConsumerFactory<?, ?> consumers) {
        ProducerRecord<String, String> malformed = new ProducerRecord<>("gossip", item);
        malformed.headers().add(SagaHeaders.SAGA, "sa ga".getBytes(StandardCharsets.UTF_8));
        kafka.send(malformed).join();

        ConsumerRecord<String, String> dead = first("gossip-dlt", consumers);
        assertThat(dead.value()).isEqualTo(item);
        assertThat(header(dead, "kafka_dlt-exception-message"))
                .contains("Header " + SagaHeaders.SAGA + " must be 1 to 64 characters", "the message was not handled");
        assertThat(listeners.gossip).isEmpty();
    }

    @Test
    void a_listener_that_fails_after_it_has_returned_fails_as_ever(
            @Autowired ConsumerFactory<?, ?> consumers, CapturedOutput output) {
        kafka.send("later", item).join();
        if (BootUnderTest.KAFKA_HEARS_OF_LATE_FAILURES) {
            assertThat(first("later-dlt", consumers).value()).isEqualTo(item);
        } else {
            await().until(() -> output.getOut().contains("suspend function was completed with an exception"));
        }
    }

    @Test
    void a_listener_begins_a_saga_for_a_record_that_is_in_none() {
        kafka.send("starts", item).join();
        await().until(() -> stock.taken(item) == 1);
        alpha.awaitSagas(1);
        assertThat(alpha.saga()).committed();
        assertThat(alpha.saga().operation()).isEqualTo("KafkaTest.Starts.start");
    }

    @Test
    void a_listener_of_batches_runs_outside_of_sagas_and_the_log_says_so(CapturedOutput output) {
        orders.open(() -> kafka.send("batches", item).join());
        await().until(() -> listeners.batched.contains(item));
        // Only when the listener has returned is it known that it has handled none in its saga.
        await().untilAsserted(() ->
                assertThat(output.getOut()).contains("of [batches] takes messages in batches and got some of sagas."));
    }

    @Test
    void a_template_that_sends_no_saga_along_is_named_at_start(
            @Autowired @Qualifier("omegaKafkaTemplateCheck") SmartInitializingSingleton check, CapturedOutput output) {
        check.afterSingletonsInstantiated(); // Once more: another test may have started the service.
        assertThat(output.getAll())
                .contains("'ownTemplate' (KafkaTemplate)", "Put SagaProducerInterceptor into interceptor.classes")
                .doesNotContain("'kafkaTemplate' (KafkaTemplate)");
    }

    /** So that a record is consumed only when its saga has ended. */
    private MessageListenerContainer pause(String listener) {
        MessageListenerContainer listening = Objects.requireNonNull(registry.getListenerContainer(listener));
        listening.pause();
        await().until(listening::isContainerPaused);
        return listening;
    }

    private List<ConsumerRecord<String, String>> dead(String item) {
        return listeners.dead.stream().filter(each -> each.value().equals(item)).toList();
    }

    private ConsumerRecord<String, String> first(String topic, ConsumerFactory<?, ?> consumers) {
        KafkaTemplate<String, String> reader = new KafkaTemplate<>(kafka.getProducerFactory());
        reader.setConsumerFactory(new DefaultKafkaConsumerFactory<>(consumers.getConfigurationProperties()));
        return Objects.requireNonNull(reader.receive(topic, 0, 0, Duration.ofMinutes(1)));
    }

    private void send(String order) {
        kafka.send("orders", order).join();
    }

    private static String header(ConsumerRecord<?, ?> record, String name) {
        Header found = record.headers().lastHeader(name);
        return found == null ? "" : new String(found.value(), StandardCharsets.UTF_8);
    }
}
