package io.alphaomega.omega.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import brave.handler.MutableSpan;
import brave.handler.SpanHandler;
import brave.propagation.CurrentTraceContext;
import brave.propagation.ThreadLocalCurrentTraceContext;
import brave.propagation.TraceContext;
import io.alphaomega.omega.CallbackInterceptor;
import io.alphaomega.omega.CallbackInvocation;
import io.alphaomega.omega.observation.BranchObservation;
import io.alphaomega.omega.observation.BranchObservationConvention;
import io.alphaomega.omega.spring.autoconfigure.OmegaObservationAutoConfiguration;
import io.alphaomega.omega.spring.observe.Observations;
import io.alphaomega.protocol.v1.Input;
import io.micrometer.common.KeyValues;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.tracing.Tracer;
import io.micrometer.tracing.brave.bridge.BraveBaggageManager;
import io.micrometer.tracing.brave.bridge.BraveCurrentTraceContext;
import io.micrometer.tracing.brave.bridge.BraveTracer;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** The spans of a service, as its exporter gets them. */
class TracingTest {
    private static final String FORWARD_TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
    private static final String FORWARD_SPAN = "00f067aa0ba902b7";
    private static final String FORWARD = "00-" + FORWARD_TRACE + "-" + FORWARD_SPAN + "-";

    @TempDir
    Path directory;

    private final SmallAlpha alpha = new SmallAlpha();
    private final InMemorySpanExporter exported = InMemorySpanExporter.create();

    @AfterEach
    void stop() {
        alpha.close();
    }

    @Test
    void alpha_is_handed_the_span_of_the_branch() {
        traced("1").run(context -> {
            context.getBean(Shop.Counter.class).sell("book");
            SpanData saga = only("saga Shop.Counter.sell");
            SpanData branch = only("branch Shop.Orders.order");
            assertThat(branch.getParentSpanId()).isEqualTo(saga.getSpanId());
            Input begin = alpha.only(Input.KindCase.BEGIN_BRANCH);
            assertThat(begin.getBeginBranch().getTraceparent())
                    .isEqualTo("00-%s-%s-01".formatted(branch.getTraceId(), branch.getSpanId()));
            assertThat(value(branch, "outcome")).isEqualTo("ENDED");
            assertThat(value(branch, "saga.id")).isEqualTo(begin.getSaga());
            assertThat(value(branch, "branch.id"))
                    .isEqualTo(begin.getBeginBranch().getBranch());
            assertThat(value(saga, "outcome")).isEqualTo("COMMITTED");
            assertThat(value(saga, "saga.id")).isEqualTo(begin.getSaga());
        });
    }

    @Test
    void a_branch_and_a_saga_that_fail_are_spans_with_an_error() {
        traced("1").run(context -> {
            Shop.Orders orders = context.getBean(Shop.Orders.class);
            assertThatThrownBy(() -> context.getBean(Shop.Counter.class)
                            .run(() -> orders.order(List.of(new Shop.Item("unicorn", 1)), "Ada")))
                    .isInstanceOf(Shop.OutOfStock.class);
            for (SpanData span : List.of(only("branch Shop.Orders.order"), only("saga Shop.Counter.run"))) {
                assertThat(span.getStatus().getStatusCode()).isEqualTo(StatusCode.ERROR);
            }
            assertThat(value(only("branch Shop.Orders.order"), "outcome")).isEqualTo("FAILED");
            assertThat(value(only("saga Shop.Counter.run"), "outcome")).isEqualTo("ABORTED");
        });
    }

    @Test
    void a_compensation_is_a_trace_of_its_own_that_links_to_its_forward_call_and_is_sampled_as_that_was() {
        traced("0").withBean(Around.class).run(context -> {
            context.getBean(Shop.Counter.class).sell("book");
            assertThat(exported.getFinishedSpanItems()).isEmpty(); // By chance none of its own is sampled.
            alpha.callBack(callback -> callback.setTraceparent(FORWARD + "01"));
            SpanData span = only("compensate Shop.Orders.cancel");
            assertThat(span.getTraceId()).isNotEqualTo(FORWARD_TRACE);
            assertThat(span.getParentSpanContext().isValid()).isFalse();
            assertThat(span.getKind()).isEqualTo(SpanKind.CONSUMER);
            assertThat(span.getLinks()).hasSize(1);
            assertThat(span.getLinks().get(0).getSpanContext().getTraceId()).isEqualTo(FORWARD_TRACE);
            assertThat(span.getLinks().get(0).getSpanContext().getSpanId()).isEqualTo(FORWARD_SPAN);
            assertThat(value(span, "kind")).isEqualTo("COMPENSATION");
            assertThat(value(span, "outcome")).isEqualTo("SUCCEEDED");
            assertThat(value(span, "attempt")).isEqualTo("1");
            assertThat(context.getBean(Around.class).traces).containsExactly(span.getTraceId());
        });
    }

