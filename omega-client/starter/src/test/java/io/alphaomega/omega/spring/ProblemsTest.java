package io.alphaomega.omega.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.alphaomega.omega.AlphaUnavailableException;
import io.alphaomega.omega.Compensable;
import io.alphaomega.omega.SagaException;
import io.alphaomega.omega.SagaOutcomeUnknownException;
import io.alphaomega.omega.SagaPendingException;
import io.alphaomega.omega.context.SagaHeaders;
import io.alphaomega.protocol.v1.Aborted;
import io.alphaomega.protocol.v1.Ack;
import io.alphaomega.protocol.v1.Committed;
import io.alphaomega.protocol.v1.Rejected;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.nio.charset.StandardCharsets;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpStatus;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.ControllerAdvice;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.client.RestClient;
import org.springframework.web.server.WebExceptionHandler;
import org.springframework.web.servlet.HandlerExceptionResolver;
import org.springframework.web.servlet.ModelAndView;
import reactor.core.publisher.Mono;

/** What a service answers to a call in a saga that omega has refused: problem details, unless the service says otherwise. */
class ProblemsTest {
    private static final SmallAlpha ALPHA = new SmallAlpha();
    private static final Map<Service, ConfigurableApplicationContext> RUNNING = new EnumMap<>(Service.class);
    private static final String LEAK = "no such guest: Ada Lovelace";

    /** Services with nothing of their own for exceptions, and one for each way of having it. */
    enum Service {
        MVC(WebApplicationType.SERVLET),
        WEBFLUX(WebApplicationType.REACTIVE),
        MVC_WITH_ADVICE(WebApplicationType.SERVLET, OwnAdvice.class),
        WEBFLUX_WITH_ADVICE(WebApplicationType.REACTIVE, OwnAdvice.class),
        MVC_WITH_RESOLVER(WebApplicationType.SERVLET, OwnResolver.class),
        WEBFLUX_WITH_HANDLER(WebApplicationType.REACTIVE, OwnHandler.class);

        private final WebApplicationType type;

        @SuppressWarnings("ImmutableEnumChecker") // Nobody changes the array.
        private final Class<?>[] own;

        Service(WebApplicationType type, Class<?>... own) {
            this.type = type;
            this.own = own;
        }

        void start() {
            ConfigurableApplicationContext context = new SpringApplicationBuilder(own)
                    .sources(Application.class)
                    .web(type)
                    .properties(
                            "spring.application.name=desk",
                            "server.port=0",
                            "spring.main.banner-mode=off",
                            "omega.alpha.addresses=" + ALPHA.address(),
                            "omega.begin-timeout=300ms",
                            "omega.hold-for=10m",
                            "omega.drain-timeout=100ms")
                    .run();
            RUNNING.put(this, context);
        }

        String url() {
            return "http://127.0.0.1:"
                    + Objects.requireNonNull(RUNNING.get(this)).getEnvironment().getProperty("local.server.port");
        }
    }

    @Configuration(proxyBeanMethods = false)
    @Applications.EnableWithoutDataSource
    @Import({Desk.class, DeskController.class})
    static class Application {}

    static class Desk {
        @Compensable(compensationMethod = "cancel", name = "desk", fenced = false)
        public String book(String guest) {
            return guest;
        }

        @Compensable(compensationMethod = "cancel", name = "flowing", fenced = false)
        public Mono<String> flow(String guest) {
            return Mono.just(guest);
        }

        public void cancel(String guest) {}
    }

    @RestController
    static class DeskController {
        private final Desk desk;

        DeskController(Desk desk) {
            this.desk = desk;
        }

        @PostMapping("/now/{guest}")
        String now(@PathVariable String guest) {
            return desk.book(guest);
        }

        @PostMapping("/flow/{guest}")
        Mono<String> flow(@PathVariable String guest) {
            return desk.flow(guest);
        }

        @PostMapping("/later/{guest}")
        CompletableFuture<String> later(@PathVariable String guest) {
            return CompletableFuture.failedFuture(new CompletionException(thrownBy(guest)));
        }

        private Throwable thrownBy(String kind) {
            return switch (kind) {
                case "pending" -> new SagaPendingException("trip-2");
                case "unknown" -> new SagaOutcomeUnknownException("trip-3", LEAK, null);
                case "untold" ->
                    new SagaException("Alpha was not told.", new AlphaUnavailableException("alpha-1.internal is away"));
                case "bug" -> new SagaException("The argument would not come back.");
                default -> new IllegalStateException("none of omega's");
            };
        }
    }

    @ControllerAdvice
    static class OwnAdvice {
        @ExceptionHandler(RuntimeException.class)
        @ResponseStatus(HttpStatus.FAILED_DEPENDENCY)
        void any() {}
    }

    static class OwnResolver {
        @Bean
        HandlerExceptionResolver own() {
            return OwnResolver::answered;
        }

        private static ModelAndView answered(
                HttpServletRequest request, HttpServletResponse response, @Nullable Object handler, Exception thrown) {
            response.setStatus(HttpStatus.FAILED_DEPENDENCY.value());
            return new ModelAndView();
        }
    }

    static class OwnHandler {
        @Bean
        @Order(-1)
        WebExceptionHandler own() {
            return (exchange, thrown) -> {
                exchange.getResponse().setStatusCode(HttpStatus.FAILED_DEPENDENCY);
                return exchange.getResponse().setComplete();
            };
        }
    }

    /** What a service answers. */
    record Answer(HttpStatusCode status, @Nullable MediaType type, String body) {}

    @BeforeAll
    static void start() {
        for (Service each : Service.values()) each.start();
    }

    @AfterAll
    static void stop() {
        RUNNING.values().forEach(ConfigurableApplicationContext::close);
        ALPHA.close();
    }

