package io.alphaomega.omega.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.alphaomega.omega.Compensable;
import io.alphaomega.omega.SagaRejectedException;
import io.alphaomega.omega.context.SagaHeaders;
import io.alphaomega.protocol.v1.Ack;
import io.alphaomega.protocol.v1.Committed;
import io.alphaomega.protocol.v1.Rejected;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntConsumer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.env.Environment;
import org.springframework.http.HttpRequest;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.client.ClientHttpRequestExecution;
import org.springframework.http.client.ClientHttpRequestInterceptor;
import org.springframework.http.client.ClientHttpResponse;
import org.springframework.http.client.JdkClientHttpRequestFactory;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.client.RestClient;

/** Calls that are repeated, over two and three services on real sockets: a repeated call is the same call at every hop. */
class RepeatedCallTest {
    @TempDir
    static Path directory;

    private static final SmallAlpha ALPHA = new SmallAlpha();

    /** Calls that the service in the middle has made and got an answer to. */
    private static final AtomicInteger CALLS = new AtomicInteger();

    /** What befalls it after each of them, given how manieth that was. */
    private static volatile IntConsumer trouble = call -> {};

    private static ConfigurableApplicationContext front;
    private static ConfigurableApplicationContext middle;
    private static ConfigurableApplicationContext back;

    private final String saga = UUID.randomUUID().toString();

    @BeforeAll
    static void start() {
        back = start("back", Back.class, "");
        middle = start("middle", Middle.class, url(back));
        front = start("front", Front.class, url(middle));
    }

    private static ConfigurableApplicationContext start(String name, Class<?> service, String next) {
        return new SpringApplicationBuilder(service)
                .web(WebApplicationType.SERVLET)
                .properties(
                        "spring.application.name=" + name,
                        "server.port=0",
                        "spring.main.banner-mode=off",
                        "spring.datasource.url=" + Applications.url(directory).replace("shop.db", name + ".db"),
                        "next=" + next,
                        "omega.alpha.addresses=" + ALPHA.address(),
                        "omega.begin-timeout=20s",
                        "omega.ack-timeout=20s",
                        "omega.drain-timeout=100ms")
                .run();
    }

    private static String url(ConfigurableApplicationContext service) {
        return "http://127.0.0.1:" + service.getEnvironment().getProperty("local.server.port");
    }

    @AfterAll
    static void stop() {
        for (ConfigurableApplicationContext each : List.of(front, middle, back)) each.close();
        ALPHA.close();
    }

