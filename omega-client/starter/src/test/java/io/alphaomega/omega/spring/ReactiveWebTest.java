package io.alphaomega.omega.spring;

import static io.alphaomega.protocol.v1.Input.KindCase.BEGIN;
import static io.alphaomega.protocol.v1.Input.KindCase.BEGIN_BRANCH;
import static io.alphaomega.protocol.v1.Input.KindCase.END;
import static io.alphaomega.protocol.v1.Input.KindCase.END_BRANCH;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.alphaomega.omega.context.SagaContext;
import io.alphaomega.omega.context.SagaContextAccessor;
import io.alphaomega.omega.context.SagaHeaders;
import io.alphaomega.omega.transport.http.ReactiveSagaCalls;
import io.alphaomega.protocol.v1.BeginBranch;
import io.alphaomega.protocol.v1.Input;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.client.RestClient;
import org.springframework.web.reactive.function.client.ClientRequest;
import org.springframework.web.reactive.function.client.WebClient;
import org.springframework.web.reactive.function.client.support.WebClientAdapter;
import org.springframework.web.server.WebFilter;
import org.springframework.web.service.annotation.PostExchange;
import org.springframework.web.service.invoker.HttpServiceProxyFactory;
import reactor.blockhound.BlockHound;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/**
 * Sagas through WebFlux on Netty, by WebClient, and through Spring MVC on Tomcat on the way, where no thread of Reactor's
 * may wait.
 */
@Tag("watched")
class ReactiveWebTest {
    private static final Duration LIMIT = Duration.ofSeconds(30);

    @TempDir
    static Path directory;

    private static SmallAlpha alpha;
    private static ConfigurableApplicationContext reactive;
    private static ConfigurableApplicationContext servlet;
    private final List<Input> told = new CopyOnWriteArrayList<>();

    @BeforeAll
    static void start() {
        BlockHound.install();
        alpha = new SmallAlpha();
        servlet = start(Mvc.class, WebApplicationType.SERVLET, "stock", Applications.url(directory));
        reactive = start(Flowing.class, WebApplicationType.REACTIVE, "gateway", "");
    }

    private static ConfigurableApplicationContext start(
            Class<?> application, WebApplicationType type, String name, String database) {
        return new SpringApplicationBuilder(application)
                .web(type)
                .properties(
                        "spring.application.name=" + name,
                        "server.port=0",
                        "spring.main.banner-mode=off",
                        "spring.datasource.url=" + database,
                        "spring.reactor.context-propagation="
                                + (type == WebApplicationType.REACTIVE ? "auto" : "limited"),
                        "omega.alpha.addresses=" + alpha.address(),
                        "omega.begin-timeout=20s",
                        "omega.ack-timeout=20s",
                        "omega.hold-for=10m",
                        "omega.drain-timeout=100ms")
                .run();
    }

    @AfterAll
    static void stop() {
        reactive.close();
        servlet.close();
        alpha.close();
        reactor.core.publisher.Hooks.disableAutomaticContextPropagation();
    }

    @BeforeEach
    void anew() {
        Copying.seen.clear();
        Endpoint.tries.set(0);
        alpha.observer = told::add; // Of both services, in order.
    }

    private static String url(ConfigurableApplicationContext application) {
        return "http://127.0.0.1:" + application.getEnvironment().getProperty("local.server.port");
    }

    private List<Input.KindCase> kinds() {
        return told.stream().map(Input::getKindCase).toList();
    }

    private List<BeginBranch> branches() {
        return told.stream()
                .filter(Input::hasBeginBranch)
                .map(Input::getBeginBranch)
                .toList();
    }

    private List<String> carriedEnds() {
        return told.stream()
                .flatMap(input -> input.getCarried().getEndedList().stream())
                .toList();
    }

    /** With a database behind a fence. */
    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import({Shop.Orders.class, Shop.Counter.class, Stock.class})
    static class Mvc {}

    @ResponseStatus(HttpStatus.CONFLICT)
    static class Conflict extends RuntimeException {}

    @RestController
    static class Stock {
        private final Shop.Orders orders;

        Stock(Shop.Orders orders) {
            this.orders = orders;
        }

        @PostMapping("/orders/{item}")
        String order(@PathVariable String item) {
            orders.orderWithoutTransaction(item);
            return item;
        }
    }

    /** Without a database, and with no thread that may wait. */
    @Configuration(proxyBeanMethods = false)
    @Applications.EnableWithoutDataSource
    @Import({LaterShop.Desk.class, LaterShop.Counter.class, Endpoint.class, Copying.class})
    static class Flowing {}

