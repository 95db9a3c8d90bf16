package io.alphaomega.omega.transport;

import static io.alphaomega.omega.test.OmegaAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import io.alphaomega.omega.SagaStart;
import io.alphaomega.omega.context.SagaHeaders;
import io.alphaomega.omega.test.OmegaTest;
import io.alphaomega.omega.test.TestAlpha;
import io.alphaomega.repository.servers.RabbitMqServer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.amqp.AmqpIOException;
import org.springframework.amqp.core.Message;
import org.springframework.amqp.core.MessagePostProcessor;
import org.springframework.amqp.core.Queue;
import org.springframework.amqp.core.QueueBuilder;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.amqp.rabbit.connection.ConnectionFactory;
import org.springframework.amqp.rabbit.core.RabbitTemplate;
import org.springframework.amqp.rabbit.listener.RabbitListenerEndpointRegistry;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;

/** Sagas over a real RabbitMQ. */
@SpringBootTest(
        classes = Shop.class,
        webEnvironment = SpringBootTest.WebEnvironment.NONE,
        properties = {
            "spring.rabbitmq.template.retry.enabled=true",
            "spring.rabbitmq.template.retry.initial-interval=1ms",
            "spring.rabbitmq.template.retry.max-retries=1"
        })
@OmegaTest
@Import({RabbitTest.Listeners.class, RabbitTest.Starts.class, RabbitBatches.class, RabbitRetries.class})
@ExtendWith(OutputCaptureExtension.class)
class RabbitTest {
    private static final RabbitMqServer SERVER = RabbitMqServer.start();

    @Autowired
    private RabbitTemplate rabbit;

    @Autowired
    private Orders orders;

    @Autowired
    private Stock stock;

    @Autowired
    private Listeners listeners;

    @Autowired
    private TestAlpha alpha;

    private final String item = UUID.randomUUID().toString();

    @DynamicPropertySource
    static void server(DynamicPropertyRegistry properties) {
        properties.add("spring.rabbitmq.host", () -> "127.0.0.1");
        properties.add("spring.rabbitmq.port", SERVER::port);
    }

    @AfterAll
    static void stop(@Autowired RabbitListenerEndpointRegistry listeners) {
        listeners.stop();
        SERVER.close();
    }

    static class Listeners {
        private final Stock stock;
        private final Orders orders;
        private final List<Message> heard = new CopyOnWriteArrayList<>();
        private final List<Message> dead = new CopyOnWriteArrayList<>();
        private final List<String> gossip = new CopyOnWriteArrayList<>();
        private volatile boolean failsOnce;

        Listeners(Stock stock, Orders orders) {
            this.stock = stock;
            this.orders = orders;
        }

        @Bean
        static Queue queue() {
            return QueueBuilder.durable("orders")
                    .deadLetterExchange("")
                    .deadLetterRoutingKey("dead")
                    .build();
        }

        @Bean
        static Queue deadLetters() {
            return new Queue("dead");
        }

        @Bean
        static Queue gossip() {
            return QueueBuilder.durable("gossip")
                    .deadLetterExchange("")
                    .deadLetterRoutingKey("gossip-dead")
                    .build();
        }

        @Bean
        static Queue deadGossip() {
            return new Queue("gossip-dead");
        }

        @Bean
        static Queue starts() {
            return new Queue("starts");
        }

        /** Of the service's own, and not by Spring Boot's configurer. */
        @Bean(defaultCandidate = false)
        static RabbitTemplate ownTemplate(ConnectionFactory connections) {
            return new RabbitTemplate(connections);
        }

        @RabbitListener(queues = "orders")
        void order(Message order) {
            heard.add(order);
            stock.take(text(order));
            if (failsOnce) {
                failsOnce = false;
                throw new IllegalStateException("not yet");
            }
            orders.close();
        }

        @RabbitListener(queues = "gossip")
        void gossip(String item) {
            gossip.add(item);
        }

        @RabbitListener(queues = "dead")
        void dead(Message order) {
            dead.add(order);
        }
    }

    /** What nobody's saga reaches. */
    static class Starts {
        private final Stock stock;

        Starts(Stock stock) {
            this.stock = stock;
        }

        @RabbitListener(queues = "starts")
        @SagaStart
        public void start(String item) {
            stock.take(item);
        }
    }

    @BeforeEach
    void forget() {
        listeners.failsOnce = false;
    }

    @Test
    void a_message_takes_the_saga_along_and_its_listener_ends_it() {
        orders.open(() -> send(item));
        alpha.awaitSagas(1);
        assertThat(alpha.saga()).committed().history().contains("Stock.take ended");
        assertThat(stock.taken(item)).isOne();
    }

