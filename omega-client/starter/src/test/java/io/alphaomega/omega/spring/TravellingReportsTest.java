package io.alphaomega.omega.spring;

import static io.alphaomega.protocol.v1.Input.KindCase.ABORT;
import static io.alphaomega.protocol.v1.Input.KindCase.BEGIN;
import static io.alphaomega.protocol.v1.Input.KindCase.BEGIN_BRANCH;
import static io.alphaomega.protocol.v1.Input.KindCase.END;
import static io.alphaomega.protocol.v1.Input.KindCase.END_BRANCH;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.alphaomega.omega.Omega;
import io.alphaomega.omega.SagaAbortedException;
import io.alphaomega.omega.SagaException;
import io.alphaomega.omega.context.SagaContext;
import io.alphaomega.omega.context.SagaHeaders;
import io.alphaomega.omega.transport.http.SagaCalls;
import io.alphaomega.protocol.v1.BeginSaga;
import io.alphaomega.protocol.v1.CallReports;
import io.alphaomega.protocol.v1.Carried;
import io.alphaomega.protocol.v1.Input;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.http.HttpStatus;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.ResponseEntity;
import org.springframework.http.client.JdkClientHttpRequestFactory;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.client.HttpClientErrorException;
import org.springframework.web.client.RestClient;
import org.springframework.web.client.RestTemplate;

/** What travels with calls and their answers, over HTTP to a real web server and back. */
class TravellingReportsTest {
    @TempDir
    Path directory;

    private final SmallAlpha alpha = new SmallAlpha();
    private ConfigurableApplicationContext application;
    private Shop.Counter counter;
    private Shop.Orders orders;
    private RestClient client;
    private String url;

    @BeforeEach
    void start() {
        application = start("omega.compensable.end=WITH_ANSWER");
        url = url(application);
        counter = application.getBean(Shop.Counter.class);
        orders = application.getBean(Shop.Orders.class);
        client = application.getBean(RestClient.Builder.class).baseUrl(url).build();
    }

    private ConfigurableApplicationContext start(String property) {
        return new SpringApplicationBuilder(Web.class)
                .web(WebApplicationType.SERVLET)
                .properties(
                        "spring.application.name=shop",
                        "server.port=0",
                        "spring.main.banner-mode=off",
                        "spring.datasource.url=" + Applications.url(directory),
                        "omega.alpha.addresses=" + alpha.address(),
                        "omega.drain-timeout=100ms",
                        "omega.hold-for=10m")
                .properties(property)
                .run();
    }

    private static String url(ConfigurableApplicationContext application) {
        return "http://127.0.0.1:" + application.getEnvironment().getProperty("local.server.port");
    }