    /** Remembers the headers it sees, as far out as a service can, and copies them to what the service calls. */
    @Order(Ordered.HIGHEST_PRECEDENCE)
    static class Copying implements WebFilter {
        static final Queue<HttpHeaders> seen = new ConcurrentLinkedQueue<>();

        @Override
        public Mono<Void> filter(
                org.springframework.web.server.ServerWebExchange exchange,
                org.springframework.web.server.WebFilterChain chain) {
            HttpHeaders headers = new HttpHeaders();
            headers.putAll(exchange.getRequest().getHeaders());
            seen.add(headers);
            return chain.filter(exchange).contextWrite(context -> context.put(Copying.class, headers));
        }
    }

    interface StockService {
        @PostExchange("/orders/{item}")
        Mono<String> order(@PathVariable String item);
    }

    @RestController
    static class Endpoint {
        static final AtomicInteger tries = new AtomicInteger();

        private final LaterShop.Desk desk;
        private final LaterShop.Counter counter;
        private final WebClient client;
        private final WebClient copying;
        private final StockService stock;

        Endpoint(LaterShop.Desk desk, LaterShop.Counter counter, WebClient.Builder client) {
            this.desk = desk;
            this.counter = counter;
            this.client = client.build();
            this.copying = client.clone()
                    .filter((request, next) -> Mono.deferContextual(view -> next.exchange(ClientRequest.from(request)
                            .headers(headers -> view.<HttpHeaders>get(Copying.class)
                                    .forEach((name, values) -> {
                                        if (name.startsWith("X-") || name.startsWith("x-"))
                                            headers.addAll(name, values);
                                    }))
                            .build())))
                    .build();
            this.stock = HttpServiceProxyFactory.builderFor(WebClientAdapter.create(
                            client.clone().baseUrl(url(servlet)).build()))
                    .build()
                    .createClient(StockService.class);
        }

        @PostMapping("/saga")
        Mono<String> saga() {
            return Mono.deferContextual(view -> Mono.just(view.<SagaContext>getOrEmpty(SagaContextAccessor.KEY)
                    .map(SagaContext::saga)
                    .orElse("none")));
        }

        @PostMapping("/rooms/{item}")
        Mono<String> book(@PathVariable String item) {
            return desk.mono(() -> Mono.delay(Duration.ofMillis(1)).thenReturn(item));
        }

        /** Waits, where that is allowed. */
        @PostMapping("/plain/{item}")
        Mono<String> bookPlainly(@PathVariable String item) {
            return Mono.fromCallable(() -> desk.plain(item)).subscribeOn(Schedulers.boundedElastic());
        }

        /** Has no branch of its own. */
        @PostMapping("/pass/{item}")
        Mono<String> pass(@PathVariable String item) {
            return order(client, item);
        }

        @PostMapping("/copy/{item}")
        Mono<String> copy(@PathVariable String item) {
            return order(copying, item).then(order(copying, item));
        }

        @PostMapping("/fails/{item}")
        Mono<String> fail(@PathVariable String item, @RequestParam boolean mapped) {
            return order(client, item)
                    .then(Mono.error(() -> mapped ? new Conflict() : new IllegalStateException("after the branch")));
        }

        /** As if somebody that it has called had hung up. */
        @PostMapping("/broken")
        Mono<String> fallSilent() {
            return Mono.error(new IllegalStateException(new IOException("Connection reset by peer")));
        }

        @PostMapping("/early/{item}")
        Flux<String> answerEarly(@PathVariable String item) {
            return Flux.concat(Mono.just("first "), Mono.defer(() -> order(client, item)));
        }

        /** Calls before its answer begins, and is answered after that. */
        @PostMapping("/meanwhile/{item}")
        Flux<String> answerMeanwhile(@PathVariable String item) {
            return Flux.merge(order(client, item), Mono.just("first "));
        }

        /** Fails at first; whoever repeats the request repeats the call. */
        @PostMapping("/flaky/{item}")
        Mono<String> flaky(@PathVariable String item) {
            return desk.mono(() -> Mono.just(item))
                    .flatMap(booked -> tries.incrementAndGet() < 3
                            ? Mono.error(new IllegalStateException("not yet"))
                            : Mono.just(booked));
        }

        /** A whole saga, of branches here, in MVC, and here by the network. */
        @PostMapping("/trips/{item}")
        Mono<String> trip(@PathVariable String item) {
            return counter.mono(() -> desk.mono(() -> Mono.just(item))
                    .flatMap(booked -> stock.order(item))
                    .flatMap(ordered -> call(client, "/rooms/" + item)));
        }

        @PostMapping("/flaky-trips/{item}")
        Mono<String> flakyTrip(@PathVariable String item) {
            return counter.mono(() -> call(client, "/flaky/" + item).retry(2));
        }