    @Test
    void a_message_that_is_delivered_again_is_the_same_branch() {
        listeners.failsOnce = true;
        orders.open(() -> send(item));
        await().until(() -> of(listeners.heard).size() == 2);
        assertThat(alpha.saga()).committed().history().containsOnlyOnce("Stock.take ended");
        assertThat(stock.taken(item)).isOne();
        assertThat(of(listeners.heard).get(1).getMessageProperties().isRedelivered())
                .isTrue();
    }

    @Test
    void two_messages_are_two_calls_unless_their_sender_gives_them_a_key() {
        orders.open(() -> {
            for (int times = 0; times < 2; times++) {
                rabbit.convertAndSend("dead", item);
                rabbit.convertAndSend("dead", (Object) item, message -> {
                    message.getMessageProperties().setHeader(SagaHeaders.KEY, "4711");
                    return message;
                });
            }
        });
        await().until(() -> of(listeners.dead).size() == 4);
        List<String> calls = of(listeners.dead).stream()
                .map(each -> Objects.requireNonNull(call(each)))
                .toList();
        assertThat(calls.get(1)).isEqualTo(calls.get(3));
        assertThat(calls.stream().distinct()).hasSize(3);
        assertThat(of(listeners.dead))
                .allMatch(each -> !each.getMessageProperties().getHeaders().containsKey(SagaHeaders.KEY));
    }

    @Test
    void what_the_template_sends_again_is_the_same_call() {
        CopyOnWriteArrayList<@Nullable String> calls = new CopyOnWriteArrayList<>();
        MessagePostProcessor breaking = message -> {
            calls.add(call(message));
            if (calls.size() == 1) throw new AmqpIOException(new IOException("the connection broke"));
            return message;
        };
        rabbit.addBeforePublishPostProcessors(breaking);
        try {
            orders.open(() -> {
                rabbit.convertAndSend("dead", item);
                rabbit.convertAndSend("dead", item);
            });
        } finally {
            rabbit.removeBeforePublishPostProcessor(breaking);
        }
        assertThat(calls).hasSize(3).doesNotContainNull();
        assertThat(calls.get(1)).isEqualTo(calls.get(0));
        assertThat(calls.get(2)).isNotEqualTo(calls.get(0));
        await().until(() -> of(listeners.dead).size() == 2);
    }

    @Test
    void the_message_of_a_saga_that_is_aborted_is_done_with() {
        Message late = sentInASaga(() -> {
            throw new IllegalStateException("changed my mind");
        });
        rabbit.send("", "orders", late);
        letOthersPass();
        assertThat(of(listeners.heard)).hasSize(1);
        assertThat(stock.taken(item)).isZero();
        assertThat(of(listeners.dead)).hasSize(1); // Where this test has taken it from.
    }

    @Test
    void the_message_of_a_saga_that_is_committed_goes_to_the_dead_letters_and_stays_the_call_it_was() {
        Message late = sentInASaga(() -> orders.close());
        rabbit.send("", "orders", late);
        await().until(() -> of(listeners.dead).size() == 2);
        assertThat(of(listeners.heard)).as("not delivered again and again").hasSize(1);
        assertThat(stock.taken(item)).isZero();
        assertThat(call(of(listeners.dead).get(1)))
                .isEqualTo(call(of(listeners.dead).get(0)));
    }

    @Test
    void a_message_whose_branch_has_failed_is_not_delivered_for_ever() {
        alpha.fail("Stock.take");
        orders.open(() -> send(item));
        await().until(() -> of(listeners.heard).size() == 2);
        letOthersPass();
        assertThat(of(listeners.heard)).hasSize(2);
        assertThat(stock.taken(item)).isZero();
        assertThat(of(listeners.dead)).isEmpty();
    }

    @Test
    void a_message_with_malformed_headers_is_not_handled_and_not_delivered_again() {
        rabbit.convertAndSend("gossip", (Object) item, message -> {
            message.getMessageProperties().setHeader(SagaHeaders.SAGA, "sa ga");
            return message;
        });
        assertThat(rabbit.receiveAndConvert("gossip-dead", 60_000)).isEqualTo(item);
        assertThat(listeners.gossip).isEmpty();
    }

