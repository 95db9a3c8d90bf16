package io.alphaomega.omega.spring.execution;

import io.alphaomega.omega.AlphaUnavailableException;
import io.alphaomega.omega.SagaAbortedException;
import io.alphaomega.omega.SagaException;
import io.alphaomega.omega.context.PendingReports;
import io.alphaomega.omega.context.SagaContext;
import io.alphaomega.omega.spring.config.OmegaProperties;
import io.alphaomega.omega.spring.definition.RetentionCheck;
import io.alphaomega.omega.spring.definition.SagaDefinition;
import io.alphaomega.omega.spring.definition.SagaLabels;
import io.alphaomega.omega.spring.fencing.CommittedException;
import io.alphaomega.omega.spring.method.ReturnKind;
import io.alphaomega.omega.spring.reporting.BranchReports;
import io.alphaomega.omega.spring.reporting.Outcomes;
import io.alphaomega.omega.spring.reporting.SagaBegins;
import io.alphaomega.omega.spring.reporting.SagaReports;
import io.alphaomega.omega.stream.AlphaClient;
import io.alphaomega.protocol.v1.Ack;
import io.alphaomega.protocol.v1.BeginBranch;
import io.alphaomega.protocol.v1.BeginNestedBranch;
import io.alphaomega.protocol.v1.Input;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/**
 * Begins sagas in sagas, and tells the outer one when they are through: each is a branch of it. Alpha hears of the branch
 * first, so that it decides what begins however that goes on.
 */
public final class NestedSagas {
    /** Alpha accepts no longer branch. */
    private static final Duration TIMEOUT_MAX = Duration.ofDays(30);

    private final AlphaClient alpha;
    private final OmegaProperties properties;
    private final SagaBegins begins;
    private final BranchReports branches;
    private final RetentionCheck retention;

    /** @param retention knows the branches of this service */
    public NestedSagas(
            AlphaClient alpha,
            OmegaProperties properties,
            SagaBegins begins,
            BranchReports branches,
            RetentionCheck retention) {
        this.alpha = alpha;
        this.properties = properties;
        this.begins = begins;
        this.branches = branches;
        this.retention = retention;
    }

    /**
     * A saga that has begun in another.
     *
     * @param branch that it is of the outer one
     * @param repeated whether it was through before and the outer one is committed: its method runs again so that its
     *     branches answer as they did then, and nothing is told of it
     */
    public record Nested(SagaContext outer, String branch, SagaContext saga, boolean repeated) {}

    /**
     * Begins a saga as a branch of {@code outer}. A repeated call begins the same one again, also after the commit.
     *
     * @throws AlphaUnavailableException if alpha does not answer within {@code omega.begin-timeout}: then the outer saga is
     *     to be aborted, as it is when any branch cannot begin
     * @throws SagaAbortedException if either of them is aborted
     * @throws SagaException if alpha refuses, or fences here would not last as long as the outer saga may
     */
    Nested begin(SagaDefinition definition, SagaLabels.Labels labels, SagaContext outer) {
        Beginning its = beginning(definition, labels, outer);
        try {
            requireBranch(its, ask(its.branchInput(), its));
        } catch (CommittedException committed) {
            return again(its, committed, alpha.call(outcomeInput(its), properties.beginTimeout()));
        }
        Ack ack = ask(its.begin().input(), its);
        if (ack.hasAccepted()) return begun(its);
        if (ack.hasCommitted()) return repeated(its);
        if (ack.hasAborted()) branches.nestedSettled(outer, its.branch());
        else branches.nestedUnknown(outer, its.branch(), its.begin().saga());
        throw refusal(its, ack);
    }

    /** As {@link #begin}, but no thread waits: the future fails with what that throws. */
    public CompletableFuture<Nested> beginLater(
            SagaDefinition definition, SagaLabels.Labels labels, SagaContext outer) {
        Beginning its;
        try {
            its = beginning(definition, labels, outer);
        } catch (SagaException over) {
            return CompletableFuture.failedFuture(over);
        }
        return askLater(its.branchInput(), its).thenCompose(ack -> {
            try {
                requireBranch(its, ack);
            } catch (CommittedException committed) {
                return alpha.ask(outcomeInput(its), properties.beginTimeout())
                        .thenApply(said -> again(its, committed, said));
            }
            return askLater(its.begin().input(), its).thenCompose(said -> begunLater(its, said));
        });
    }

    private CompletableFuture<Nested> begunLater(Beginning its, Ack ack) {
        if (ack.hasAccepted()) return CompletableFuture.completedFuture(begun(its));
        if (ack.hasCommitted()) return CompletableFuture.completedFuture(repeated(its));
        CompletableFuture<Void> told = ack.hasAborted()
                ? branches.nestedSettledLater(its.outer(), its.branch())
                : branches.nestedUnknownLater(
                        its.outer(), its.branch(), its.begin().saga());
        return told.thenCompose(nothing -> CompletableFuture.failedFuture(refusal(its, ack)));
    }

