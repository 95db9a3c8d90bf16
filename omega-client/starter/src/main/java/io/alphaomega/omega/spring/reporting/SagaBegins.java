package io.alphaomega.omega.spring.reporting;

import io.alphaomega.omega.AlphaUnavailableException;
import io.alphaomega.omega.CallbackOrder;
import io.alphaomega.omega.SagaOutcome;
import io.alphaomega.omega.SagaRepeatedException;
import io.alphaomega.omega.context.PendingReports;
import io.alphaomega.omega.context.SagaContext;
import io.alphaomega.omega.spring.config.OmegaProperties;
import io.alphaomega.omega.spring.definition.SagaDefinition;
import io.alphaomega.omega.spring.definition.SagaLabels;
import io.alphaomega.omega.stream.AlphaClient;
import io.alphaomega.protocol.v1.Ack;
import io.alphaomega.protocol.v1.BeginNested;
import io.alphaomega.protocol.v1.BeginOnce;
import io.alphaomega.protocol.v1.BeginSaga;
import io.alphaomega.protocol.v1.Hello;
import io.alphaomega.protocol.v1.Input;
import io.alphaomega.protocol.v1.Policy;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.springframework.util.function.SingletonSupplier;

/** How an initiator begins its sagas. */
public final class SagaBegins {
    private final AlphaClient alpha;
    private final Supplier<Hello> self;
    private final OmegaProperties properties;
    private final SagaIds ids;
    private final StartIds starts;
    private final PendingReports.Holder holder;

    public SagaBegins(AlphaClient alpha, OmegaProperties properties, SagaIds ids, PendingReports.Holder holder) {
        this.alpha = alpha;
        this.self = SingletonSupplier.of(alpha::hello);
        this.properties = properties;
        this.ids = ids;
        this.starts = new StartIds(ids);
        this.holder = holder;
    }

    /**
     * Begins a saga. Alpha hears of it with its first branch, or now if {@code omega.saga.begin} is {@code EAGER}.
     *
     * @param labels what it is found by
     * @throws AlphaUnavailableException if alpha is to hear of it now and does not answer within
     *     {@code omega.begin-timeout}
     */
    public SagaContext begin(SagaDefinition definition, SagaLabels.Labels labels) {
        Begin begin = beginOf(definition, labels);
        if (begin.eager()) {
            try {
                requireBegun(begin, alpha.call(begin.input(), properties.beginTimeout()));
            } catch (AlphaUnavailableException unanswered) {
                starts.unanswered(begin.saga(), begin.start());
                throw unanswered;
            }
        }
        return begun(begin);
    }

    /** As {@link #begin}, but no thread waits: the future fails with what that throws. */
    public CompletableFuture<SagaContext> beginLater(SagaDefinition definition, SagaLabels.Labels labels) {
        Begin begin = beginOf(definition, labels);
        if (!begin.eager()) return CompletableFuture.completedFuture(begun(begin));
        return alpha.ask(begin.input(), properties.beginTimeout())
                .whenComplete((ack, failure) -> {
                    if (failure != null) starts.unanswered(begin.saga(), begin.start());
                })
                .thenApply(ack -> {
                    requireBegun(begin, ack);
                    return begun(begin);
                });
    }

    /**
     * A saga that is to begin.
     *
     * @param eager whether alpha is to hear of it now
     * @param start which of several starts it is, if only one may begin the saga; else empty
     * @param outer the saga that it is nested in; else empty
     * @param branch that it is there
     */
    public record Begin(
            String saga, BeginSaga begin, Duration timeout, boolean eager, String start, String outer, String branch) {
        boolean isUnique() {
            return !start.isEmpty();
        }

        public Input input() {
            Input.Builder input = Input.newBuilder().setSaga(saga);
            if (!outer.isEmpty()) {
                return input.setBeginNested(BeginNested.newBuilder()
                                .setBegin(begin)
                                .setParentSaga(outer)
                                .setParentBranch(branch))
                        .build();
            }
            return isUnique()
                    ? input.setBeginOnce(BeginOnce.newBuilder().setBegin(begin).setStart(start))
                            .build()
                    : input.setBegin(begin).build();
        }
    }

    private Duration timeout(SagaDefinition definition) {
        return definition.timeout().isZero() ? properties.saga().timeout() : definition.timeout();
    }

    private static BeginSaga message(SagaDefinition definition, SagaLabels.Labels labels, Duration timeout) {
        Policy.Order order =
                definition.order() == CallbackOrder.PARALLEL ? Policy.Order.PARALLEL : Policy.Order.SEQUENTIAL;
        return BeginSaga.newBuilder()
                .setOperation(definition.operation())
                .setBusinessKey(labels.businessKey())
                .putAllAttributes(labels.attributes())
                .setPolicy(
                        Policy.newBuilder().setTimeoutMillis(timeout.toMillis()).setOrder(order))
                .build();
    }

    /** Of the saga that is that branch of another: it is the same one each time. */
    public Begin nested(SagaDefinition definition, SagaLabels.Labels labels, String outer, String branch) {
        Duration timeout = timeout(definition);
        BeginSaga begin = message(definition, labels, timeout);
        return new Begin(SagaIds.nested(outer, branch), begin, timeout, true, "", outer, branch);
    }

    private Begin beginOf(SagaDefinition definition, SagaLabels.Labels labels) {
        Duration timeout = timeout(definition);
        BeginSaga begin = message(definition, labels, timeout);
        if (labels.unique()) {
            String saga = SagaIds.of(self.get().getService(), definition.operation(), labels.businessKey());
            return new Begin(saga, begin, timeout, true, starts.of(saga), "", "");
        }
        boolean eager = properties.saga().begin() == OmegaProperties.Saga.Begin.EAGER;
        return new Begin(ids.next(), begin, timeout, eager, "", "", "");
    }

    private static void requireBegun(Begin begin, Ack ack) {
        if (ack.hasAccepted()) return;
        if (begin.isUnique() && (ack.hasCommitted() || ack.hasPending())) {
            throw new SagaRepeatedException(
                    begin.begin().getOperation(),
                    begin.begin().getBusinessKey(),
                    ack.hasCommitted() ? SagaOutcome.committed(begin.saga()) : SagaOutcome.open(begin.saga()));
        }
        throw Outcomes.refusal(begin.saga(), "its begin", ack);
    }

    public SagaContext begun(Begin begin) {
        Hello hello = self.get();
        PendingReports untold = PendingReports.begun(
                begin.saga(), hello.getService(), hello.getInstance(), begin.begin(), begin.eager(), holder);
        return SagaContext.begun(
                begin.saga(),
                System.nanoTime()
                        + begin.timeout().plus(SagaContext.DECISION_GRACE).toNanos(),
                "",
                untold);
    }
}
