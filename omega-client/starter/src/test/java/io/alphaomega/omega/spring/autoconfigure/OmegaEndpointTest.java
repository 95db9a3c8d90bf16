package io.alphaomega.omega.spring.autoconfigure;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.alphaomega.omega.CallbackInterceptor;
import io.alphaomega.omega.spring.Applications;
import io.alphaomega.omega.spring.Shop;
import io.alphaomega.omega.spring.SmallAlpha;
import io.alphaomega.omega.spring.autoconfigure.OmegaEndpoint.OfferedCallback;
import io.alphaomega.omega.spring.autoconfigure.OmegaEndpoint.Standing;
import io.alphaomega.omega.spring.definition.CallbackFinder;
import io.alphaomega.omega.spring.observe.InFlightWork;
import io.alphaomega.omega.stream.AlphaClient;
import io.alphaomega.omega.stream.AlphaStatus.State;
import io.alphaomega.protocol.v1.Ack;
import io.alphaomega.protocol.v1.BeginSaga;
import io.alphaomega.protocol.v1.Input;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.observation.DefaultMeterObservationHandler;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.observation.ObservationRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What operators are shown of this instance. */
class OmegaEndpointTest {
    private static final Duration MINUTES = Duration.ofMinutes(5);
    private static final Path PAGE = Path.of("../../docs/client/health.md");

    @TempDir
    Path directory;

    private final SmallAlpha alpha = new SmallAlpha();

    @AfterEach
    void stop() {
        alpha.close();
    }

    private ApplicationContextRunner exposed() {
        return Applications.shop(directory, alpha)
                .withPropertyValues("management.endpoints.web.exposure.include=omega");
    }

    @Test
    void it_is_there_only_where_the_service_exposes_it() {
        Applications.shop(directory, alpha)
                .run(context ->
                        assertThat(context).doesNotHaveBean(OmegaEndpoint.class).doesNotHaveBean(InFlightWork.class));
        exposed()
                .withPropertyValues("management.endpoint.omega.access=NONE")
                .run(context -> assertThat(context).doesNotHaveBean(OmegaEndpoint.class));
        exposed().run(context -> assertThat(context).hasSingleBean(OmegaEndpoint.class));
    }

    @Test
    void it_tells_streams_callbacks_and_what_is_under_way_in_the_words_of_the_page() {
        exposed().run(context -> {
            OmegaEndpoint endpoint = context.getBean(OmegaEndpoint.class);
            await().until(() -> endpoint.standing().alphas().get(0).state() == State.CONNECTED);
            assertThat(endpoint.standing().underWay().count()).isZero();

            alpha.silentOn = Input::hasBegin;
            CompletableFuture<Ack> unanswered =
                    context.getBean(AlphaClient.class).send(begin("unanswered"), MINUTES);
            List<Standing> seen = new ArrayList<>();
            Shop.Counter counter = context.getBean(Shop.Counter.class);
            Shop.Orders orders = context.getBean(Shop.Orders.class);
            counter.run(() -> orders.within(() -> seen.add(endpoint.standing())));

            Standing inside = seen.get(0);
            assertThat(inside.service()).isEqualTo("shop");
            assertThat(inside.instance()).isNotBlank();
            assertThat(inside.alphas()).singleElement().satisfies(one -> {
                assertThat(one.address()).isEqualTo(alpha.address());
                assertThat(one.node()).isEqualTo("alpha-1");
                assertThat(one.version()).isEqualTo("test");
                assertThat(one.unanswered()).isEqualTo(1);
            });
            assertThat(inside.reports().unanswered()).isEqualTo(1);
            assertThat(inside.reports().waiting()).isZero();
            assertThat(inside.underWay().oldest())
                    .extracting(InFlightWork.Run::kind)
                    .containsExactly(InFlightWork.Kind.SAGA, InFlightWork.Kind.BRANCH);
            assertThat(inside.underWay().oldest())
                    .extracting(InFlightWork.Run::saga)
                    .containsOnly(alpha.only(Input.KindCase.BEGIN_BRANCH).getSaga());
            assertThat(inside.callbacks())
                    .contains(new OfferedCallback(
                            "Shop.Orders.forget",
                            CallbackFinder.Role.COMPENSATION,
                            context.getBeanNamesForType(Shop.Orders.class)[0],
                            "Shop.Orders.forget()"));
            assertThat(endpoint.standing().underWay().count()).isZero();
            assertThat(fields(context.getBean(JsonMapper.class).valueToTree(inside)))
                    .isEqualTo(fields(documented()));
            unanswered.cancel(false);
        });
    }