        private static Mono<String> order(WebClient client, String item) {
            return client.post()
                    .uri(url(servlet) + "/orders/" + item)
                    .retrieve()
                    .bodyToMono(String.class);
        }

        private static Mono<String> call(WebClient client, String path) {
            return client.post().uri(url(reactive) + path).retrieve().bodyToMono(String.class);
        }
    }

    /** As another service would: with a client that knows nothing of omega. */
    private static ResponseEntity<String> post(
            String path, @Nullable String saga, @Nullable String branch, @Nullable String call) {
        return Objects.requireNonNull(WebClient.create(url(reactive))
                .post()
                .uri(path)
                .headers(headers -> {
                    put(headers, SagaHeaders.SAGA, saga);
                    put(headers, SagaHeaders.BRANCH, branch);
                    put(headers, SagaHeaders.CALL, call);
                })
                .exchangeToMono(response -> response.toEntity(String.class))
                .block(LIMIT));
    }

    private static void put(HttpHeaders headers, String name, @Nullable String value) {
        if (value != null) headers.set(name, value);
    }

    private static void run(Runnable business) {
        servlet.getBean(Shop.Counter.class).run(business);
    }

    /** From Spring MVC. */
    private static String call(String path) {
        return String.valueOf(servlet.getBean(RestClient.Builder.class)
                .build()
                .post()
                .uri(url(reactive) + path)
                .retrieve()
                .body(String.class));
    }

    @Test
    void a_request_is_in_the_saga_that_its_headers_name_and_in_none_without() {
        assertThat(post("/saga", "saga-1", "saga-1", "call-1").getBody()).isEqualTo("saga-1");
        assertThat(post("/saga", null, null, null).getBody()).isEqualTo("none");
    }

    @Test
    void malformed_headers_are_refused_with_a_sentence_and_not_repeated() {
        for (String[] headers :
                new String[][] {{"sa ga", "b", "c"}, {"x".repeat(65), "b", "c"}, {"s", "<b>", "c"}, {"s", "b", "c\"d"}
                }) {
            ResponseEntity<String> response = post("/rooms/a", headers[0], headers[1], headers[2]);
            assertThat(response.getStatusCode()).isEqualTo(HttpStatus.BAD_REQUEST);
            assertThat(response.getBody())
                    .contains("must be 1 to 64 characters of A-Z a-z 0-9 - _ . :")
                    .doesNotContain("sa ga", "<b>");
        }
        String carried = WebClient.create(url(reactive))
                .post()
                .uri("/rooms/a")
                .header(SagaHeaders.SAGA, "saga-1")
                .header(SagaHeaders.CARRIED, "?")
                .exchangeToMono(response -> response.bodyToMono(String.class))
                .block(LIMIT);
        assertThat(carried).contains("Header X-Omega-Carried must be what an omega has written but is not");
        assertThat(told).isEmpty();
    }

    @Test
    void a_repeated_call_is_the_same_branch_and_another_one_is_another() {
        post("/rooms/a", "saga-1", "parent-1", "call-1");
        post("/rooms/a", "saga-1", "parent-1", "call-1");
        post("/rooms/a", "saga-1", "parent-1", "call-2");
        assertThat(branches()).hasSize(3).allMatch(each -> each.getParent().equals("parent-1"));
        assertThat(branches().get(1).getBranch())
                .isEqualTo(branches().get(0).getBranch())
                .isNotEqualTo(branches().get(2).getBranch());
    }

    @Test
    void a_saga_goes_through_spring_mvc_and_webflux_and_spring_mvc_and_its_reports_come_back() {
        run(() -> {
            assertThat(call("/pass/a")).isEqualTo("a");
            assertThat(call("/pass/b")).isEqualTo("b");
        });
        assertThat(kinds())
                .as("ends travel with answers through WebFlux")
                .containsExactly(BEGIN_BRANCH, BEGIN_BRANCH, END);
        assertThat(told.get(0).getCarried().getBegin().getOperation()).isEqualTo("Shop.Counter.run");
        assertThat(carriedEnds())
                .containsExactly(
                        branches().get(0).getBranch(), branches().get(1).getBranch());
        assertThat(told.stream().map(Input::getSaga).distinct()).hasSize(1);
    }

    @Test
    void a_branch_in_webflux_is_one_of_the_saga_and_reports_its_end_by_itself() {
        run(() -> assertThat(call("/rooms/a")).isEqualTo("a"));
        assertThat(kinds()).containsExactly(BEGIN_BRANCH, END_BRANCH, END);
    }

    @Test
    void a_plain_branch_is_one_of_the_saga_on_a_scheduler_that_may_wait() {
        run(() -> assertThat(call("/plain/a")).isEqualTo("a"));
        assertThat(kinds()).containsExactly(BEGIN_BRANCH, END_BRANCH, END);
    }

