package io.alphaomega.omega.spring.execution;

import io.alphaomega.omega.context.SagaContext;
import io.alphaomega.omega.rules.BranchEffect;
import io.alphaomega.omega.rules.BranchInput;
import io.alphaomega.omega.spring.definition.BranchDefinition;
import io.alphaomega.omega.spring.fencing.CommittedException;
import io.alphaomega.omega.spring.reporting.EventLoops;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** Performs what the rules say of a branch whose caller's thread waits. */
final class BlockingBranch extends BranchLife {
    private final @Nullable Object[] told;
    private final BranchRunner.Body body;
    private SagaContext.@Nullable Scope scope;
    private @Nullable Object value;
    private @Nullable Throwable failure;

    /** @param told what the compensation is called with, as far as it takes any */
    BlockingBranch(
            SagaContext caller,
            BranchDefinition definition,
            BranchRunner.Participation with,
            @Nullable Object[] told,
            BranchRunner.Body body) {
        super(caller, definition, with, true, with.reports().mayTravel(caller, definition));
        this.told = told;
        this.body = body;
    }

    @Nullable
    Object run() throws Throwable {
        try {
            BranchInput next = TransactionSynchronizationManager.isActualTransactionActive()
                    ? BranchInput.CALLED_IN_TRANSACTION
                    : BranchInput.CALLED;
            while (next != null) next = performed(follow(next));
        } finally {
            if (scope != null) scope.close();
            observed().close();
        }
        if (failure != null) throw failure;
        return value;
    }

    @Override
    public void on(int attempt, BranchInput input) {
        BranchInput unused = performed(follow(attempt, input)); // Nothing more comes of what is only reported.
    }

    /** What came of them. */
    private @Nullable BranchInput performed(List<BranchEffect> effects) {
        BranchInput next = null;
        for (BranchEffect effect : effects) next = perform(effect);
        return next;
    }

    private @Nullable BranchInput perform(BranchEffect effect) {
        if (effect instanceof BranchEffect.Act act) return perform(act);
        if (effect instanceof BranchEffect.Ask ask) return ask(ask);
        if (effect instanceof BranchEffect.TryAfter pause) return pause(pause);
        if (effect instanceof BranchEffect.Observe seen) observed(seen);
        if (effect instanceof BranchEffect.Bar) bar();
        if (effect instanceof BranchEffect.ReportEnd end) {
            with.reports().ended(caller, branch(), result(), end);
        }
        if (effect instanceof BranchEffect.ReportFailure failed) {
            warn(failed.cause());
            with.reports().failed(caller, branch(), sentence(failed.cause()), failed.clean(), failed.awaited());
        }
        return null;
    }

    private @Nullable BranchInput perform(BranchEffect.Act act) {
        return switch (act) {
            case LEARN_FENCE -> learnFence();
            case LOOK_UP_RESULT -> lookUp();
            case NOTE_BEGIN -> noteBegin();
            case RUN -> call();
            case STOP -> throw stopped();
            case REFUSE_ANSWER -> answeredFor();
            default -> {
                failure = failure(act);
                yield null;
            }
        };
    }

    private BranchInput learnFence() {
        EventLoops.refuseWaiting(definition.operation());
        name(told);
        String id;
        try {
            id = with.localWork().fenceOf(definition);
        } catch (RuntimeException unknown) {
            return caught(unknown);
        }
        observe();
        return behind(id);
    }

    private BranchInput ask(BranchEffect.Ask ask) {
        try {
            with.reports().ask(question(ask.endTravels(), with.observations().traceparent()));
            return BranchInput.LET_IN;
        } catch (RuntimeException notLetIn) {
            return notLetIn(notLetIn);
        }
    }

    private BranchInput lookUp() {
        try {
            value = with.localWork().again((CommittedException) Objects.requireNonNull(thrown()), branch(), definition);
            return BranchInput.FOUND;
        } catch (Throwable notFound) {
            return caught(notFound);
        }
    }

    /** Opens the scope of the branch before the first try. */
    private BranchInput pause(BranchEffect.TryAfter pause) {
        if (scope == null) {
            scope = caller.within(branch()).open();
            return BranchInput.NEXT_TRY;
        }
        try {
            // Nobody counts it down.
            boolean unused = new CountDownLatch(1).await(pause.pauseNanos(), TimeUnit.NANOSECONDS);
            return BranchInput.NEXT_TRY;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return BranchInput.PAUSE_BROKEN;
        }
    }

    private BranchInput noteBegin() {
        try {
            with.localWork().begin(saga(), branch(), definition);
            return BranchInput.NOTED;
        } catch (Throwable notNoted) {
            return caught(notNoted);
        }
    }

    /** In a context that makes the same calls again. */
    private BranchInput call() {
        SagaContext.Scope inTry = caller.within(branch()).open();
        try {
            value = body.run(nextAttempt());
            return BranchInput.RETURNED;
        } catch (Throwable failed) {
            return caught(failed);
        } finally {
            inTry.close();
        }
    }

    private void bar() {
        if (!TransactionSynchronizationManager.isActualTransactionActive()) {
            barred();
            return;
        }
        // This thread holds a connection, and a second may never come before it lets go.
        if (!with.reports().later(this::barred)) {
            BranchInput unused = performed(follow(BranchInput.NOT_BARRED));
        }
    }

    private void barred() {
        boolean alone = with.localWork().bar(definition, saga(), branch(), last());
        BranchInput unused = performed(follow(alone ? BranchInput.BARRED : BranchInput.NOT_BARRED));
    }
}
