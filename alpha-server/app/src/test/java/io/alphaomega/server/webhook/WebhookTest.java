package io.alphaomega.server.webhook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.alphaomega.repository.SagaCounts;
import io.alphaomega.repository.SagaSummary.State;
import io.alphaomega.saga.BranchId;
import io.alphaomega.saga.SagaId;
import io.alphaomega.saga.Stuck;
import io.alphaomega.server.sweep.StuckSaga;
import io.alphaomega.server.sweep.StuckSagas;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

/** Who is told of suspended sagas, when, and what becomes of a message that is not taken. */
class WebhookTest {
    private static final Instant NOW = Instant.parse("2026-11-20T09:00:00Z");
    private static final Clock CLOCK = Clock.fixed(NOW, ZoneOffset.UTC);
    private static final byte[] KEY = "0123456789abcdef0123456789abcdef".getBytes(StandardCharsets.UTF_8);

    /** What has come to the receiver. */
    private record Received(String id, String timestamp, String signature, String body) {}

    private final List<Received> received = new CopyOnWriteArrayList<>();
    private final Queue<Integer> answers = new ConcurrentLinkedQueue<>();
    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private final List<Suspensions.Message> messages = new ArrayList<>();
    private final Suspensions suspensions = new Suspensions(CLOCK, "https://alpha.example.com", messages::add);

    @SuppressWarnings("NullAway.Init") // By JUnit.
    private HttpServer receiver;

    @SuppressWarnings("NullAway.Init") // By JUnit.
    private Webhook webhook;

    @BeforeEach
    void start() throws IOException {
        receiver = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        receiver.createContext("/hook", this::receive);
        receiver.start();
        URI url = URI.create(
                "http://127.0.0.1:%d/hook".formatted(receiver.getAddress().getPort()));
        webhook = new Webhook(
                Optional.of(new Webhook.Receiver(url, KEY, Duration.ofSeconds(30), Duration.ofMinutes(2))),
                CLOCK,
                JsonMapper.shared(),
                meters,
                Duration.ofMillis(10));
    }

    @AfterEach
    void stop() {
        webhook.close();
        receiver.stop(0);
    }