    @AfterEach
    void stop() {
        application.close();
        alpha.close();
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import({Shop.Orders.class, Shop.Counter.class, Endpoint.class})
    static class Web {}

    @ResponseStatus(HttpStatus.CONFLICT)
    static class Conflict extends RuntimeException {}

    /** Other services. */
    @RestController
    static class Endpoint {
        private final Shop.Orders orders;
        private final RestClient client;

        Endpoint(Shop.Orders orders, RestClient.Builder client) {
            this.orders = orders;
            this.client = client.build();
        }

        @PostMapping("/orders/{item}")
        String order(@PathVariable String item) {
            orders.orderWithoutTransaction(item);
            return item;
        }

        /** Has no branch of its own, and copies what it is answered, headers and all. */
        @PostMapping("/gateway/{item}/{port}")
        ResponseEntity<String> pass(@PathVariable String item, @PathVariable int port) {
            return client.post()
                    .uri("http://127.0.0.1:" + port + "/orders/" + item)
                    .retrieve()
                    .toEntity(String.class);
        }

        /** The branch ends, and the answer is a failure. */
        @PostMapping("/fails/{item}/{how}")
        String fail(@PathVariable String item, @PathVariable String how) {
            order(item);
            throw how.equals("mapped") ? new Conflict() : new IllegalStateException("after the branch");
        }

        /** As a service with an omega that knows nothing of what travels. */
        @PostMapping("/older/{item}")
        String asOlder(@PathVariable String item) {
            RunningShop.calledByAnother(() -> order(item)).run();
            return item;
        }

        @PostMapping("/redirects/{item}")
        ResponseEntity<Void> redirect(@PathVariable String item) {
            order(item);
            return ResponseEntity.status(HttpStatus.SEE_OTHER)
                    .location(URI.create("/nowhere"))
                    .build();
        }

        @PostMapping("/later/{item}")
        Callable<String> answerLater(@PathVariable String item) {
            order(item);
            return () -> item;
        }

        @PostMapping("/reset/{item}")
        void reset(@PathVariable String item, HttpServletResponse response) {
            order(item);
            response.reset();
        }

        @PostMapping("/early/{item}")
        void answerEarly(@PathVariable String item, HttpServletResponse response) throws IOException {
            response.flushBuffer();
            order(item);
        }
    }

    @Test
    void three_branches_of_other_services_are_four_messages() {
        counter.run(() -> List.of("a", "b", "c").forEach(this::order));

        assertThat(alpha.kinds()).containsExactly(BEGIN_BRANCH, BEGIN_BRANCH, BEGIN_BRANCH, END);
        List<Input> inputs = alpha.inputs();
        assertThat(inputs.get(0).getCarried().getBegin().getOperation()).isEqualTo("Shop.Counter.run");
        assertThat(inputs.get(0).getCarried().getService()).isEqualTo("shop");
        assertThat(inputs.subList(1, 4))
                .as("the begin is told once")
                .noneMatch(input -> input.getCarried().hasBegin());
        for (int i = 0; i < 3; i++) {
            assertThat(inputs.get(i).getBeginBranch().getEndTravels()).isTrue();
            assertThat(inputs.get(i + 1).getCarried().getEndedList())
                    .as("an end is told with what comes next, and not again")
                    .containsExactly(inputs.get(i).getBeginBranch().getBranch());
        }
    }

    @Test
    void branches_here_and_there_take_turns() {
        counter.run(() -> {
            orders.orderWithoutTransaction("here");
            order("there");
            orders.orderWithoutTransaction("here");
        });
        assertThat(alpha.kinds()).containsExactly(BEGIN_BRANCH, BEGIN_BRANCH, BEGIN_BRANCH, END);
        assertThat(alpha.begins()).hasSize(1);
        assertThat(alpha.carriedEnds()).hasSize(3).doesNotHaveDuplicates();
    }

    @Test
    void reports_travel_through_services_without_branches() {
        counter.run(() -> post("/gateway/a/" + URI.create(url).getPort()));
        assertThat(alpha.kinds()).containsExactly(BEGIN_BRANCH, END);
        assertThat(alpha.begins()).hasSize(1);
        assertThat(alpha.only(END).getCarried().getEndedList())
                .containsExactly(alpha.only(BEGIN_BRANCH).getBeginBranch().getBranch());
    }

    @Test
    void a_service_with_an_older_omega_reports_as_it_always_has_and_the_end_brings_the_begin() {
        counter.run(() -> {
            post("/older/a");
            order("b");
            post("/older/c");
        });
        assertThat(alpha.kinds())
                .containsExactly(BEGIN_BRANCH, END_BRANCH, BEGIN_BRANCH, BEGIN_BRANCH, END_BRANCH, END);
        assertThat(alpha.begins()).hasSize(1);

        int before = alpha.inputs().size();
        counter.run(() -> post("/older/d"));
        List<Input> second = alpha.inputs().subList(before, alpha.inputs().size());
        assertThat(second).extracting(Input::getKindCase).containsExactly(BEGIN_BRANCH, END_BRANCH, END);
        assertThat(second.get(2).getCarried().getBegin().getOperation()).isEqualTo("Shop.Counter.run");
    }

    @Test
    void an_abort_brings_the_ends_that_are_known() {
        assertThatThrownBy(() -> counter.run(() -> {
                    order("a");
                    throw new Shop.Harmless();
                }))
                .isInstanceOf(Shop.Harmless.class);
        assertThat(alpha.only(ABORT).getCarried().getEndedList())
                .containsExactly(alpha.only(BEGIN_BRANCH).getBeginBranch().getBranch());
    }

    @Test
    void of_a_call_that_nobody_has_answered_alpha_hears_the_begin_with_the_abort() {
        assertThatThrownBy(() -> counter.run(() -> client.post()
                        .uri("http://127.0.0.1:1/nobody")
                        .retrieve()
                        .toBodilessEntity()))
                .isInstanceOf(RuntimeException.class);
        assertThat(alpha.kinds()).containsExactly(ABORT);
        assertThat(alpha.only(ABORT).getCarried().getBegin().getOperation()).isEqualTo("Shop.Counter.run");
    }

    @Test
    void whoever_answers_with_a_failure_reports_by_itself() {
        for (String how : List.of("mapped", "thrown")) {
            int before = alpha.carriedEnds().size();
            assertThatThrownBy(() -> counter.run(() -> {
                        post("/fails/a/" + how);
                    }))
                    .isInstanceOf(RuntimeException.class);
            await().until(() -> alpha.carriedEnds().size() > before);
            await().until(() -> alpha.inputs().stream()
                    .anyMatch(input -> input.hasBegin() && input.getCarried().getEndedCount() == 1));
        }
    }

    @Test
    void a_branch_with_very_little_time_or_much_reports_by_itself() {
        counter.run(() -> {
            orders.orderInFourSeconds("a");
            orders.orderInSixMinutes("b");
        });
        assertThat(alpha.kinds()).containsExactly(BEGIN_BRANCH, END_BRANCH, BEGIN_BRANCH, END_BRANCH, END);
    }

    @Test
    void whoever_cannot_know_that_its_caller_sees_the_answer_reports_by_itself() {
        for (String path : List.of("/redirects/a", "/later/a", "/reset/a")) {
            int before = alpha.inputs().size();
            counter.open(() -> {
                try {
                    post(path);
                } catch (RuntimeException notFound) {
                    // Where the redirect leads to.
                }
            });
            await().untilAsserted(() -> assertThat(
                            alpha.inputs().subList(before, alpha.inputs().size()))
                    .as("what %s told by itself", path)
                    .anyMatch(input -> input.hasBegin() && input.getCarried().getEndedCount() == 1));
        }
    }

    @Test
    void a_service_on_the_way_that_copies_headers_does_not_answer_for_whoever_it_calls() {
        CallReports.Builder reports = CallReports.newBuilder()
                .setReports(Carried.newBuilder()
                        .setBegin(BeginSaga.newBuilder().setOperation("book"))
                        .setService("booking")
                        .setInstance("booking-1"))
                .setTakesEnds(true)
                .setCall("call-1");
        for (String call : List.of("call-1", "call-2")) {
            ResponseEntity<String> answer = RestClient.create(url)
                    .post()
                    .uri("/orders/a")
                    .header(SagaHeaders.SAGA, "saga-1")
                    .header(SagaHeaders.CALL, call)
                    .header(SagaHeaders.CARRIED, SagaHeaders.encoded(reports.build()))
                    .retrieve()
                    .toEntity(String.class);
            assertThat(answer.getHeaders().getOrEmpty(SagaHeaders.CARRIED)).hasSize(call.equals("call-1") ? 1 : 0);
        }
        assertThat(alpha.kinds()).containsExactly(BEGIN_BRANCH, BEGIN_BRANCH, END_BRANCH);
    }

    @Test
    void in_a_network_that_drops_headers_of_answers_participants_can_be_told_to_report_by_themselves() {
        application.close();
        application = start("omega.compensable.end=EAGER");
        RestClient to = application.getBean(RestClient.Builder.class).build();
        application
                .getBean(Shop.Counter.class)
                .run(() ->
                        to.post().uri(url(application) + "/orders/a").retrieve().toBodilessEntity());
        assertThat(alpha.kinds()).containsExactly(BEGIN_BRANCH, END_BRANCH, END);
    }

    @Test
    void a_client_that_lost_what_omega_gave_it_shares_the_saga_all_the_same() {
        RestTemplate template = BootUnderTest.restTemplate(application);
        template.setRequestFactory(new JdkClientHttpRequestFactory());
        counter.run(() -> template.postForObject(url + "/orders/a", null, String.class));
        assertThat(alpha.kinds()).containsExactly(BEGIN_BRANCH, END_BRANCH, END);
        assertThat(alpha.begins()).isNotEmpty();

        int before = alpha.inputs().size();
        SagaCalls.from(template);
        counter.run(() -> template.postForObject(url + "/orders/b", null, String.class));
        assertThat(alpha.kinds().subList(before, alpha.kinds().size())).containsExactly(BEGIN_BRANCH, END);
    }

    @Test
    void whoever_asks_for_the_sagas_id_may_hand_it_on_so_alpha_hears_of_it() {
        Omega omega = application.getBean(Omega.class);
        counter.run(() -> assertThat(omega.sagaId()).isPresent());
        assertThat(alpha.kinds()).containsExactly(END);
        assertThat(alpha.begins()).hasSize(1);
    }

    @Test
    void a_saga_that_is_left_open_is_told_when_its_method_returns() {
        counter.open(() -> {});
        await().until(() -> !alpha.inputs().isEmpty());
        assertThat(alpha.only(BEGIN).getCarried().getBegin().getOperation()).isEqualTo("Shop.Counter.open");
    }

    @Test
    void of_a_saga_that_nobody_heard_of_everybody_is_told_the_same_end() {
        AtomicReference<SagaContext> saga = new AtomicReference<>();
        assertThatThrownBy(() -> counter.open(() -> {
                    saga.set(SagaContext.current().orElseThrow());
                    throw new Shop.Harmless();
                }))
                .isInstanceOf(Shop.Harmless.class);
        within(saga.get(), () -> assertThatThrownBy(counter::close).isInstanceOf(SagaAbortedException.class));

        counter.run(() -> saga.set(SagaContext.current().orElseThrow()));
        within(
                saga.get(),
                () -> assertThatThrownBy(() -> application.getBean(Omega.class).abort("too late"))
                        .isInstanceOf(SagaException.class)
                        .hasMessageContaining("has ended"));
        assertThat(alpha.inputs()).isEmpty();
    }

    private static void within(SagaContext saga, Runnable task) {
        SagaContext.Scope scope = saga.open();
        try {
            task.run();
        } finally {
            scope.close();
        }
    }

    @Test
    void an_answer_that_is_under_way_already_brings_nothing() {
        counter.run(() -> post("/early/a"));
        assertThat(alpha.kinds()).containsExactlyInAnyOrder(BEGIN_BRANCH, END_BRANCH, END);
        assertThat(alpha.only(BEGIN_BRANCH).getBeginBranch().getEndTravels()).isFalse();
    }

    @Test
    void of_a_client_that_does_not_look_at_answers_participants_report_by_themselves() {
        RestClient.Builder own = RestClient.builder().baseUrl(url);
        SagaCalls.from(own);
        counter.run(() -> own.build().post().uri("/orders/a").retrieve().toBodilessEntity());
        assertThat(alpha.kinds()).containsExactly(BEGIN_BRANCH, END_BRANCH, END);
        assertThat(alpha.begins()).as("the begin travels all the same").isNotEmpty();
    }

    @Test
    void every_way_to_read_an_answer_is_as_good() {
        RestClient intercepted = client.mutate()
                .requestInterceptor((request, body, execution) -> execution.execute(request, body))
                .build();
        counter.run(() -> {
            for (RestClient each : List.of(client, intercepted)) {
                each.post().uri("/orders/a").exchange((request, response) -> response.getStatusCode());
                each.post().uri("/orders/b").retrieve().body(String.class);
            }
        });
        assertThat(alpha.kinds()).doesNotContain(END_BRANCH);
        assertThat(alpha.carriedEnds()).hasSize(4);
    }

    @Test
    void a_service_that_says_nothing_of_the_saga_is_told_nothing_with_the_answer() {
        ResponseEntity<String> answer = RestClient.create(url)
                .post()
                .uri("/orders/a")
                .header(SagaHeaders.SAGA, "saga-1")
                .retrieve()
                .toEntity(String.class);
        assertThat(answer.getHeaders().getOrEmpty(SagaHeaders.CARRIED)).isEmpty();
        assertThat(alpha.kinds()).containsExactly(BEGIN_BRANCH, END_BRANCH);
    }

    @Test
    void an_end_that_is_held_for_long_is_told_with_the_begin() {
        application.close();
        application = start("omega.hold-for=300ms");
        application.getBean(Shop.Counter.class).run(() -> {
            application.getBean(Shop.Orders.class).orderWithoutTransaction("a");
            await().until(() -> !alpha.carriedEnds().isEmpty());
        });
        assertThat(alpha.kinds()).containsExactly(BEGIN_BRANCH, BEGIN, END);
        Input told = alpha.only(BEGIN);
        assertThat(told.getCarried().getBegin()).isEqualTo(told.getBegin());
        assertThat(told.getCarried().getService()).isEqualTo("shop");
        assertThat(alpha.only(END).getCarried().getEndedList()).isEmpty();
    }

    @Test
    void what_a_stopping_service_holds_it_tells() {
        AtomicReference<SagaContext> saga = new AtomicReference<>();
        counter.open(() -> saga.set(SagaContext.current().orElseThrow()));
        within(saga.get(), () -> orders.orderWithoutTransaction("a"));
        application.close();
        assertThat(alpha.carriedEnds()).hasSize(1);
    }

    @Test
    void more_ends_than_an_answer_holds_are_reported_by_themselves() {
        SagaContext[] saga = new SagaContext[1];
        counter.open(() -> saga[0] = SagaContext.current().orElseThrow());
        for (int i = 0; i < 16; i++)
            assertThat(saga[0].untold().leave("branch-" + i)).isTrue();
        assertThat(saga[0].untold().leave("branch-16")).isFalse();
    }

    @Test
    void in_a_saga_that_has_ended_without_branches_none_begins_here_or_elsewhere() {
        AtomicReference<SagaContext> saga = new AtomicReference<>();
        counter.run(() -> saga.set(SagaContext.current().orElseThrow()));
        within(saga.get(), () -> {
            assertThat(application.getBean(Omega.class).sagaId()).isPresent();
            assertThatThrownBy(() -> orders.orderWithoutTransaction("here"))
                    .isInstanceOf(SagaException.class)
                    .hasMessageContaining("has ended; nothing begins in it any more");
            assertThatThrownBy(() -> order("there")).isInstanceOf(HttpClientErrorException.Conflict.class);
        });
        assertThat(alpha.inputs()).isEmpty();
        assertThat(orders.all()).isEmpty();
    }

    @Test
    void a_header_that_no_omega_has_written_is_refused() {
        for (String value : List.of("???", "_____w", encoded("not an id"))) {
            ResponseEntity<String> answer = RestClient.create(url)
                    .post()
                    .uri("/orders/a")
                    .headers(headers -> headers.setAll(Map.of(SagaHeaders.SAGA, "saga-1", SagaHeaders.CARRIED, value)))
                    .retrieve()
                    .onStatus(HttpStatusCode::isError, (request, response) -> {})
                    .toEntity(String.class);
            assertThat(answer.getStatusCode()).isEqualTo(HttpStatus.BAD_REQUEST);
            assertThat(answer.getBody())
                    .contains("Header X-Omega-Carried must be what an omega has written but is not");
        }
        assertThat(alpha.inputs()).isEmpty();
    }

    private static String encoded(String ended) {
        CallReports reports = CallReports.newBuilder()
                .setReports(Carried.newBuilder().addEnded(ended))
                .build();
        return Base64.getUrlEncoder().withoutPadding().encodeToString(reports.toByteArray());
    }

    private void order(String item) {
        post("/orders/" + item);
    }

    private void post(String path) {
        client.post().uri(path).retrieve().toBodilessEntity();
    }
}