    @BeforeEach
    void forget() {
        ALPHA.answer = input -> null;
        CALLS.set(0);
        trouble = call -> {};
        back.getBean(JdbcClient.class).sql("delete from booked").update();
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import({Desk.class, DeskController.class})
    static class Back {}

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import({Relay.class, RelayController.class})
    static class Middle {}

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import({Shop.Counter.class, Shop.Orders.class})
    static class Front {}

    /** The last service: what it does can be counted. */
    static class Desk {
        private final JdbcClient database;

        Desk(JdbcClient database) {
            this.database = database;
            database.sql("create table if not exists booked (item text)").update();
        }

        @Compensable(compensationMethod = "cancel")
        @Transactional
        public String book(String item) {
            database.sql("insert into booked values (?)").param(item).update();
            return "booked " + item;
        }

        public void cancel(String item) {}
    }

    @RestController
    static class DeskController {
        private final Desk desk;

        DeskController(Desk desk) {
            this.desk = desk;
        }

        @PostMapping("/book/{item}")
        String book(@PathVariable String item) {
            return desk.book(item);
        }
    }

    /** The service in the middle: it calls the last one in several ways, and gets into trouble afterwards. */
    static class Relay {
        private final RestClient client;
        private final String next;

        Relay(RestClient.Builder builder, Environment environment) {
            next = environment.getRequiredProperty("next");
            client = builder.build();
        }

        String pass(String item) {
            String answer = book(next, item);
            trouble.accept(CALLS.incrementAndGet());
            return answer;
        }

        @Compensable(compensationMethod = "forget", name = "unfenced", fenced = false)
        public String passInBranch(String item) {
            return pass(item);
        }

        @Compensable(
                compensationMethod = "forget",
                name = "retried",
                fenced = false,
                cleanOnException = true,
                forwardRetries = 2,
                forwardRetryDelay = "1ms")
        public String passAgainAndAgain(String item) {
            return pass(item);
        }

        public void forget(String item) {}

        /** Two calls to two services, whichever comes first; the last service is both. */
        List<String> passToTwo(boolean otherWayRound) {
            String other = next.replace("127.0.0.1", "localhost");
            if (otherWayRound) {
                String second = book(other, "same");
                return List.of(book(next, "same"), second);
            }
            return List.of(book(next, "same"), book(other, "same"));
        }

        private String book(String url, String item) {
            String answer = client.post()
                    .uri(url + "/book/" + item + "?nonce=" + UUID.randomUUID())
                    .retrieve()
                    .body(String.class);
            return String.valueOf(answer);
        }
    }

    @RestController
    static class RelayController {
        private final Relay relay;

        RelayController(Relay relay) {
            this.relay = relay;
        }

        @PostMapping("/plain/{item}")
        String plain(@PathVariable String item) {
            return relay.pass(item);
        }

        @PostMapping("/branch/{item}")
        String branch(@PathVariable String item) {
            return relay.passInBranch(item);
        }

        @PostMapping("/retried/{item}")
        String retried(@PathVariable String item) {
            return relay.passAgainAndAgain(item);
        }

        @PostMapping("/twice/{item}")
        String twice(@PathVariable String item) {
            return relay.pass(item) + ", " + relay.pass(item);
        }

        @PostMapping("/two/{otherWayRound}")
        String two(@PathVariable boolean otherWayRound) {
            return String.join(", ", relay.passToTwo(otherWayRound));
        }
    }

    // ---- two hops

    @Test
    void a_service_without_a_branch_that_fails_after_its_callee_did_its_work_repeats_the_same_call() {
        trouble = call -> {
            if (call == 1) throw new IllegalStateException("died after the answer");
        };
        assertThat(post("/plain/a", "call-1").is5xxServerError()).isTrue();
        assertThat(post("/plain/a", "call-1").is2xxSuccessful()).isTrue();
        assertThat(booked()).containsExactly("a");
    }

    @Test
    void a_branch_that_dies_after_its_callee_did_its_work_repeats_the_same_call() {
        CountDownLatch answered = new CountDownLatch(1);
        CountDownLatch over = new CountDownLatch(1);
        trouble = call -> {
            if (call > 1) return;
            answered.countDown();
            awaitUninterruptibly(over); // As good as dead: it neither returns nor reports.
        };
        CompletableFuture<HttpStatusCode> dead = CompletableFuture.supplyAsync(() -> post("/branch/a", "call-1"));
        awaitUninterruptibly(answered);
        assertThat(post("/branch/a", "call-1").is2xxSuccessful()).isTrue();
        over.countDown();
        dead.join();
        assertThat(booked()).containsExactly("a");
    }

    @Test
    void an_attempt_that_is_tried_again_makes_the_same_call_again() {
        trouble = call -> {
            if (call < 3) throw new IllegalStateException("not yet");
        };
        assertThat(post("/retried/a", "call-1").is2xxSuccessful()).isTrue();
        assertThat(CALLS).hasValue(3);
        assertThat(booked()).containsExactly("a");
    }

    @Test
    void two_calls_to_one_target_within_one_call_are_two_calls_and_both_are_repeated_as_such() {
        assertThat(post("/twice/a", "call-1").is2xxSuccessful()).isTrue();
        assertThat(booked()).containsExactly("a", "a");
        assertThat(post("/twice/a", "call-1").is2xxSuccessful()).isTrue();
        assertThat(booked()).containsExactly("a", "a");
        assertThat(post("/twice/a", "call-2").is2xxSuccessful()).isTrue();
        assertThat(booked()).hasSize(4);
    }

    @Test
    void calls_to_different_services_keep_their_names_in_whatever_order_they_are_made() {
        assertThat(post("/two/false", "call-1").is2xxSuccessful()).isTrue();
        assertThat(post("/two/true", "call-1").is2xxSuccessful()).isTrue();
        List<String> branches = branches();
        assertThat(branches).hasSize(4);
        assertThat(branches.get(1)).isNotEqualTo(branches.get(0));
        assertThat(branches.get(2)).isEqualTo(branches.get(1));
        assertThat(branches.get(3)).isEqualTo(branches.get(0));
    }

    @Test
    void a_call_that_comes_again_after_the_commit_gets_what_it_got_and_one_that_did_not_run_is_told_so() {
        assertThat(post("/plain/a", "call-1").is2xxSuccessful()).isTrue();
        ALPHA.answer =
                input -> input.hasBeginBranch() ? Ack.newBuilder().setCommitted(Committed.getDefaultInstance()) : null;
        assertThat(post("/plain/a", "call-1").is2xxSuccessful()).isTrue();
        assertThat(post("/plain/a", "call-2").is5xxServerError()).isTrue();
        assertThat(post("/branch/a", "call-3").value())
                .as("without a fence nobody knows")
                .isEqualTo(409);
        assertThat(booked()).containsExactly("a");
    }

    // ---- three hops

    @Test
    void a_request_that_is_repeated_beneath_its_initiator_takes_effect_once_at_the_end_of_the_chain() {
        for (String way : List.of("plain", "branch", "retried")) {
            forget();
            trouble = call -> {
                if (call == 1 && !way.equals("branch")) throw new IllegalStateException("died after the answer");
            };
            RestClient client = front.getBean(RestClient.Builder.class)
                    .requestInterceptor(new SendingTwice())
                    .build();
            front.getBean(Shop.Counter.class)
                    .run(() -> client.post()
                            .uri(url(middle) + "/" + way + "/a")
                            .retrieve()
                            .toBodilessEntity());
            assertThat(booked()).as(way).containsExactly("a");
        }
    }

    @Test
    void the_same_call_in_another_saga_is_another_call() {
        RestClient client = front.getBean(RestClient.Builder.class).build();
        for (int i = 0; i < 2; i++) {
            front.getBean(Shop.Counter.class)
                    .run(() -> client.post()
                            .uri(url(middle) + "/plain/a")
                            .retrieve()
                            .toBodilessEntity());
        }
        assertThat(booked()).containsExactly("a", "a");
    }

    /** As a mesh or an HTTP client that does not believe the first answer. */
    private static final class SendingTwice implements ClientHttpRequestInterceptor {
        @Override
        public ClientHttpResponse intercept(HttpRequest request, byte[] body, ClientHttpRequestExecution execution)
                throws IOException {
            execution.execute(request, body).close();
            return execution.execute(request, body);
        }
    }

    // ---- what alpha refuses

    @Test
    void a_call_that_is_taken_for_another_one_is_told_so() {
        ALPHA.answer = input -> input.hasBeginBranch() ? conflict() : null;
        Shop.Orders orders = front.getBean(Shop.Orders.class);
        int before = orders.all().size();
        Throwable[] thrown = new Throwable[1];
        front.getBean(Shop.Counter.class).run(() -> {
            try {
                orders.order(List.of(new Shop.Item("book", 1)), "Ada");
            } catch (SagaRejectedException e) {
                thrown[0] = e;
            }
        });
        assertThat(thrown[0]).isInstanceOfSatisfying(SagaRejectedException.class, e -> {
            assertThat(e.reason()).isEqualTo("BRANCH_CONFLICT");
            assertThat(e).hasMessageContaining("branch b began with other arguments");
        });
        assertThat(orders.all()).hasSize(before);
    }

    private static Ack.Builder conflict() {
        return Ack.newBuilder()
                .setRejected(Rejected.newBuilder()
                        .setReason("BRANCH_CONFLICT")
                        .setText("branch b began with other arguments"));
    }

    private static void awaitUninterruptibly(CountDownLatch latch) {
        await().until(() -> latch.getCount() == 0);
    }

    private static List<String> booked() {
        return back.getBean(JdbcClient.class)
                .sql("select item from booked order by rowid")
                .query((row, n) -> row.getString(1))
                .list();
    }

    /** The branches of this test's saga, in the order in which they began. */
    private List<String> branches() {
        return ALPHA.inputs().stream()
                .filter(input -> input.getSaga().equals(saga) && input.hasBeginBranch())
                .map(input -> input.getBeginBranch().getBranch())
                .toList();
    }

    /** Calls the service in the middle as another one would that names its call so. */
    private HttpStatusCode post(String path, String call) {
        return RestClient.builder()
                .requestFactory(new JdkClientHttpRequestFactory()) // Waits as long as it takes.
                .baseUrl(url(middle))
                .build()
                .post()
                .uri(path)
                .header(SagaHeaders.SAGA, saga)
                .header(SagaHeaders.BRANCH, saga)
                .header(SagaHeaders.CALL, call)
                .retrieve()
                .onStatus(HttpStatusCode::isError, (request, response) -> {})
                .toBodilessEntity()
                .getStatusCode();
    }
}
