package io.alphaomega.server.saga;

import io.alphaomega.saga.Branch;
import io.alphaomega.saga.Branch.Progress;
import io.alphaomega.saga.BranchId;
import io.alphaomega.saga.CallbackKind;
import io.alphaomega.saga.CallbackOffer;
import io.alphaomega.saga.CallbackPolicy;
import io.alphaomega.saga.Saga;
import io.alphaomega.saga.SagaEvent;
import io.alphaomega.saga.SagaInput;
import io.alphaomega.saga.SagaState.Known;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanBuilder;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.propagation.TextMapGetter;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Alpha's spans in the traces of its services: the begin of a branch, the decision, each attempt at a callback. A span is
 * made of what is stored, when it is stored: nothing is kept for it before, and an attempt that one node asked for is a
 * span of the node that hears how it went. Nothing is made of a saga whose services did not sample it.
 */
final class SagaTraces {
    /**
     * Attempts that are asked for so soon after their branch began stand in its trace, where people look for them. What
     * comes later, when a saga was suspended perhaps for days, is a trace of its own with a link: it would stretch the
     * other's milliseconds to days, and who samples or stores by trace is done with that one.
     */
    static final Duration IN_TRACE = Duration.ofMinutes(5);

    private static final TextMapGetter<String> GETTER = new TextMapGetter<>() {
        @Override
        public Iterable<String> keys(String traceparent) {
            return List.of("traceparent");
        }

        @Override
        public @Nullable String get(@Nullable String traceparent, String key) {
            return key.equals("traceparent") ? traceparent : null;
        }
    };

    private static final Logger LOG = LoggerFactory.getLogger(SagaTraces.class);

    private final @Nullable Tracer tracer;
    private final Clock wall;
    private final AtomicBoolean saidSo = new AtomicBoolean();

    /**
     * @param tracer empty to make no spans
     * @param wall the clock that services' spans go by, in fractions of a millisecond
     */
    SagaTraces(Optional<Tracer> tracer, Clock wall) {
        this.tracer = tracer.orElse(null);
        this.wall = wall;
    }

    static SagaTraces off() {
        return new SagaTraces(Optional.empty(), Clock.systemUTC());
    }

    /** What {@code batch} journals is stored by this node. Throws nothing: spans are not what a saga fails of. */
    void stored(DecisionBatch batch) {
        if (tracer == null || batch.events().isEmpty()) return;
        try {
            new Spans(tracer, batch, wall.instant(), System.nanoTime()).make();
        } catch (RuntimeException failed) { // The batch is stored, and somebody waits for the answer.
            if (!saidSo.getAndSet(true)) {
                LOG.warn(
                        "Spans of saga {} could not be made; this is said once.",
                        batch.after().id(),
                        failed);
            }
        }
    }

    /**
     * The spans of a batch that is stored by then.
     *
     * @param nanos when that was by {@link System#nanoTime}
     */
    private record Spans(Tracer tracer, DecisionBatch batch, Instant now, long nanos) {
        void make() {
            for (SagaEvent event : batch.events()) {
                switch (event) {
                    case SagaEvent.BranchBegan began -> began(began);
                    case SagaEvent.Committed committed -> decided(committed, "COMMITTED");
                    case SagaEvent.Aborted aborted -> decided(aborted, "ABORTED");
                    case SagaEvent.CallbackSucceeded(BranchId branch, CallbackKind kind, int attempt, Instant at) ->
                        answered(branch, kind, attempt, at, "SUCCEEDED");
                    case SagaEvent.CallbackFailed failed ->
                        answered(
                                failed.branch(),
                                failed.kind(),
                                failed.attempt(),
                                failed.at(),
                                failed.code().name());
                    case SagaEvent.CallbackLost(BranchId branch, CallbackKind kind, int attempt, Instant at) ->
                        answered(branch, kind, attempt, at, "LOST");
                    case SagaEvent.CallbackDeferred deferred ->
                        answered(
                                deferred.branch(),
                                deferred.kind(),
                                deferred.attempt(),
                                deferred.at(),
                                deferred.unable()
                                        .map(unable -> unable.code().name())
                                        .orElse("BUSY"));
                    default -> {} // Nothing that anybody waited for.
                }
            }
        }

        /** From its arrival here until it is stored. */
        private void began(SagaEvent.BranchBegan began) {
            SpanContext forward = sampled(began.traceparent());
            if (forward == null) return;
            end(child("alpha begin", SpanKind.SERVER, forward, arrived(began))
                    .setAttribute("branch.id", began.branch().value())
                    .setAttribute("service", began.service())
                    .setAttribute("operation", began.operation()));
        }