    @Test
    void what_was_not_sampled_goes_on_unsampled_in_its_trace() {
        traced("1").withBean(Around.class).run(context -> {
            context.getBean(Shop.Counter.class).sell("book");
            exported.reset();
            alpha.callBack(callback -> callback.setTraceparent(FORWARD + "00"));
            assertThat(context.getBean(Around.class).traces).containsExactly(FORWARD_TRACE);
            assertThat(exported.getFinishedSpanItems()).isEmpty();
        });
    }

    @Test
    void a_compensation_without_a_readable_forward_span_is_a_trace_without_links() {
        traced("1").run(context -> {
            context.getBean(Shop.Counter.class).sell("book");
            for (String unreadable : List.of(
                    "",
                    "nonsense",
                    "ff-" + FORWARD.substring(3) + "01",
                    FORWARD.replace(FORWARD_SPAN, "0".repeat(16)) + "01",
                    FORWARD + "0g")) {
                exported.reset();
                alpha.callBack(callback -> callback.setTraceparent(unreadable));
                assertThat(only("compensate Shop.Orders.cancel").getLinks())
                        .as(unreadable)
                        .isEmpty();
            }
        });
    }

    @Test
    void a_compensation_that_throws_is_a_span_with_its_error() {
        traced("1").run(context -> {
            Shop.Orders orders = context.getBean(Shop.Orders.class);
            context.getBean(Shop.Counter.class).run(() -> orders.order(List.of(new Shop.Item("book", 1)), "stubborn"));
            alpha.callBack(callback -> callback.setTraceparent(FORWARD + "01"));
            SpanData span = only("compensate Shop.Orders.cancel");
            assertThat(value(span, "outcome")).isEqualTo("THREW");
            assertThat(span.getStatus().getStatusCode()).isEqualTo(StatusCode.ERROR);
            assertThat(span.getStatus().getDescription()).isEqualTo("not today");
        });
    }

    @Test
    void a_service_says_it_in_its_own_words() {
        traced("1").withBean(OwnWords.class).run(context -> {
            context.getBean(Shop.Counter.class).sell("book");
            assertThat(value(only("own Shop.Orders.order"), "outcome")).isEqualTo("ENDED");
        });
    }

    /** Its names and values are asked for when an observation begins, and once more when it ends. */
    @Test
    void a_convention_that_throws_makes_nothing_else_fail() {
        for (int good : List.of(0, 1)) {
            try (SmallAlpha own = new SmallAlpha()) {
                traced("1")
                        .withPropertyValues("omega.alpha.addresses=" + own.address())
                        .withBean(Throwing.class, () -> new Throwing(good))
                        .run(context -> {
                            context.getBean(Shop.Counter.class).sell("book");
                            assertThat(own.kinds()).endsWith(Input.KindCase.END);
                            assertThat(context.getBean(Throwing.class).asked.get())
                                    .isGreaterThan(good);
                        });
            }
        }
    }

    /** Without tracing, whose scope would stay open on this thread where the other handler's cannot be closed. */
    @Test
    void a_handler_that_throws_makes_nothing_else_fail_and_leaves_nothing_open() {
        for (Clumsy.When when : Clumsy.When.values()) {
            try (SmallAlpha own = new SmallAlpha()) {
                Applications.shop(directory, own)
                        .withConfiguration(AutoConfigurations.of(
                                BootUnderTest.OBSERVATION, OmegaObservationAutoConfiguration.class))
                        .withBean(Clumsy.class, () -> new Clumsy(when))
                        .run(context -> {
                            Shop.Counter counter = context.getBean(Shop.Counter.class);
                            Shop.Orders orders = context.getBean(Shop.Orders.class);
                            assertThatThrownBy(() -> counter.run(
                                            () -> orders.order(List.of(new Shop.Item("unicorn", 1)), "Ada")))
                                    .as(when.name())
                                    .isInstanceOf(Shop.OutOfStock.class);
                            counter.sell("book");
                            assertThat(own.kinds()).endsWith(Input.KindCase.END);

                            Clumsy clumsy = context.getBean(Clumsy.class);
                            assertThat(clumsy.told).as(when.name()).contains(when);
                            assertThat(Collections.frequency(clumsy.told, Clumsy.When.STOP))
                                    .as(when.name())
                                    .isEqualTo(when == Clumsy.When.START ? 0 : 4);
                            assertThat(context.getBean(ObservationRegistry.class)
                                            .getCurrentObservationScope())
                                    .as(when.name())
                                    .isNull();
                        });
            }
        }
    }

