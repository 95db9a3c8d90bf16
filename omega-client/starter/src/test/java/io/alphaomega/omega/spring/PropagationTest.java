package io.alphaomega.omega.spring;

import static io.alphaomega.protocol.v1.Input.KindCase.BEGIN_BRANCH;
import static io.alphaomega.protocol.v1.Input.KindCase.END;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.alphaomega.omega.Omega;
import io.alphaomega.omega.context.SagaContext;
import io.alphaomega.omega.context.SagaHeaders;
import io.alphaomega.omega.spring.definition.OfferedCallbacks;
import io.alphaomega.protocol.v1.BeginBranch;
import io.alphaomega.protocol.v1.Input;
import java.io.EOFException;
import java.io.IOException;
import java.net.SocketException;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;
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
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.ResponseEntity;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.annotation.EnableAsync;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.client.RestClient;
import org.springframework.web.client.RestTemplate;
import org.springframework.web.client.support.RestClientAdapter;
import org.springframework.web.service.annotation.PostExchange;
import org.springframework.web.service.invoker.HttpServiceProxyFactory;

/** How a saga travels: over HTTP to a real web server and back, and to other threads. */
class PropagationTest {
    @TempDir
    Path directory;

    private final SmallAlpha alpha = new SmallAlpha();
    private ConfigurableApplicationContext application;
    private String url;

    @BeforeEach
    void start() {
        application = start(false, false);
        url = "http://127.0.0.1:" + application.getEnvironment().getProperty("local.server.port");
    }

    private ConfigurableApplicationContext start(boolean virtualThreads, boolean lazy) {
        return new SpringApplicationBuilder(Web.class)
                .web(WebApplicationType.SERVLET)
                .lazyInitialization(lazy)
                .properties(
                        "spring.application.name=shop",
                        "server.port=0",
                        "spring.main.banner-mode=off",
                        "spring.threads.virtual.enabled=" + virtualThreads,
                        "spring.datasource.url=" + Applications.url(directory),
                        "omega.alpha.addresses=" + alpha.address(),
                        "omega.hold-for=10m",
                        "omega.drain-timeout=100ms")
                .run();
    }