        private Instant arrived(SagaEvent.BranchBegan began) {
            return batch.inputs().stream()
                    .filter(deliver -> deliver.input().itself() instanceof SagaInput.BeginBranch begin
                            && begin.branch().equals(began.branch()))
                    .mapToLong(Deliver::arrived)
                    .filter(arrived -> arrived != Deliver.UNTIMED)
                    .mapToObj(this::instant)
                    .findFirst()
                    .orElse(began.at());
        }

        /** From the arrival of what led to it. The trace is that of the first branch that is sampled: nobody else brings one. */
        private void decided(SagaEvent decision, String outcome) {
            SpanContext forward = saga().branches().stream()
                    .map(branch -> sampled(branch.traceparent()))
                    .filter(span -> span != null)
                    .findFirst()
                    .orElse(null);
            if (forward == null) return;
            Instant since = batch.inputs().stream()
                    .mapToLong(Deliver::arrived)
                    .filter(arrived -> arrived != Deliver.UNTIMED)
                    .mapToObj(this::instant)
                    .min(Instant::compareTo)
                    .orElse(decision.at());
            SpanBuilder span =
                    child("alpha decide", SpanKind.INTERNAL, forward, since).setAttribute("outcome", outcome);
            if (decision instanceof SagaEvent.Aborted aborted) {
                span.setAttribute("cause", aborted.abort().cause().name());
            }
            end(span);
        }

        /** From when it was asked until it is stored how that went. */
        private void answered(BranchId id, CallbackKind kind, int attempt, Instant at, String outcome) {
            Branch branch = saga().branch(id).orElseThrow();
            SpanContext forward = sampled(branch.traceparent());
            if (forward == null) return;
            String name = kind == CallbackKind.CONFIRMATION ? "alpha confirm" : "alpha compensate";
            Instant asked = asked(id, kind, attempt).orElse(at);
            SpanBuilder span = asked.isAfter(branch.begunAt().plus(IN_TRACE))
                    ? begin(name, SpanKind.CLIENT, asked).setNoParent().addLink(forward)
                    : child(name, SpanKind.CLIENT, forward, asked);
            Span made = span.setAttribute("branch.id", id.value())
                    .setAttribute("service", branch.service())
                    .setAttribute("operation", branch.operation())
                    .setAttribute("attempt", attempt)
                    .setAttribute("outcome", outcome)
                    .startSpan();
            if (!outcome.equals("SUCCEEDED")) made.setStatus(StatusCode.ERROR, outcome);
            made.end(now);
        }

        /** As the state before says it: the request is journaled by when it is to be answered. */
        private Optional<Instant> asked(BranchId id, CallbackKind kind, int attempt) {
            if (!(batch.before() instanceof Known known)) return Optional.empty();
            return known.saga()
                    .branch(id)
                    .filter(branch -> branch.progress() instanceof Progress.Asked asked
                            && asked.effort().attempt() == attempt)
                    .map(branch -> ((Progress.Asked) branch.progress())
                            .answerBy()
                            .minus(policy(known.saga(), branch, kind).timeout()));
        }

        private static CallbackPolicy policy(Saga saga, Branch branch, CallbackKind kind) {
            return branch.offer(kind)
                    .flatMap(CallbackOffer::policy)
                    .orElse(saga.policy().callbacks());
        }

        private Saga saga() {
            return ((Known) batch.after()).saga();
        }

        private SpanBuilder child(String name, SpanKind kind, SpanContext parent, Instant start) {
            return begin(name, kind, start).setParent(Context.root().with(Span.wrap(parent)));
        }

        private SpanBuilder begin(String name, SpanKind kind, Instant start) {
            return tracer.spanBuilder(name)
                    .setSpanKind(kind)
                    .setStartTimestamp(start.isAfter(now) ? now : start)
                    .setAttribute("saga.id", batch.after().id().value());
        }

        private void end(SpanBuilder span) {
            span.startSpan().end(now);
        }

        /** Of a {@link System#nanoTime}. */
        private Instant instant(long then) {
            return now.minusNanos(nanos - then);
        }

        /** What it names, if that is a span and sampled. */
        private static @Nullable SpanContext sampled(String traceparent) {
            if (traceparent.isEmpty()) return null;
            Context read = W3CTraceContextPropagator.getInstance().extract(Context.root(), traceparent, GETTER);
            SpanContext span = Span.fromContext(read).getSpanContext();
            return span.isSampled() ? span : null;
        }
    }
}
