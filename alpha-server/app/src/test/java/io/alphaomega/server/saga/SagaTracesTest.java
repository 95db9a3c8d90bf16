package io.alphaomega.server.saga;

import static io.alphaomega.server.saga.SagaBench.abort;
import static io.alphaomega.server.saga.SagaBench.begin;
import static io.alphaomega.server.saga.SagaBench.endBranch;
import static org.assertj.core.api.Assertions.assertThat;

import akka.actor.testkit.typed.javadsl.TestInbox;
import akka.actor.typed.ActorRef;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.alphaomega.saga.BranchCall;
import io.alphaomega.saga.BranchId;
import io.alphaomega.saga.CallbackKind;
import io.alphaomega.saga.CallbackOffer;
import io.alphaomega.saga.FailureCode;
import io.alphaomega.saga.Operator;
import io.alphaomega.saga.Payload;
import io.alphaomega.saga.SagaId;
import io.alphaomega.saga.SagaInput;
import io.alphaomega.saga.SagaState;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.data.LinkData;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** What becomes a span of what is stored. */
class SagaTracesTest {
    private static final SagaId ID = new SagaId("s");
    private static final String TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
    private static final String SPAN = "00f067aa0ba902b7";
    private static final String SAMPLED = "00-" + TRACE + "-" + SPAN + "-01";
    private static final Duration SOON = Duration.ofSeconds(1);

    private final InMemorySpanExporter spans = InMemorySpanExporter.create();
    private final ManualClock clock = new ManualClock();
    private final SdkTracerProvider provider = SdkTracerProvider.builder()
            .addSpanProcessor(SimpleSpanProcessor.create(spans))
            .build();
    private SagaTraces traces = new SagaTraces(Optional.of(provider.get("test")), clock);
    private SagaState state = new SagaState.Absent(ID);

    @Test
    void a_begin_and_a_decision_are_spans_in_the_trace_of_the_branch() {
        store(begin());
        store(branch("b", SAMPLED));
        SpanData began = only("alpha begin");
        assertThat(began.getTraceId()).isEqualTo(TRACE);
        assertThat(began.getParentSpanId()).isEqualTo(SPAN);
        assertThat(text(began, "saga.id")).isEqualTo("s");
        assertThat(text(began, "branch.id")).isEqualTo("b");
        assertThat(text(began, "service")).isEqualTo("hotel");

        store(endBranch("b"));
        store(new SagaInput.End(true));
        SpanData decided = only("alpha decide");
        assertThat(decided.getParentSpanId()).isEqualTo(SPAN);
        assertThat(text(decided, "outcome")).isEqualTo("COMMITTED");
    }

    @Test
    void a_begin_lasts_from_its_arrival_at_this_node() {
        store(begin());
        Deliver arrived = new Deliver(
                ID,
                branch("b", SAMPLED),
                0,
                ignored(),
                null,
                System.nanoTime() - Duration.ofMillis(250).toNanos());
        store(List.of(arrived));
        SpanData began = only("alpha begin");
        assertThat(Duration.ofNanos(began.getEndEpochNanos() - began.getStartEpochNanos()))
                .isGreaterThanOrEqualTo(Duration.ofMillis(250));
        assertThat(began.getEndEpochNanos()).isEqualTo(nanos(clock.instant()));
    }

    @Test
    void a_tracer_that_throws_is_told_of_once_and_makes_nothing_else_fail() {
        ListAppender<ILoggingEvent> log = new ListAppender<>();
        Logger logger = (Logger) LoggerFactory.getLogger(SagaTraces.class);
        log.start();
        logger.addAppender(log);
        try {
            traces = new SagaTraces(
                    Optional.of(name -> {
                        throw new IllegalStateException("no span " + name);
                    }),
                    clock);
            store(begin());
            store(branch("b", SAMPLED));
            store(endBranch("b"));
            store(new SagaInput.End(true));
        } finally {
            logger.detachAppender(log);
        }
        assertThat(log.list).hasSize(1);
        assertThat(log.list.getFirst().getFormattedMessage()).contains("saga s");
        assertThat(log.list.getFirst().getThrowableProxy().getMessage()).isEqualTo("no span alpha begin");
    }

    @Test
    void an_attempt_lasts_from_the_request_to_the_answer_in_the_trace_while_that_is_young() {
        aborted(SAMPLED);
        Instant asked = clock.instant();
        clock.advance(SOON);
        store(new SagaInput.SucceedCallback(new BranchId("b"), CallbackKind.COMPENSATION, 1, "hotel"));
        SpanData span = only("alpha compensate");
        assertThat(span.getTraceId()).isEqualTo(TRACE);
        assertThat(span.getParentSpanId()).isEqualTo(SPAN);
        assertThat(span.getStartEpochNanos()).isEqualTo(nanos(asked));
        assertThat(span.getEndEpochNanos()).isEqualTo(nanos(asked.plus(SOON)));
        assertThat(text(span, "outcome")).isEqualTo("SUCCEEDED");
        assertThat(span.getAttributes().get(AttributeKey.longKey("attempt"))).isEqualTo(1);
        assertThat(span.getStatus().getStatusCode()).isEqualTo(StatusCode.UNSET);
        assertThat(text(only("alpha decide"), "cause")).isEqualTo("INITIATOR");
    }

