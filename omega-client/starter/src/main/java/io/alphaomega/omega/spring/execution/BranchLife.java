package io.alphaomega.omega.spring.execution;

import io.alphaomega.omega.SagaException;
import io.alphaomega.omega.context.SagaContext;
import io.alphaomega.omega.rules.BranchEffect;
import io.alphaomega.omega.rules.BranchInput;
import io.alphaomega.omega.rules.BranchRules;
import io.alphaomega.omega.rules.BranchState;
import io.alphaomega.omega.rules.BranchStep;
import io.alphaomega.omega.rules.BranchTerms;
import io.alphaomega.omega.spring.definition.BranchDefinition;
import io.alphaomega.omega.spring.fencing.Attempt;
import io.alphaomega.omega.spring.observe.Observations;
import io.alphaomega.omega.spring.reporting.BranchReports;
import io.alphaomega.omega.spring.reporting.Outcomes;
import java.util.List;
import java.util.concurrent.CancellationException;
import org.jspecify.annotations.Nullable;

/**
 * A branch that runs here, fed from outside and inside its transaction alike. What follows, {@link BranchRules} say, and one
 * of two drivers performs: {@link BlockingBranch} waits for each effect, {@link AsyncBranch} goes on when it has happened.
 */
abstract class BranchLife implements Attempt.Branch {
    final SagaContext caller;
    final BranchDefinition definition;
    final BranchRunner.Participation with;
    private BranchState state;
    private String branch = "";
    private byte[] arguments = new byte[0];
    private volatile Observations.Observed observed = Observations.Observed.NOBODY;

    /** The id of the fence that it runs behind; empty if there is none, or nobody knows yet. */
    private volatile String fence = "";

    private volatile @Nullable Attempt last;

    /** What was thrown last, by the business or before it. */
    private volatile @Nullable Throwable thrown;

    /**
     * @param inside whether all its work is done inside its local transaction
     * @param endMayTravel whether its end may be left to its caller to report, if it runs behind a fence
     */
    BranchLife(
            SagaContext caller,
            BranchDefinition definition,
            BranchRunner.Participation with,
            boolean inside,
            boolean endMayTravel) {
        this.caller = caller;
        this.definition = definition;
        this.with = with;
        this.state = BranchState.of(new BranchTerms(
                definition.forwardRetries(),
                definition.forwardRetryDelay().toNanos(),
                definition.forwardTimeout().isZero()
                        ? BranchTerms.NEVER
                        : System.nanoTime() + definition.forwardTimeout().toNanos(),
                definition.cleanOnException(),
                definition.compensateOnException(),
                caller.untold().comesAgain(),
                inside,
                endMayTravel));
    }

    /** What follows from the input, to be performed. */
    final synchronized List<BranchEffect> follow(BranchInput input) {
        return follow(BranchRules.decide(state, input, System.nanoTime()));
    }

    /** The same of what a try says. */
    final synchronized List<BranchEffect> follow(int attempt, BranchInput input) {
        return follow(BranchRules.decideOf(attempt, state, input, System.nanoTime()));
    }

    private List<BranchEffect> follow(BranchStep step) {
        state = step.state();
        return step.effects();
    }

    @Override
    public final synchronized BranchState state() {
        return state;
    }

    /** Names it, which counts as a call, and keeps what its callbacks are told. */
    final void name(@Nullable Object[] told) {
        branch = caller.nextBranch(definition.operation());
        arguments =
                with.payloads().envelope(definition, told, with.interceptors().capture());
    }

    final void observe() {
        observed = with.observations().branch(definition.operation(), caller.saga(), branch);
    }

    @Override
    public final String saga() {
        return caller.saga();
    }

    @Override
    public final String branch() {
        return branch;
    }

    @Override
    public final BranchDefinition definition() {
        return definition;
    }

    @Override
    public final Observations.Observed observed() {
        return observed;
    }

    @Override
    public final String fence() {
        return fence;
    }

    /** Behind which it runs, as its id says. */
    final BranchInput behind(String id) {
        fence = id;
        if (id.isEmpty()) return BranchInput.UNFENCED;
        return with.localWork().fencesInRedis(definition) ? BranchInput.FENCED_WITHOUT_RESULTS : BranchInput.FENCED;
    }

    /** What alpha is asked, handed the trace that is observed: the callback's link leads there. */
    final BranchReports.Question question(boolean endTravels, String span) {
        return with.reports()
                .question(
                        caller,
                        branch,
                        definition,
                        fence,
                        endTravels,
                        arguments,
                        span.isEmpty() ? caller.traceparent() : span);
    }

    final Attempt nextAttempt() {
        Attempt next = new Attempt(this, state().tries());
        last = next;
        return next;
    }

    final @Nullable Attempt last() {
        return last;
    }

    final byte[] result() {
        Attempt attempt = last;
        return attempt == null ? new byte[0] : attempt.result();
    }

    final @Nullable Throwable thrown() {
        return thrown;
    }

    /** Something has thrown that. */
    final BranchInput caught(Throwable failure) {
        thrown = failure;
        return BranchInput.threw(failure);
    }

    /** Alpha has not let it begin, as that says. */
    final BranchInput notLetIn(Throwable failure) {
        thrown = failure;
        return with.reports().answer(failure);
    }

    /** It has ended for those that observe it. */
    final void observed(BranchEffect.Observe seen) {
        observed.ended(seen.outcome().name());
        Throwable failure = failure(seen.told());
        if (failure != null) observed.threw(failure);
    }

    /** What its caller is told instead of a value; null if it is told a value. */
    final @Nullable Throwable failure(BranchEffect.Act told) {
        return switch (told) {
            case TELL_THROWN -> thrown;
            case TELL_CANCELLED -> new CancellationException("its caller cancelled it");
            case REFUSE_NOTE_IN_TRANSACTION ->
                new SagaException(
                        "%s has compensateOnException but was called inside a transaction; it did not run. A row that says that it begins must be committed before it does: call it outside of the transaction."
                                .formatted(definition.operation()));
            case REFUSE_RETRIES_IN_TRANSACTION ->
                new SagaException(
                        "%s has forwardRetries but was called inside a transaction, which a failed try would spoil; it did not run. Call it outside, or set forwardRetries to 0."
                                .formatted(definition.operation()));
            default -> null;
        };
    }

    final BranchInput answeredFor() {
        return caught(new SagaException(
                "%s returned a result without being run: advice between omega and the method answered for it. Put that advice outside."
                        .formatted(definition.operation())));
    }

    final CancellationException stopped() {
        return new CancellationException(definition.operation() + " was cancelled before it ran.");
    }

    /** What alpha is told of the failure. */
    final String sentence(BranchEffect.Cause cause) {
        Throwable failure = thrown;
        return cause == BranchEffect.Cause.THROWN && failure != null ? Outcomes.sentence(failure) : cause.sentence();
    }

    /** Says in the log, once for each operation, what a failure of that kind may hide. */
    final void warn(BranchEffect.Cause cause) {
        Attempt attempt = last;
        Throwable failure = thrown;
        if (cause != BranchEffect.Cause.THROWN || attempt == null || failure == null) return;
        with.remoteFailures().failed(attempt, failure);
    }
}
