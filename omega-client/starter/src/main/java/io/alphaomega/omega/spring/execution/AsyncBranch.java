package io.alphaomega.omega.spring.execution;

import io.alphaomega.omega.SagaException;
import io.alphaomega.omega.context.SagaContext;
import io.alphaomega.omega.rules.BranchEffect;
import io.alphaomega.omega.rules.BranchInput;
import io.alphaomega.omega.rules.BranchState.Phase;
import io.alphaomega.omega.spring.definition.BranchDefinition;
import io.alphaomega.omega.spring.fencing.Attempt;
import io.alphaomega.omega.spring.fencing.CommittedException;
import io.alphaomega.omega.spring.fencing.ReactiveLocalFence;
import io.alphaomega.omega.spring.method.ReturnKind;
import io.alphaomega.omega.spring.reporting.BranchReports;
import io.alphaomega.protocol.v1.Ack;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.ProxyMethodInvocation;

/**
 * Performs what the rules say of a branch whose work is done later, without a fence or behind that of R2DBC. No thread waits:
 * each effect is a future, which is complete when what comes of it is.
 */
public final class AsyncBranch extends BranchLife implements AsyncRun {
    private static final CompletableFuture<Void> PERFORMED = CompletableFuture.completedFuture(null);

    private final ProxyMethodInvocation invocation;

    /** The question to alpha, as long as it can be withdrawn. */
    private volatile @Nullable CompletableFuture<Ack> question;

    /** What the branch returned when it was done, in another run of it. */
    private volatile @Nullable Earlier earlier;

    /** Where the callback's link leads. */
    private volatile String span = "";

    private volatile List<BranchEffect> upcoming = List.of();
    private volatile Duration pause = Duration.ZERO;
    private volatile @Nullable Throwable failure;

    private record Earlier(@Nullable Object value) {}

    public AsyncBranch(
            SagaContext caller,
            BranchDefinition definition,
            ProxyMethodInvocation invocation,
            BranchRunner.Participation with) {
        // What a future stands for runs elsewhere.
        super(caller, definition, with, ReturnKind.of(definition.method()).isReactive(), false);
        this.invocation = invocation;
    }

    /**
     * Asks alpha whether the business may run.
     *
     * @throws SagaException if it may not be called there
     */
    public CompletableFuture<Void> begin(boolean inTransaction) {
        CompletableFuture<Void> begun = feed(inTransaction ? BranchInput.CALLED_IN_TRANSACTION : BranchInput.CALLED);
        if (branch().isEmpty() && failure instanceof SagaException refused) throw refused;
        return begun.thenCompose(nothing -> told());
    }

    @Override
    public void on(int attempt, BranchInput input) {
        CompletableFuture<Void> unused = performed(follow(attempt, input));
    }

    private CompletableFuture<Void> feed(BranchInput input) {
        return performed(follow(input));
    }

    private CompletableFuture<Void> performed(List<BranchEffect> effects) {
        CompletableFuture<Void> all = PERFORMED;
        for (BranchEffect effect : effects) {
            boolean now = all.isDone() && !all.isCompletedExceptionally();
            all = now ? perform(effect) : all.thenCompose(nothing -> perform(effect));
        }
        return all;
    }

    /** What the caller is told. */
    private CompletableFuture<Void> told() {
        Throwable instead = failure;
        return instead == null ? PERFORMED : CompletableFuture.failedFuture(instead);
    }

    private CompletableFuture<Void> perform(BranchEffect effect) {
        if (effect instanceof BranchEffect.Act act) return perform(act);
        if (effect instanceof BranchEffect.Ask) return ask();
        if (effect instanceof BranchEffect.Bar bar) return bar(bar);
        if (effect instanceof BranchEffect.ReportEnd) {
            return with.reports().endedLater(caller, branch(), result());
        }
        if (effect instanceof BranchEffect.ReportFailure failed) {
            warn(failed.cause());
            return awaited(
                    failed.awaited(),
                    with.reports().failedLater(caller, branch(), sentence(failed.cause()), failed.clean()));
        }
        if (effect instanceof BranchEffect.TryAfter after) pause = Duration.ofNanos(after.pauseNanos());
        if (effect instanceof BranchEffect.Observe seen) {
            observed(seen);
            observed().close();
        }
        return PERFORMED;
    }

    private CompletableFuture<Void> perform(BranchEffect.Act act) {
        return switch (act) {
            case LEARN_FENCE -> learnFence();
            case LOOK_UP_RESULT -> lookUp();
            case NOTE_BEGIN -> noteBegin();
            case RUN -> PERFORMED; // By the one that has subscribed, or made the future.
            case STOP -> throw stopped();
            case WITHDRAW_QUESTION -> withdraw();
            case ABORT_SAGA -> abortSaga();
            case REFUSE_ANSWER -> feed(answeredFor());
            default -> {
                failure = failure(act);
                yield PERFORMED;
            }
        };
    }