    @BeforeEach
    void forget() {
        ALPHA.answer = input -> null;
        ALPHA.silentOn = input -> false;
    }

    private static Answer post(Service service, String path, @Nullable String saga) {
        return RestClient.create(service.url())
                .post()
                .uri(path)
                .headers(headers -> {
                    if (saga != null) headers.set(SagaHeaders.SAGA, saga);
                })
                .exchange((request, response) -> new Answer(
                        response.getStatusCode(),
                        response.getHeaders().getContentType(),
                        new String(response.getBody().readAllBytes(), StandardCharsets.UTF_8)));
    }

    /** By the thread of the request where it may wait. */
    private static Answer book(Service service) {
        return post(service, service == Service.MVC ? "/now/Ada" : "/flow/Ada", "trip-1");
    }

    private static void assertProblem(Answer answer, int status, String body) {
        assertThat(answer.status().value()).isEqualTo(status);
        assertThat(Objects.requireNonNull(answer.type()).isCompatibleWith(MediaType.APPLICATION_PROBLEM_JSON))
                .isTrue();
        assertThat(answer.body()).isEqualTo(body);
    }

    // ---- what omega refuses

    @ParameterizedTest
    @EnumSource(names = {"MVC", "WEBFLUX"})
    void a_call_in_an_aborted_saga_is_a_conflict(Service service) {
        ALPHA.answer = input -> input.hasBeginBranch()
                ? Ack.newBuilder()
                        .setAborted(Aborted.newBuilder()
                                .setCause(Aborted.Cause.SAGA_TIMED_OUT)
                                .setText(LEAK))
                : null;
        assertProblem(
                book(service),
                409,
                "{\"title\":\"Conflict\",\"status\":409,\"detail\":\"Saga trip-1 is aborted; nothing more runs in it.\","
                        + "\"reason\":\"SAGA_TIMED_OUT\",\"saga\":\"trip-1\"}");
    }

    @ParameterizedTest
    @EnumSource(names = {"MVC", "WEBFLUX"})
    void a_call_after_the_commit_is_a_conflict(Service service) {
        ALPHA.answer =
                input -> input.hasBeginBranch() ? Ack.newBuilder().setCommitted(Committed.getDefaultInstance()) : null;
        assertProblem(
                book(service),
                409,
                "{\"title\":\"Conflict\",\"status\":409,\"detail\":\"Saga trip-1 takes nothing more; what was called did"
                        + " not run.\",\"reason\":\"SAGA_OVER\",\"saga\":\"trip-1\"}");
    }

    @ParameterizedTest
    @EnumSource(names = {"MVC", "WEBFLUX"})
    void a_call_that_alpha_refuses_is_a_conflict_with_alphas_reason(Service service) {
        ALPHA.answer = input -> input.hasBeginBranch()
                ? Ack.newBuilder()
                        .setRejected(Rejected.newBuilder()
                                .setReason("TOO_MANY_BRANCHES")
                                .setText(LEAK))
                : null;
        assertProblem(
                book(service),
                409,
                "{\"title\":\"Conflict\",\"status\":409,\"detail\":\"Saga trip-1 refused what was called; it did not"
                        + " run.\",\"reason\":\"TOO_MANY_BRANCHES\",\"saga\":\"trip-1\"}");
    }

    @ParameterizedTest
    @EnumSource(names = {"MVC", "WEBFLUX"})
    void a_call_while_alpha_is_silent_says_that_the_service_is_unavailable(Service service) {
        ALPHA.silentOn = input -> input.hasBeginBranch();
        assertProblem(
                book(service),
                503,
                "{\"title\":\"Service Unavailable\",\"status\":503,\"detail\":\"Alpha did not answer this service in"
                        + " time.\",\"reason\":\"ALPHA_UNAVAILABLE\"}");
    }

    @ParameterizedTest
    @EnumSource(names = {"MVC", "WEBFLUX"})
    void what_fails_later_is_answered_in_the_same_way_and_tells_nothing_of_other_services(Service service) {
        Map.of("pending", 409, "unknown", 504, "untold", 503).forEach((kind, status) -> {
            Answer answer = post(service, "/later/" + kind, "trip-1");
            assertThat(answer.status().value()).as(kind).isEqualTo(status);
            assertThat(answer.body()).contains("\"status\":" + status).doesNotContain(LEAK, "alpha-1.internal");
        });
    }

    // ---- what stays as it is

    @ParameterizedTest
    @EnumSource(names = {"MVC", "WEBFLUX"})
    void bugs_and_what_is_not_omegas_are_failures_as_they_were(Service service) {
        for (String kind : new String[] {"bug", "other"}) {
            Answer answer = post(service, "/later/" + kind, "trip-1");
            assertThat(answer.status()).isEqualTo(HttpStatus.INTERNAL_SERVER_ERROR);
            assertThat(answer.body()).contains("\"path\":\"/later/" + kind + "\"");
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"MVC", "WEBFLUX"})
    void requests_of_no_saga_are_answered_as_they_were(Service service) {
        Answer answer = post(service, "/later/unknown", null);
        assertThat(answer.status()).isEqualTo(HttpStatus.INTERNAL_SERVER_ERROR);
        assertThat(answer.body()).contains("\"path\":\"/later/unknown\"");
    }

    @ParameterizedTest
    @EnumSource(
            names = {"MVC", "WEBFLUX"},
            mode = EnumSource.Mode.EXCLUDE)
    void a_service_that_has_handlers_of_its_own_is_asked_first(Service service) {
        assertThat(post(service, "/later/unknown", "trip-1").status()).isEqualTo(HttpStatus.FAILED_DEPENDENCY);
    }
}