    @Test
    void observations_are_timers_beside_the_counters_and_can_be_switched_off() {
        ApplicationContextRunner timed = Applications.shop(directory, alpha)
                .withBean(SimpleMeterRegistry.class)
                .withConfiguration(AutoConfigurations.of(
                        BootUnderTest.METRICS, BootUnderTest.OBSERVATION, OmegaObservationAutoConfiguration.class));
        timed.run(context -> {
            context.getBean(Shop.Counter.class).sell("book");
            alpha.callBack(callback -> {});
            SimpleMeterRegistry meters = context.getBean(SimpleMeterRegistry.class);
            for (String name : List.of("omega.saga", "omega.branch", "omega.callback")) {
                assertThat(meters.get(name)
                                .tagKeys("operation", "outcome", "error")
                                .timer()
                                .count())
                        .as(name)
                        .isEqualTo(1);
            }
            assertThat(meters.get("omega.sagas").counter().count()).isEqualTo(1);
        });
        timed.withPropertyValues("management.observations.enable.omega=false").run(context -> {
            context.getBean(Shop.Counter.class).sell("pen");
            SimpleMeterRegistry meters = context.getBean(SimpleMeterRegistry.class);
            assertThat(meters.find("omega.saga").timer()).isNull();
            assertThat(meters.get("omega.sagas").counter().count()).isEqualTo(1);
        });
    }