    @Test
    void an_attempt_that_fails_is_an_error() {
        aborted(SAMPLED);
        clock.advance(SOON);
        store(failed(1));
        SpanData span = only("alpha compensate");
        assertThat(span.getStatus().getStatusCode()).isEqualTo(StatusCode.ERROR);
        assertThat(text(span, "outcome")).isEqualTo("UNDECODABLE");
    }

    @Test
    void an_attempt_days_later_is_a_trace_of_its_own_that_links_to_the_forward_call() {
        aborted(SAMPLED);
        store(failed(1));
        clock.advance(Duration.ofDays(2));
        spans.reset();
        store(new SagaInput.Retry(new Operator("ann", "mended"), state.sequence()));
        clock.advance(SOON);
        store(new SagaInput.SucceedCallback(new BranchId("b"), CallbackKind.COMPENSATION, 2, "hotel"));
        SpanData span = only("alpha compensate");
        assertThat(span.getTraceId()).isNotEqualTo(TRACE);
        assertThat(span.getParentSpanContext().isValid()).isFalse();
        assertThat(span.getLinks())
                .extracting(LinkData::getSpanContext)
                .allMatch(forward -> forward.getTraceId().equals(TRACE)
                        && forward.getSpanId().equals(SPAN))
                .hasSize(1);
        assertThat(Duration.ofNanos(span.getEndEpochNanos() - span.getStartEpochNanos()))
                .isEqualTo(SOON);
    }

    @Test
    void nothing_is_made_of_what_is_not_sampled_or_cannot_be_read() {
        for (String traceparent : List.of("", "nonsense", "00-" + TRACE + "-" + SPAN + "-00")) {
            state = new SagaState.Absent(ID);
            aborted(traceparent);
            store(new SagaInput.SucceedCallback(new BranchId("b"), CallbackKind.COMPENSATION, 1, "hotel"));
            assertThat(spans.getFinishedSpanItems()).as(traceparent).isEmpty();
        }
    }

    @Test
    void a_saga_of_which_one_branch_is_sampled_has_its_decision_there() {
        store(begin());
        store(branch("a", ""));
        store(branch("b", SAMPLED));
        store(abort());
        assertThat(only("alpha decide").getParentSpanId()).isEqualTo(SPAN);
    }

    /** A branch that has ended, in a saga that is aborted then: its compensation is asked. */
    private void aborted(String traceparent) {
        store(begin());
        store(branch("b", traceparent));
        store(endBranch("b"));
        store(abort());
    }

    private static ActorRef<SagaReply> ignored() {
        return TestInbox.<SagaReply>create().getRef();
    }

    private static SagaInput failed(int attempt) {
        return new SagaInput.FailCallback(
                new BranchId("b"), CallbackKind.COMPENSATION, attempt, FailureCode.UNDECODABLE, "no", "hotel");
    }

    private static SagaInput branch(String id, String traceparent) {
        return new SagaInput.BeginBranch(
                new BranchCall(
                        new BranchId(id),
                        Optional.empty(),
                        "hotel",
                        "hotel-1",
                        "Hotels.reserve",
                        Optional.of(new CallbackOffer("cancel", Optional.empty())),
                        Optional.empty(),
                        true,
                        "",
                        false,
                        Payload.EMPTY,
                        traceparent),
                Optional.empty());
    }

    private void store(SagaInput input) {
        store(List.of(new Deliver(ID, input, 0, ignored())));
    }

    private void store(List<Deliver> inputs) {
        DecisionBatch batch = DecisionBatch.decide(state, inputs, Optional.empty(), clock.instant());
        assertThat(batch.events()).as(() -> inputs + " in " + state).isNotEmpty();
        state = batch.after();
        traces.stored(batch);
    }

    private SpanData only(String name) {
        List<SpanData> found = spans.getFinishedSpanItems().stream()
                .filter(span -> span.getName().equals(name))
                .toList();
        assertThat(found).as(name + " of " + spans.getFinishedSpanItems()).hasSize(1);
        return found.getFirst();
    }

    private static @Nullable String text(SpanData span, String key) {
        return span.getAttributes().get(AttributeKey.stringKey(key));
    }

    private static long nanos(Instant at) {
        return TimeUnit.MILLISECONDS.toNanos(at.toEpochMilli());
    }
}