    private static CompletableFuture<Void> awaited(boolean isAwaited, CompletableFuture<Void> work) {
        return isAwaited ? work : PERFORMED;
    }

    private CompletableFuture<Void> learnFence() {
        name(definition.kept(invocation));
        observe();
        span = with.observations().traceparent();
        observed().leave();
        return with.localWork()
                .fenceOfLater(definition)
                .handle((id, unknown) -> unknown == null ? behind(id) : caught(ReturnKind.cause(unknown)))
                .thenCompose(this::feed);
    }

    private CompletableFuture<Void> ask() {
        BranchReports.Question its;
        try {
            its = question(false, span);
        } catch (SagaException over) {
            return feed(notLetIn(over));
        }
        CompletableFuture<Ack> asked = with.reports().askLater(its);
        question = asked;
        CompletableFuture<Void> answered = asked.thenAccept(
                        ack -> with.reports().requireAccepted(its, ack))
                .handle((nothing, failed) -> failed == null ? BranchInput.LET_IN : notLetIn(ReturnKind.cause(failed)))
                .thenCompose(this::feed);
        CompletableFuture<Void> unused = feed(BranchInput.ASKED);
        return answered;
    }

    /** What alpha has answered by then counts. */
    private CompletableFuture<Void> withdraw() {
        CompletableFuture<Ack> asked = question;
        if (asked != null) asked.cancel(false);
        return PERFORMED;
    }

    private CompletableFuture<Void> lookUp() {
        CommittedException committed = (CommittedException) Objects.requireNonNull(thrown());
        return guard().again(committed, branch(), definition)
                .handle((returned, failed) -> {
                    if (failed != null) return caught(ReturnKind.cause(failed));
                    earlier = new Earlier(returned);
                    return BranchInput.FOUND;
                })
                .thenCompose(this::feed);
    }

    private CompletableFuture<Void> noteBegin() {
        return guard().begin(saga(), branch()).toFuture().thenCompose(noted -> feed(BranchInput.NOTED));
    }

    private CompletableFuture<Void> bar(BranchEffect.Bar bar) {
        return awaited(
                bar.awaited(),
                guard().bar(saga(), branch())
                        .toFuture()
                        .thenCompose(alone ->
                                feed(Objects.requireNonNull(alone) ? BranchInput.BARRED : BranchInput.NOT_BARRED)));
    }

    private ReactiveLocalFence guard() {
        return Objects.requireNonNull(with.localWork().reactive(definition));
    }

    private CompletableFuture<Void> abortSaga() {
        return with.sagas()
                .abortJoinedLater(
                        caller,
                        new CancellationException(
                                definition.operation() + " was cancelled by its caller when it was done"));
    }

    @Override
    public Place next() {
        upcoming = follow(BranchInput.NEXT_TRY);
        // A new one for each: an attempt that is repeated makes the same calls again.
        return new Place(caller.within(branch()), observed(), nextAttempt());
    }

    @Override
    public CompletableFuture<Void> ready() {
        return performed(upcoming);
    }

    @Override
    public @Nullable Object call() throws Throwable {
        Earlier returned = earlier;
        if (returned != null) return Publishers.of(returned.value());
        if (state().phase() == Phase.OVER) throw stopped();
        // A subscriber gets it from the context instead: an invocation shares its attributes with its clones.
        if (!ReturnKind.of(definition.method()).isReactive()) {
            invocation.setUserAttribute(Attempt.ATTRIBUTE, last());
        }
        return ReturnKind.proceed(invocation);
    }

    @Override
    public CompletableFuture<Void> returned(@Nullable Object value) {
        try {
            keep(value);
        } catch (RuntimeException notKept) {
            BranchInput unused = caught(notKept);
            return feed(BranchInput.THREW_FOR_GOOD).thenCompose(nothing -> told());
        }
        return feed(BranchInput.RETURNED).thenCompose(nothing -> told());
    }

    /** Behind a fence, its transaction has kept it. */
    private void keep(@Nullable Object value) {
        Attempt last = last();
        if (last == null) return;
        last.done();
        if (definition.takesResult() && !last.fenced()) {
            last.returned(with.payloads().result(definition, value));
        }
    }

    @Override
    public void handedOn() {
        CompletableFuture<Void> unused = feed(BranchInput.HANDED_ON);
    }

    @Override
    public CompletableFuture<Duration> threw(Throwable thrown) {
        return feed(caught(thrown)).thenCompose(nothing -> told()).thenApply(again -> pause);
    }

    @Override
    public void cancelled() {
        CompletableFuture<Void> unused = feed(BranchInput.CANCELLED);
    }
}