    @Test
    void a_saga_that_begins_in_webflux_has_branches_here_and_there() {
        assertThat(post("/trips/a", null, null, null).getBody()).isEqualTo("a");
        assertThat(kinds()).containsExactly(BEGIN_BRANCH, END_BRANCH, BEGIN_BRANCH, BEGIN_BRANCH, END_BRANCH, END);
        assertThat(branches().stream().map(BeginBranch::getBranch).distinct()).hasSize(3);
        assertThat(carriedEnds()).containsExactly(branches().get(1).getBranch());
        assertThat(told.stream().map(Input::getSaga).distinct()).hasSize(1);
    }

    @Test
    void a_request_that_is_sent_again_is_the_same_call() {
        assertThat(post("/flaky-trips/a", null, null, null).getBody()).isEqualTo("a");
        assertThat(branches())
                .hasSize(3)
                .extracting(BeginBranch::getBranch)
                .containsOnly(branches().get(0).getBranch());
    }

    @Test
    void a_service_that_copies_headers_makes_two_calls_of_two() {
        run(() -> call("/copy/a"));
        assertThat(branches()).extracting(BeginBranch::getBranch).hasSize(2).doesNotHaveDuplicates();
        assertThat(carriedEnds()).hasSize(2);
        assertThat(Copying.seen).isNotEmpty().allSatisfy(headers -> {
            assertThat(headers.getFirst(SagaHeaders.CALL)).isNull();
            assertThat(headers.getFirst(SagaHeaders.CARRIED)).isNull();
        });
    }

    @Test
    void whoever_answers_with_a_failure_reports_what_the_answer_would_have_brought() {
        for (boolean mapped : new boolean[] {true, false}) {
            int before = carriedEnds().size();
            assertThatThrownBy(() -> run(() -> call("/fails/a?mapped=" + mapped)))
                    .isInstanceOf(RuntimeException.class);
            await().untilAsserted(() -> assertThat(carriedEnds()).hasSizeGreaterThan(before));
        }
        assertThat(kinds()).contains(BEGIN);
    }

    @Test
    void who_is_called_and_hangs_up_is_not_taken_for_the_caller() {
        assertThat(WebClient.create(url(reactive))
                        .post()
                        .uri("/broken")
                        .exchangeToMono(answer -> Mono.just(answer.statusCode()))
                        .block(LIMIT))
                .isEqualTo(HttpStatus.INTERNAL_SERVER_ERROR);
    }

    @Test
    void what_is_called_after_the_answer_has_begun_reports_its_end_by_itself() {
        run(() -> assertThat(call("/early/a")).isEqualTo("first a"));
        assertThat(kinds()).containsExactly(BEGIN_BRANCH, END_BRANCH, END);
    }

    @Test
    void what_ends_after_the_answer_has_begun_is_reported() {
        run(() -> assertThat(call("/meanwhile/a")).isEqualTo("first a"));
        await().untilAsserted(() -> assertThat(carriedEnds())
                .contains(branches().stream()
                        .filter(each ->
                                !each.getOperation().contains("handed over")) // What the answer owed as it began.
                        .findFirst()
                        .orElseThrow()
                        .getBranch()));
        assertThat(kinds()).contains(BEGIN);
    }

    @Test
    void outside_of_sagas_nothing_is_sent_along() {
        assertThat(post("/pass/a", null, null, null).getBody()).isEqualTo("a");
        assertThat(told).isEmpty();
    }

    @Test
    void a_thread_that_may_not_wait_and_does_is_found() {
        assertThatThrownBy(() -> Mono.fromCallable(() -> new CountDownLatch(1).await(1, TimeUnit.SECONDS))
                        .subscribeOn(Schedulers.parallel())
                        .block(LIMIT))
                .hasStackTraceContaining("Blocking call!");
    }

    @Test
    void clients_that_are_made_otherwise_may_send_it_along_too() {
        WebClient.Builder builder = WebClient.builder();
        assertThat(ReactiveSagaCalls.areMadeBy(builder)).isFalse();
        ReactiveSagaCalls.from(builder);
        ReactiveSagaCalls.from(builder);
        WebClient client = builder.build();
        assertThat(ReactiveSagaCalls.areMadeBy(client)).isTrue();
        run(() -> assertThat(client.post()
                        .uri(URI.create(url(servlet) + "/orders/a"))
                        .retrieve()
                        .bodyToMono(String.class)
                        .subscribeOn(Schedulers.boundedElastic())
                        .block(LIMIT))
                .isEqualTo("a"));
        assertThat(kinds()).containsExactly(BEGIN_BRANCH, END);
    }
}
