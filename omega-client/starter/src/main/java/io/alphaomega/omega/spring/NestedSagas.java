package io.alphaomega.omega.spring;

import io.alphaomega.omega.AlphaUnavailableException;
import io.alphaomega.omega.SagaAbortedException;
import io.alphaomega.omega.SagaException;
import io.alphaomega.omega.context.SagaContext;
import io.alphaomega.omega.stream.AlphaClient;
import io.alphaomega.protocol.v1.Ack;
import io.alphaomega.protocol.v1.BeginBranch;
import io.alphaomega.protocol.v1.BeginNestedBranch;
import io.alphaomega.protocol.v1.Input;
import java.time.Duration;

/**
 * Begins sagas in sagas, and tells the outer one when they are through: each is a branch of it. Alpha hears of the branch
 * first, so that it decides what begins however that goes on.
 */
final class NestedSagas {
    /** Alpha accepts no longer branch. */
    private static final Duration TIMEOUT_MAX = Duration.ofDays(30);

    private final AlphaClient alpha;
    private final OmegaProperties properties;
    private final SagaBegins begins;
    private final BranchReports branches;

    NestedSagas(AlphaClient alpha, OmegaProperties properties, SagaBegins begins, BranchReports branches) {
        this.alpha = alpha;
        this.properties = properties;
        this.begins = begins;
        this.branches = branches;
    }

    /**
     * A saga that has begun in another.
     *
     * @param branch that it is of the outer one
     */
    record Nested(SagaContext outer, String branch, SagaContext saga) {}

    /**
     * Begins a saga as a branch of {@code outer}. A repeated call begins the same one again.
     *
     * @throws AlphaUnavailableException if alpha does not answer within {@code omega.begin-timeout}: then the outer saga is
     *     to be aborted, as it is when any branch cannot begin
     * @throws SagaAbortedException if either of them is aborted
     * @throws SagaException if alpha refuses
     */
    Nested begin(SagaDefinition definition, SagaLabels.Labels labels, SagaContext outer) {
        String branch = outer.nextBranch(definition.operation());
        SagaBegins.Begin begin = begins.nested(definition, labels, outer.saga(), branch);
        requireBranch(outer, branch, beginBranch(outer, branch, definition, begin));
        Ack ack = ask(begin.input(), outer, branch);
        if (ack.hasAccepted())
            return new Nested(outer, branch, begins.begun(begin).by(outer.decidedByNanos()));
        if (ack.hasAborted()) branches.nestedSettled(outer, branch);
        else branches.nestedUnknown(outer, branch, begin.saga());
        throw Outcomes.refusal(begin.saga(), "its begin", ack);
    }

    private Input beginBranch(SagaContext outer, String branch, SagaDefinition definition, SagaBegins.Begin begin) {
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

    private void requireBranch(SagaContext outer, String branch, Input input) {
        Ack ack = ask(input, outer, branch);
        if (!ack.hasRejected()) outer.untold().told(input);
        if (!ack.hasAccepted()) throw Outcomes.refusal(outer.saga(), "the begin of branch " + branch, ack);
    }

    private Ack ask(Input input, SagaContext outer, String branch) {
        try {
            return alpha.call(input, properties.beginTimeout());
        } catch (AlphaUnavailableException e) {
            if (!alpha.isCrowded()) branches.nestedUnknown(outer, branch, input.getSaga());
            throw e;
        }
    }

    /** Its method is through: the outer saga may go on if alpha has said how this one stands. */
    void through(Nested nested) {
        if (nested.saga().untold().isSettled()) branches.nestedSettled(nested.outer(), nested.branch());
        else
            branches.nestedUnknown(
                    nested.outer(), nested.branch(), nested.saga().saga());
    }
}