    @AfterEach
    void stop() {
        application.close();
        alpha.close();
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @EnableAsync
    @BootUnderTest.ImportShopService
    @Import({Shop.Orders.class, Shop.Counter.class, Endpoint.class, Background.class})
    static class Web {}

    /** What another service offers. */
    @RestController
    static class Endpoint {
        private final Shop.Orders orders;
        private final Shop.Counter counter;
        private final Omega omega;

        Endpoint(Shop.Orders orders, Shop.Counter counter, Omega omega) {
            this.orders = orders;
            this.counter = counter;
            this.omega = omega;
        }

        @PostMapping("/orders/{item}")
        String order(@PathVariable String item) {
            return orders.order(List.of(new Shop.Item(item, 1)), "Bob").number();
        }

        @PostMapping("/later/{item}")
        Callable<String> later(@PathVariable String item) {
            return () -> order(item);
        }

        @PostMapping("/failing/{how}")
        void fail(@PathVariable String how) {
            counter.run(() -> {
                throw switch (how) {
                    case "end" -> new IllegalStateException(new EOFException());
                    case "reset" -> new IllegalStateException(new IOException("Connection reset by peer"));
                    case "pipe" -> new IllegalStateException(new SocketException("Broken pipe"));
                    default -> new ClientAbortException();
                };
            });
        }

        @PostMapping("/saga")
        String saga() {
            return omega.sagaId().orElse("none");
        }
    }

    /** As Tomcat's, of a client that does not listen any more. */
    private static final class ClientAbortException extends RuntimeException {
        private static final long serialVersionUID = 1;
    }

    interface ShopService {
        @PostExchange("/orders/{item}")
        String order(@PathVariable String item);

        @PostExchange
        String order(URI uri);
    }

    static class Background {
        private final Shop.Orders orders;

        Background(Shop.Orders orders) {
            this.orders = orders;
        }

        @Async
        public CompletableFuture<String> order(String item) {
            return CompletableFuture.completedFuture(
                    orders.order(List.of(new Shop.Item(item, 1)), "Eve").number());
        }
    }

    @Test
    void rest_client_rest_template_and_http_interfaces_take_the_saga_along() {
        RestClient client =
                application.getBean(RestClient.Builder.class).baseUrl(url).build();
        RestTemplate template = BootUnderTest.restTemplate(application);
        ShopService own = HttpServiceProxyFactory.builderFor(RestClientAdapter.create(client))
                .build()
                .createClient(ShopService.class);
        ShopService imported = application.getBean(ShopService.class);

        counter().run(() -> {
            client.post().uri("/orders/a").retrieve().toBodilessEntity();
            template.postForObject(url + "/orders/b", null, String.class);
            assertThat(own.order("c")).isEqualTo("R-Bob");
            assertThat(imported.order(URI.create(url + "/orders/d"))).isEqualTo("R-Bob");
        });

        String saga = alpha.only(END).getSaga();
        assertThat(alpha.inputs()).allMatch(input -> input.getSaga().equals(saga));
        assertThat(alpha.kinds())
                .as("begins travel with branches, and ends with answers")
                .containsExactly(BEGIN_BRANCH, BEGIN_BRANCH, BEGIN_BRANCH, BEGIN_BRANCH, END);
        assertThat(alpha.begins()).hasSize(1);
        assertThat(branches()).hasSize(4).allMatch(b -> b.getParent().isEmpty());
        assertThat(branches().stream().map(BeginBranch::getBranch).distinct()).hasSize(4);
    }

    @Test
    void a_caller_may_name_its_call_so_that_a_repetition_is_the_same_branch() {
        RestClient client =
                application.getBean(RestClient.Builder.class).baseUrl(url).build();
        counter().run(() -> {
            for (int i = 0; i < 2; i++) {
                client.post()
                        .uri("/orders/a")
                        .header(SagaHeaders.KEY, "order-4711")
                        .retrieve()
                        .toBodilessEntity();
            }
        });
        assertThat(branches()).hasSize(2);
        assertThat(application.getBean(Shop.Orders.class).all()).containsExactly("a ORDERED");
    }

    @Test
    void a_lazy_application_connects_and_offers_its_callbacks_as_any_other() {
        application.close();
        application = start(false, true);
        counter().sell("book");
        assertThat(application.getBean(OfferedCallbacks.class).names()).contains("Shop.Orders.cancel");
        assertThat(alpha.callBack(callback -> {}).hasFailure()).isFalse();
    }

    @Test
    void a_call_of_a_branch_names_that_branch_as_parent() {
        RestClient client =
                application.getBean(RestClient.Builder.class).baseUrl(url).build();
        Shop.Orders orders = application.getBean(Shop.Orders.class);
        counter()
                .run(() -> orders.within(
                        () -> client.post().uri("/orders/a").retrieve().toBodilessEntity()));

        assertThat(branches()).hasSize(2);
        assertThat(branches().get(1).getParent()).isEqualTo(branches().get(0).getBranch());
    }

    @Test
    void a_repeated_call_is_the_same_branch_and_runs_once() {
        for (int i = 0; i < 2; i++) {
            ResponseEntity<String> response = post("/orders/a", "saga-1", "saga-1", "call-1");
            assertThat(response.getBody()).isEqualTo("R-Bob");
        }
        assertThat(branches())
                .hasSize(2)
                .extracting(BeginBranch::getBranch)
                .containsOnly(branches().get(0).getBranch());
        assertThat(application.getBean(Shop.Orders.class).all()).containsExactly("a ORDERED");
    }

    @Test
    void another_call_is_another_branch() {
        post("/orders/a", "saga-1", "saga-1", "call-1");
        post("/orders/a", "saga-1", "saga-1", "call-2");
        assertThat(application.getBean(Shop.Orders.class).all()).containsExactly("a ORDERED", "a ORDERED");
    }

    @Test
    void a_call_by_serviceComb_pack_has_no_call_id_and_is_served() {
        assertThat(post("/orders/a", "saga-1", "parent-1", null).getBody()).isEqualTo("R-Bob");
        assertThat(branches().get(0).getParent()).isEqualTo("parent-1");
    }

    @Test
    void who_is_called_and_hangs_up_is_not_taken_for_the_caller() {
        for (String how : List.of("end", "reset", "pipe")) {
            assertThat(post("/failing/" + how, null, null, null).getStatusCode())
                    .isEqualTo(HttpStatusCode.valueOf(500));
        }
        assertThat(post("/failing/client", null, null, null).getStatusCode()).isEqualTo(HttpStatusCode.valueOf(200));
    }

    @Test
    void malformed_headers_are_refused_with_a_sentence_and_not_repeated() {
        for (String[] headers : new String[][] {
            {"", "b", "c"}, {"sa ga", "b", "c"}, {"x".repeat(65), "b", "c"}, {"s", "<b>", "c"}, {"s", "b", "c\"d"}
        }) {
            ResponseEntity<String> response = post("/orders/a", headers[0], headers[1], headers[2]);
            assertThat(response.getStatusCode()).isEqualTo(HttpStatusCode.valueOf(400));
            assertThat(response.getBody())
                    .contains("must be 1 to 64 characters of A-Z a-z 0-9 - _ . :")
                    .doesNotContain("sa ga", "<b>");
        }
        assertThat(alpha.inputs()).isEmpty();
    }

    @Test
    void the_thread_that_served_a_request_is_in_no_saga_afterwards() {
        assertThat(post("/saga", "saga-1", null, null).getBody()).isEqualTo("saga-1");
        for (int i = 0; i < 20; i++) {
            assertThat(post("/saga", null, null, null).getBody()).isEqualTo("none");
        }
    }

    @Test
    void a_request_served_on_another_thread_stays_in_its_saga() {
        post("/later/a", "saga-1", null, null);
        assertThat(alpha.only(BEGIN_BRANCH).getSaga()).isEqualTo("saga-1");
    }

    @Test
    void asynchronous_methods_and_the_applications_executor_stay_in_the_saga() {
        asynchronously();
    }

    @Test
    void virtual_threads_stay_in_the_saga() {
        application.close();
        application = start(Runtime.version().feature() >= 21, false);
        asynchronously();
    }

    private void asynchronously() {
        Background background = application.getBean(Background.class);
        Shop.Orders orders = application.getBean(Shop.Orders.class);
        Executor executor = application.getBean("applicationTaskExecutor", Executor.class);
        counter().run(() -> {
            assertThat(background.order("a").join()).isEqualTo("R-Eve");
            CompletableFuture.runAsync(() -> orders.order(List.of(new Shop.Item("b", 1)), "Eve"), executor)
                    .join();
            CompletableFuture.runAsync(() -> assertThat(SagaContext.current()).isPresent(), executor)
                    .join();
        });
        String saga = alpha.only(END).getSaga();
        assertThat(alpha.inputs()).hasSize(3).allMatch(input -> input.getSaga().equals(saga));
        await().untilAsserted(() -> CompletableFuture.runAsync(
                        () -> assertThat(SagaContext.current()).isEmpty(), executor)
                .join());
    }

    private Shop.Counter counter() {
        return application.getBean(Shop.Counter.class);
    }

    private List<BeginBranch> branches() {
        return alpha.inputs().stream()
                .filter(Input::hasBeginBranch)
                .map(Input::getBeginBranch)
                .toList();
    }

    /** As another service would: with a client that knows nothing of omega. */
    private ResponseEntity<String> post(
            String path, @Nullable String saga, @Nullable String branch, @Nullable String call) {
        return RestClient.create(url)
                .post()
                .uri(path)
                .headers(headers -> {
                    put(headers, SagaHeaders.SAGA, saga);
                    put(headers, SagaHeaders.BRANCH, branch);
                    put(headers, SagaHeaders.CALL, call);
                })
                .retrieve()
                .onStatus(HttpStatusCode::isError, (request, response) -> {})
                .toEntity(String.class);
    }

    private static void put(HttpHeaders headers, String name, @Nullable String value) {
        if (value != null) headers.set(name, value);
    }
}