    /** What alpha is asked, the branch first. */
    private record Beginning(SagaContext outer, String branch, SagaBegins.Begin begin, Input branchInput) {}

    private Beginning beginning(SagaDefinition definition, SagaLabels.Labels labels, SagaContext outer) {
        retention.requireWithin(definition.operation(), outer);
        String branch = outer.nextBranch(definition.operation());
        SagaBegins.Begin begin = begins.nested(definition, labels, outer.saga(), branch);
        return new Beginning(outer, branch, begin, branchInput(outer, branch, definition, begin));
    }

    private Nested begun(Beginning its) {
        SagaContext saga = begins.begun(its.begin()).nestedIn(its.outer());
        return new Nested(its.outer(), its.branch(), saga, false);
    }

    private static Nested repeated(Beginning its) {
        String id = its.begin().saga();
        SagaContext saga = SagaContext.begun(id, its.outer().decidedByNanos(), "", PendingReports.nothing(id));
        return new Nested(its.outer(), its.branch(), saga, true);
    }

    /**
     * What has come again after the commit of the outer saga. It is asked for, not begun: nobody would decide it.
     *
     * @throws CommittedException that, if it never began or was undone alone
     */
    private static Nested again(Beginning its, CommittedException committed, Ack outcome) {
        // It is prepared as long as the commit is on its way to it.
        if (outcome.hasCommitted() || outcome.hasPending()) return repeated(its);
        if (outcome.hasAborted()) committed.addSuppressed(refusal(its, outcome));
        throw committed;
    }

    private static Input outcomeInput(Beginning its) {
        return SagaReports.outcomeInput(its.begin().saga());
    }

    private static SagaException refusal(Beginning its, Ack ack) {
        return Outcomes.refusal(its.begin().saga(), "its begin", ack);
    }

    private Input branchInput(SagaContext outer, String branch, SagaDefinition definition, SagaBegins.Begin begin) {
        Duration timeout = begin.timeout().plus(SagaContext.DECISION_GRACE).plus(properties.ackTimeout());
        BeginBranch.Builder of = BeginBranch.newBuilder()
                .setBranch(branch)
                .setParent(outer.branch())
                .setOperation(definition.operation())
                .setTimeoutMillis(Math.min(timeout.toMillis(), TIMEOUT_MAX.toMillis()))
                .setTraceparent(outer.traceparent());
        return outer.untold()
                .loadIfOpen(Input.newBuilder()
                        .setSaga(outer.saga())
                        .setBeginNestedBranch(
                                BeginNestedBranch.newBuilder().setBranch(of).setSaga(begin.saga()))
                        .build());
    }

    private static void requireBranch(Beginning its, Ack ack) {
        SagaContext outer = its.outer();
        if (!ack.hasRejected()) outer.untold().told(its.branchInput());
        if (!ack.hasAccepted()) throw Outcomes.refusal(outer.saga(), "the begin of branch " + its.branch(), ack);
    }

    private Ack ask(Input input, Beginning its) {
        try {
            return alpha.call(input, properties.beginTimeout());
        } catch (AlphaUnavailableException e) {
            if (!alpha.isCrowded()) {
                branches.nestedUnknown(its.outer(), its.branch(), its.begin().saga());
            }
            throw e;
        }
    }

    private CompletableFuture<Ack> askLater(Input input, Beginning its) {
        return alpha.ask(input, properties.beginTimeout()).exceptionallyCompose(failure -> {
            CompletableFuture<Void> told = alpha.isCrowded()
                    ? CompletableFuture.completedFuture(null)
                    : branches.nestedUnknownLater(
                            its.outer(), its.branch(), its.begin().saga());
            return told.thenCompose(nothing -> CompletableFuture.failedFuture(ReturnKind.cause(failure)));
        });
    }

    /** Its method is through: the outer saga may go on if alpha has said how this one stands. */
    void through(Nested nested) {
        if (nested.repeated()) return;
        if (nested.saga().untold().isSettled()) branches.nestedSettled(nested.outer(), nested.branch());
        else
            branches.nestedUnknown(
                    nested.outer(), nested.branch(), nested.saga().saga());
    }

    /** As {@link #through}, but no thread waits: the future completes when that returns. */
    CompletableFuture<Void> throughLater(Nested nested) {
        return nested.saga().untold().isSettled()
                ? branches.nestedSettledLater(nested.outer(), nested.branch())
                : branches.nestedUnknownLater(
                        nested.outer(), nested.branch(), nested.saga().saga());
    }

    /**
     * It is prepared, so that nobody aborts it alone any more, and its caller has gone on without it: the outer saga must
     * not be committed. No thread waits.
     */
    CompletableFuture<Void> unwantedLater(Nested nested) {
        return branches.nestedUnwantedLater(
                nested.outer(), nested.branch(), nested.saga().saga());
    }
}