    @Test
    void each_message_of_a_batch_is_handled_in_its_own_saga(@Autowired RabbitBatches batches, CapturedOutput output) {
        String next = UUID.randomUUID().toString();
        batches.failsOnce = next;
        rabbit.convertAndSend("batches", (Object) "malformed", message -> {
            message.getMessageProperties().setHeader(SagaHeaders.SAGA, "sa ga");
            return message;
        });
        orders.open(() -> rabbit.convertAndSend("batches", item));
        orders.open(() -> rabbit.convertAndSend("batches", next));
        assertThat(rabbit.receiveAndConvert("batches-dead", 60_000)).isEqualTo("malformed");
        alpha.awaitSagas(2);
        assertThat(alpha.sagas())
                .allSatisfy(saga -> assertThat(saga).committed().history().containsOnlyOnce("Stock.take ended"));
        assertThat(stock.taken(item)).isOne();
        assertThat(stock.taken(next)).isOne();
        assertThat(batches.heard.stream().filter(next::equals)).hasSize(2);
        assertThat(batches.heard.stream().filter(item::equals)).hasSize(1);
        assertThat(output.getOut()).doesNotContain("takes messages in batches");
    }

    @Test
    void each_retry_in_place_is_in_the_saga_and_the_same_branch(@Autowired RabbitRetries retries) {
        orders.open(() -> rabbit.convertAndSend("retried", item));
        alpha.awaitSagas(1);
        assertThat(alpha.saga()).committed().history().containsOnlyOnce("Stock.take ended");
        assertThat(retries.sagas)
                .containsExactlyElementsOf(Collections.nCopies(3, alpha.saga().id()));
        assertThat(stock.taken(item)).isOne();
    }

    @Test
    void a_container_that_comes_from_no_factory_handles_messages_in_their_sagas() {
        orders.open(() -> rabbit.convertAndSend("by-hand", item));
        alpha.awaitSagas(1);
        assertThat(alpha.saga()).committed().history().contains("Stock.take ended");
        assertThat(stock.taken(item)).isOne();
    }

    @Test
    void a_branch_of_a_batch_that_is_handled_outside_of_its_sagas_is_refused(CapturedOutput output) {
        orders.open(() -> rabbit.convertAndSend("careless", item));
        assertThat(rabbit.receiveAndConvert("careless-dead", 60_000)).isEqualTo(item);
        assertThat(stock.taken(item)).isZero();
        assertThat(output)
                .contains(
                        "Stock.take is @Compensable but was called outside a saga, it did not run. Its thread serves a"
                                + " batch of messages, some of which belong to sagas");
    }

    @Test
    void a_listener_begins_a_saga_for_a_message_that_is_in_none() {
        rabbit.convertAndSend("starts", item);
        await().until(() -> stock.taken(item) == 1);
        assertThat(alpha.saga()).committed();
        assertThat(alpha.saga().operation()).isEqualTo("RabbitTest.Starts.start");
    }

    @Test
    void a_template_that_sends_no_saga_along_is_named_at_start(CapturedOutput output) {
        assertThat(output.getAll())
                .contains("'ownTemplate' (RabbitTemplate)", "Apply SagaMessagePostProcessor.addTo(…)")
                .doesNotContain("'rabbitTemplate' (RabbitTemplate)");
    }

    /** Given back, the item is before the second of them; the first may have been fetched together with it. */
    private void letOthersPass() {
        for (int others = 0; others < 2; others++) {
            String next = UUID.randomUUID().toString();
            orders.open(() -> send(next));
            await().until(() -> stock.taken(next) == 1);
        }
    }

    private void send(String order) {
        rabbit.convertAndSend("orders", order);
    }

    /**
     * A message of a saga that ends before anybody handles it.
     *
     * @param end throws to abort it
     */
    private Message sentInASaga(Runnable end) {
        Throwable unused = catchThrowable(() -> orders.open(() -> {
            rabbit.convertAndSend("dead", item);
            await().until(() -> of(listeners.dead).size() == 1);
            end.run();
        }));
        Message sent = of(listeners.dead).get(0);
        Message late = new Message(item.getBytes(StandardCharsets.UTF_8));
        late.getMessageProperties().setContentType("text/plain");
        sent.getMessageProperties().getHeaders().forEach(late.getMessageProperties()::setHeader);
        // As the container's recoverer does, which puts a message aside that nobody could handle.
        late.getMessageProperties().setHeader("x-original-exchange", "");
        return late;
    }

    private List<Message> of(List<Message> messages) {
        return messages.stream().filter(each -> text(each).equals(item)).toList();
    }

    private static String text(Message message) {
        return new String(message.getBody(), StandardCharsets.UTF_8);
    }

    private static @Nullable String call(Message message) {
        return message.getMessageProperties().getHeader(SagaHeaders.CALL);
    }
}