    @Test
    void a_callback_is_under_way_while_it_runs() {
        List<Standing> seen = new CopyOnWriteArrayList<>();
        AtomicReference<OmegaEndpoint> endpoint = new AtomicReference<>();
        CallbackInterceptor looksOn = callback -> {
            seen.add(endpoint.get().standing());
            callback.proceed();
        };
        exposed().withBean(CallbackInterceptor.class, () -> looksOn).run(context -> {
            endpoint.set(context.getBean(OmegaEndpoint.class));
            context.getBean(Shop.Counter.class).sell("book");
            assertThat(alpha.callBack(callback -> {}).hasFailure()).isFalse();
            assertThat(seen).singleElement().satisfies(during -> {
                assertThat(during.alphas().get(0).callbacks()).isEqualTo(1);
                assertThat(during.underWay().oldest()).singleElement().satisfies(run -> {
                    assertThat(run.kind()).isEqualTo(InFlightWork.Kind.CALLBACK);
                    assertThat(run.operation()).isEqualTo("Shop.Orders.cancel");
                });
            });
            assertThat(endpoint.get().standing().underWay().count()).isZero();
        });
    }

    @Test
    void a_report_that_no_stream_has_waits() {
        exposed().run(context -> {
            OmegaEndpoint endpoint = context.getBean(OmegaEndpoint.class);
            await().until(() -> endpoint.standing().alphas().get(0).state() == State.CONNECTED);
            alpha.close();
            await().until(() -> endpoint.standing().alphas().get(0).state() != State.CONNECTED);
            CompletableFuture<Ack> waits = context.getBean(AlphaClient.class).send(begin("waits"), MINUTES);
            await().until(() -> endpoint.standing().reports().waiting() == 1);
            assertThat(endpoint.standing().alphas().get(0).lastError()).isNotEmpty();
            waits.cancel(false);
        });
    }

    @Test
    void what_else_observes_sagas_does_so_all_the_same() {
        SimpleMeterRegistry meters = new SimpleMeterRegistry();
        ObservationRegistry observations = ObservationRegistry.create();
        observations.observationConfig().observationHandler(new DefaultMeterObservationHandler(meters));
        exposed()
                .withConfiguration(AutoConfigurations.of(OmegaObservationAutoConfiguration.class))
                .withBean(ObservationRegistry.class, () -> observations)
                .withBean(MeterRegistry.class, () -> meters)
                .run(context -> {
                    context.getBean(Shop.Counter.class).sell("book");
                    assertThat(meters.get("omega.saga").timer().count()).isEqualTo(1);
                    assertThat(meters.get("omega.branch").timer().count()).isEqualTo(1);
                });
    }

    private static Input begin(String saga) {
        return Input.newBuilder()
                .setSaga(saga)
                .setBegin(BeginSaga.newBuilder().setOperation("nothing"))
                .build();
    }

    /** The example of the page. */
    private static JsonNode documented() {
        String page = read();
        int begin = page.indexOf("    {\n", page.indexOf("\n## The endpoint\n"));
        String indented = page.substring(begin, page.indexOf("\n    }\n", begin) + "\n    }\n".length());
        return JsonMapper.shared().readTree(indented);
    }

    private static String read() {
        try {
            return Files.readString(PAGE, UTF_8);
        } catch (IOException e) {
            throw new AssertionError(PAGE + " cannot be read", e);
        }
    }

    /** Each field by its path; elements of a list are alike. */
    private static Set<String> fields(JsonNode node) {
        Set<String> found = new TreeSet<>();
        collect("", node, found);
        return found;
    }

    private static void collect(String path, JsonNode node, Set<String> found) {
        if (node.isObject()) {
            node.properties().forEach(each -> collect(path + "/" + each.getKey(), each.getValue(), found));
        } else if (node.isArray()) {
            node.forEach(each -> collect(path + "[]", each, found));
        } else {
            found.add(path + " " + node.getNodeType());
        }
    }
}