    /** The samples' processes have no such class path at all; here the conditions are looked at. */
    @Test
    void without_tracing_on_the_class_path_the_service_starts_and_observes_for_its_timers_only() {
        Applications.plain()
                .withPropertyValues("omega.alpha.addresses=" + alpha.address())
                .withConfiguration(
                        AutoConfigurations.of(BootUnderTest.OBSERVATION, OmegaObservationAutoConfiguration.class))
                .withClassLoader(new FilteredClassLoader("io.micrometer.tracing", "io.opentelemetry", "brave"))
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    assertThat(context.containsBean("omegaForwardSampling")).isFalse();
                    assertThat(context.getBean(Observations.class).traceparent())
                            .isEmpty();
                });
    }

    @Test
    void without_a_registry_of_observations_nothing_is_observed() {
        Applications.shop(directory, alpha)
                .withConfiguration(AutoConfigurations.of(OmegaObservationAutoConfiguration.class))
                .run(context -> {
                    assertThat(context).doesNotHaveBean(Observations.class);
                    context.getBean(Shop.Counter.class).sell("book");
                    assertThat(alpha.only(Input.KindCase.BEGIN_BRANCH)
                                    .getBeginBranch()
                                    .getTraceparent())
                            .isEmpty();
                });
    }

    @Test
    void with_brave_alpha_is_handed_the_branch_too_and_a_compensation_links_to_it() {
        BraveSpans spans = new BraveSpans();
        Applications.shop(directory, alpha)
                .withConfiguration(AutoConfigurations.of(
                        BootUnderTest.OBSERVATION, BootUnderTest.TRACING, OmegaObservationAutoConfiguration.class))
                .withBean(Tracer.class, () -> brave(spans))
                .run(context -> {
                    context.getBean(Shop.Counter.class).sell("book");
                    MutableSpan branch = only(spans, "branch Shop.Orders.order");
                    String traceparent = alpha.only(Input.KindCase.BEGIN_BRANCH)
                            .getBeginBranch()
                            .getTraceparent();
                    assertThat(traceparent)
                            .isEqualTo("00-%32s-%s-01"
                                    .formatted(branch.traceId(), branch.id())
                                    .replace(' ', '0'));
                    alpha.callBack(callback -> callback.setTraceparent(traceparent));
                    MutableSpan callback = only(spans, "compensate Shop.Orders.cancel");
                    assertThat(callback.parentId()).isNull();
                    assertThat(callback.traceId()).isNotEqualTo(branch.traceId());
                    assertThat(callback.tags().values()).contains(branch.id());
                });
    }

    /** What surrounds a compensation sees its trace, as clients and logs do. */
    static final class Around implements CallbackInterceptor {
        final List<String> traces = new ArrayList<>();
        private final Tracer tracer;

        Around(Tracer tracer) {
            this.tracer = tracer;
        }

        @Override
        public void intercept(CallbackInvocation callback) throws Throwable {
            traces.add(Objects.requireNonNull(tracer.currentSpan()).context().traceId());
            callback.proceed();
        }
    }

    private static final class BraveSpans extends SpanHandler {
        final List<MutableSpan> ended = new ArrayList<>();

        @Override
        public boolean end(TraceContext context, MutableSpan span, Cause cause) {
            return ended.add(span);
        }
    }

    static final class Throwing implements BranchObservationConvention {
        final AtomicInteger asked = new AtomicInteger();
        private final int good;

        Throwing(int good) {
            this.good = good;
        }

        @Override
        public KeyValues getLowCardinalityKeyValues(BranchObservation branch) {
            if (asked.getAndIncrement() >= good) throw new IllegalStateException("no words");
            return KeyValues.empty();
        }
    }

    static final class Clumsy implements ObservationHandler<Observation.Context> {
        enum When {
            START,
            OPEN,
            ERROR,
            CLOSE,
            STOP
        }

        final List<When> told = new ArrayList<>();
        private final When when;

        Clumsy(When when) {
            this.when = when;
        }

        private void tell(When now) {
            told.add(now);
            if (now == when) throw new IllegalStateException("clumsy");
        }

        @Override
        public void onStart(Observation.Context context) {
            tell(When.START);
        }

        @Override
        public void onScopeOpened(Observation.Context context) {
            tell(When.OPEN);
        }

        @Override
        public void onError(Observation.Context context) {
            tell(When.ERROR);
        }

        @Override
        public void onScopeClosed(Observation.Context context) {
            tell(When.CLOSE);
        }

        @Override
        public void onStop(Observation.Context context) {
            tell(When.STOP);
        }

        @Override
        public boolean supportsContext(Observation.Context context) {
            return true;
        }
    }

    static final class OwnWords implements BranchObservationConvention {
        @Override
        public String getContextualName(BranchObservation branch) {
            return "own " + branch.operation();
        }
    }

    /** With OpenTelemetry; of traces that begin here, that share is sampled. */
    private ApplicationContextRunner traced(String probability) {
        return Applications.shop(directory, alpha)
                .withConfiguration(AutoConfigurations.of(
                        BootUnderTest.OBSERVATION, BootUnderTest.TRACING, OmegaObservationAutoConfiguration.class))
                .withConfiguration(AutoConfigurations.of(BootUnderTest.OPEN_TELEMETRY))
                .withBean(SimpleSpanProcessor.class, () -> (SimpleSpanProcessor) SimpleSpanProcessor.create(exported))
                .withPropertyValues("management.tracing.sampling.probability=" + probability);
    }

    private static Tracer brave(SpanHandler spans) {
        CurrentTraceContext current = ThreadLocalCurrentTraceContext.create();
        brave.Tracing tracing = brave.Tracing.newBuilder()
                .currentTraceContext(current)
                .addSpanHandler(spans)
                .build();
        return new BraveTracer(tracing.tracer(), new BraveCurrentTraceContext(current), new BraveBaggageManager());
    }

    private SpanData only(String name) {
        List<SpanData> found = exported.getFinishedSpanItems().stream()
                .filter(span -> span.getName().equals(BootUnderTest.spanName(name)))
                .toList();
        assertThat(found).as(name + " of " + exported.getFinishedSpanItems()).hasSize(1);
        return found.get(0);
    }

    private static MutableSpan only(BraveSpans spans, String name) {
        List<MutableSpan> found = spans.ended.stream()
                .filter(span -> BootUnderTest.spanName(name).equals(span.name()))
                .toList();
        assertThat(found).as(name + " of " + spans.ended).hasSize(1);
        return found.get(0);
    }

    private static String value(SpanData span, String key) {
        return Objects.requireNonNull(span.getAttributes().get(AttributeKey.stringKey(key)), key);
    }
}