    private void receive(HttpExchange exchange) throws IOException {
        received.add(new Received(
                exchange.getRequestHeaders().getFirst("webhook-id"),
                exchange.getRequestHeaders().getFirst("webhook-timestamp"),
                exchange.getRequestHeaders().getFirst("webhook-signature"),
                new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8)));
        int status = Optional.ofNullable(answers.poll()).orElse(204);
        if (status / 100 == 3) exchange.getResponseHeaders().add("Location", "/hook");
        exchange.sendResponseHeaders(status, -1);
        exchange.close();
    }

    private static StuckSaga saga(String id, Stuck.Reason reason, Instant since) {
        return new StuckSaga(
                new SagaId(id),
                9,
                State.SUSPENDED,
                "booking",
                "Trips.book",
                "trip 17",
                new Stuck(
                        reason, "UNDECODABLE", "hotel", Optional.of(new BranchId("b")), Optional.empty(), since, since),
                Optional.empty());
    }

    private static StuckSagas found(StuckSaga... sagas) {
        return new StuckSagas(
                NOW,
                false,
                new SagaCounts(Map.of()),
                Optional.empty(),
                List.of(sagas),
                List.of(),
                StuckSagas.InFlight.NONE);
    }

    private static StuckSaga suspended(String id) {
        return saga(id, Stuck.Reason.SUSPENDED, NOW.minusSeconds(3));
    }

    private double count(String outcome) {
        return meters.get("alpha.webhook.messages")
                .tag("outcome", outcome)
                .counter()
                .count();
    }

    @Test
    void each_suspension_is_told_once_with_where_to_look_and_what_to_do() {
        suspensions.found(found(suspended("a"), saga("waits", Stuck.Reason.NO_PARTICIPANT, NOW)));
        suspensions.found(found(suspended("a")));
        suspensions.found(found(suspended("a"), suspended("c")));

        assertThat(messages).hasSize(2);
        assertThat(messages.getFirst().count()).isEqualTo(1);
        assertThat(messages.getFirst().stuck()).isEqualTo("https://alpha.example.com/stuck?reason=SUSPENDED");
        assertThat(messages.getFirst().sagas()).singleElement().satisfies(saga -> {
            assertThat(saga.id()).isEqualTo("a");
            assertThat(saga.page()).isEqualTo("https://alpha.example.com/sagas/a");
            assertThat(saga.runbook()).isEqualTo("https://alpha.example.com/docs/operating/runbook#undecodable");
        });
        assertThat(messages.get(1).sagas()).extracting(Suspensions.Saga::id).containsExactly("c");
    }

    @Test
    void a_saga_that_is_suspended_anew_is_told_of_again() {
        suspensions.found(found(suspended("a")));
        suspensions.found(found());
        suspensions.found(found(saga("a", Stuck.Reason.SUSPENDED, NOW.minusSeconds(1))));

        assertThat(messages).hasSize(2);
    }

    @Test
    void who_looks_from_now_on_tells_what_may_not_have_been_told_and_nothing_older() {
        suspensions.found(found(
                saga("old", Stuck.Reason.SUSPENDED, NOW.minus(Duration.ofHours(1))),
                saga("young", Stuck.Reason.SUSPENDED, NOW.minus(Duration.ofMinutes(9)))));

        assertThat(messages)
                .singleElement()
                .satisfies(message -> assertThat(message.sagas())
                        .extracting(Suspensions.Saga::id)
                        .containsExactly("young"));
    }

    @Test
    void who_has_looked_before_tells_what_is_new_however_old_it_is() {
        suspensions.found(found());
        suspensions.found(found(saga("unreadable", Stuck.Reason.SUSPENDED, NOW.minus(Duration.ofHours(1)))));

        assertThat(messages).hasSize(1);
    }

    @Test
    void what_is_not_sent_when_the_node_stops_is_counted_as_lost() {
        for (int i = 0; i < 100; i++) answers.add(503);
        suspensions.found(found(suspended("a")));
        for (int i = 0; i < 6; i++) webhook.accept(messages.getFirst());
        await().until(() -> received.size() >= 4);

        webhook.close();

        await().until(() -> count("lost") == 6);
    }

    @Test
    void many_are_one_message_that_says_how_many() {
        suspensions.found(found(
                IntStream.range(0, 1_000).mapToObj(i -> suspended("saga-" + i)).toArray(StuckSaga[]::new)));

        assertThat(messages).singleElement().satisfies(message -> {
            assertThat(message.count()).isEqualTo(1_000);
            assertThat(message.sagas()).hasSize(Suspensions.TOLD_MAX);
        });
    }

    @Test
    void a_message_is_signed_and_comes_again_until_it_is_taken() {
        answers.addAll(List.of(503, 429, 500));
        suspensions.found(found(suspended("a")));
        webhook.accept(messages.getFirst());

        await().until(() -> count("delivered") == 1);
        assertThat(received).hasSize(4);
        assertThat(received).allSatisfy(each -> {
            assertThat(each.id()).isEqualTo(messages.getFirst().id());
            assertThat(each.timestamp()).isEqualTo("1795165200");
            assertThat(each.signature())
                    .isEqualTo("v1,"
                            + Webhook.signature(
                                    KEY,
                                    each.id(),
                                    each.timestamp(),
                                    each.body().getBytes(StandardCharsets.UTF_8)));
            assertThat(each.body()).contains("\"type\":\"sagas.suspended\"", "\"id\":\"a\"");
        });
        assertThat(count("lost")).isZero();
    }

    @Test
    void the_signature_is_that_of_Standard_Webhooks() {
        // By openssl: printf 'msg_1.1795165200.{"a":1}' | openssl dgst -sha256 -hmac 0123456789abcdef0123456789abcdef
        // -binary | base64
        assertThat(Webhook.signature(KEY, "msg_1", "1795165200", "{\"a\":1}".getBytes(StandardCharsets.UTF_8)))
                .isEqualTo("2sVrbykszs6k9bnrfsMO7SIFD1qXpLeiJU+FKq8ISSE=");
    }

    @Test
    void a_message_that_is_refused_or_sent_elsewhere_is_lost_and_counted_and_the_next_is_sent() {
        answers.addAll(List.of(404, 302, 204));
        suspensions.found(found(suspended("a")));
        for (int i = 0; i < 3; i++) webhook.accept(messages.getFirst());

        await().until(() -> count("delivered") == 1);
        assertThat(count("lost")).isEqualTo(2);
        assertThat(received).as("no redirect is followed").hasSize(3);
    }
}
