package io.alphaomega.saga;

import io.alphaomega.saga.Branch.Effort;
import io.alphaomega.saga.Branch.Forward;
import io.alphaomega.saga.Branch.Progress;
import io.alphaomega.saga.SagaState.Active;
import io.alphaomega.saga.SagaState.Compensating;
import io.alphaomega.saga.SagaState.Confirming;
import io.alphaomega.saga.SagaState.Ended;
import io.alphaomega.saga.SagaState.Held;
import io.alphaomega.saga.SagaState.Known;
import io.alphaomega.saga.SagaState.Prepared;
import io.alphaomega.saga.SagaState.Suspended;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** How an event changes a saga: the only way its state changes, live and on recovery. */
final class Fold {
    private Fold() {}

    static SagaState evolve(SagaState state, SagaEvent event) {
        if (state instanceof Known known) return counted(evolve(known, event));
        if (state instanceof SagaState.Absent && event instanceof SagaEvent.Begun begun) {
            Saga saga = new Saga(
                    state.id(),
                    begun.initiator(),
                    begun.policy(),
                    begun.provisional(),
                    begun.at(),
                    begun.at().plus(begun.policy().timeout()),
                    Branches.NONE,
                    Saga.with(Set.of(), begun.initiator().service()),
                    1,
                    size(begun.initiator()),
                    List.of(),
                    Optional.empty());
            return new Active(saga, false);
        }
        throw corrupt(state, event);
    }

    private static Known evolve(Known state, SagaEvent event) {
        Saga saga = state.saga();
        return switch (event) {
            case SagaEvent.Begun begun -> throw corrupt(state, event);
            case SagaEvent.BeginCaughtUp caughtUp
            when state instanceof Active active && saga.provisional() ->
                new Active(caughtUp(saga, caughtUp), active.commitRequested());
            case SagaEvent.BranchBegan began
            when state instanceof Active ->
                with(
                        state,
                        saga.with(
                                begun(began, saga.sequence() + 1), began.call().bytes()));
            case SagaEvent.BranchEnded ended -> ended(state, ended);
            case SagaEvent.BranchFailed failed -> with(state, saga.changing(failed.branch(), b -> failed(b, failed)));
            case SagaEvent.CommitRequested requested when state instanceof Active -> new Active(saga, true);
            case SagaEvent.Prepared prepared
            when state instanceof Active && saga.initiator().parent().isPresent() -> new Prepared(saga);
            case SagaEvent.Committed committed
            when state instanceof Active || state instanceof Prepared ->
                new Confirming(saga.with(saga.branches().toConfirm()));
            case SagaEvent.Held held when !(state instanceof Ended) -> Holding.held(state, held);
            case SagaEvent.FenceAnswered answered when state instanceof Held held -> Holding.answered(held, answered);
            case SagaEvent.Aborted aborted
            when state instanceof Held held && Holding.abort(held) == null ->
                new Compensating(CallbackProgress.afresh(saga).ordered(aborted), aborted.abort());
            case SagaEvent.Resumed resumed when state instanceof Held held -> resumed(held, resumed);
            case SagaEvent.Ended ended
            when state instanceof Held held && ended.operator().isPresent() -> endedByHand(held, ended);
            case SagaEvent.Aborted aborted
            when state instanceof Active || state instanceof Prepared ->
                new Compensating(
                        aborted.abort().cause() == Abort.Cause.OPERATOR ? saga.ordered(aborted) : saga,
                        aborted.abort());
            case SagaEvent.CallbackRequested requested
            when isDecided(state) -> progress(state, requested.branch(), CallbackProgress.requested(saga, requested));
            case SagaEvent.CallbackSucceeded succeeded
            when isDecided(state) ->
                progress(state, succeeded.branch(), new Progress.Done(succeeded.kind(), succeeded.attempt()));
            case SagaEvent.CallbackFailed failed
            when isDecided(state) ->
                progress(
                        state,
                        failed.branch(),
                        CallbackProgress.failed(CallbackProgress.effort(state, failed.branch(), event), failed));
            case SagaEvent.CallbackLost lost
            when isDecided(state) -> {
                Effort effort =
                        CallbackProgress.effort(state, lost.branch(), event).lost();
                yield progress(state, lost.branch(), new Progress.AwaitingRetry(effort, lost.at(), "the stream broke"));
            }
            case SagaEvent.CallbackDeferred deferred
            when isDecided(state) -> {
                Effort effort = CallbackProgress.effort(state, deferred.branch(), event);
                yield progress(state, deferred.branch(), CallbackProgress.deferred(saga, effort, deferred));
            }
            case SagaEvent.ParticipantMissed missed
            when isDecided(state) -> {
                Effort effort =
                        CallbackProgress.effort(state, missed.branch(), event).missed(missed.at());
                yield progress(state, missed.branch(), new Progress.AwaitingParticipant(effort, missed.retryAt()));
            }
            case SagaEvent.Suspended suspended
            when isDecided(state) -> new Suspended(saga, state.abort(), suspended.suspension());
            case SagaEvent.Resumed resumed
            when state instanceof Suspended ->
                decided(
                        resumed.operator().isPresent()
                                ? CallbackProgress.retried(saga).ordered(resumed)
                                : saga,
                        state.abort());
            case SagaEvent.Resumed resumed
            when isDecided(state) && resumed.operator().isPresent() ->
                decided(CallbackProgress.hurried(saga).ordered(resumed), state.abort());
            case SagaEvent.BranchSkipped skipped
            when isDecided(state) ->
                progress(
                        with(state, saga.ordered(skipped)), skipped.branch(), new Progress.Skipped(skipped.operator()));
            case SagaEvent.Ended ended
            when isDecided(state) && Obligations.outcome(state) == ended.outcome() -> ended(state, ended);
            default -> throw corrupt(state, event);
        };
    }

    // ---- the saga

    private static Known counted(Known state) {
        return with(state, state.saga().next());
    }

    static Known with(Known state, Saga saga) {
        return switch (state) {
            case Active active -> new Active(saga, active.commitRequested());
            case Prepared prepared -> new Prepared(saga);
            case Confirming confirming -> new Confirming(saga);
            case Compensating compensating -> new Compensating(saga, compensating.decision());
            case Suspended suspended -> new Suspended(saga, suspended.abort(), suspended.suspension());
            case Held held ->
                new Held(with(held.before(), saga), held.decided(), held.evidence(), held.why(), held.at());
            case Ended ended -> new Ended(saga, ended.abort(), ended.outcome(), ended.manual(), ended.at());
        };
    }

    static boolean isDecided(Known state) {
        return switch (state) {
            case Active active -> false;
            case Prepared prepared -> false;
            case Confirming confirming -> true;
            case Compensating compensating -> true;
            case Suspended suspended -> true;
            case Held held -> false;
            case Ended ended -> false;
        };
    }

    private static Known decided(Saga saga, Optional<Abort> abort) {
        return abort.<Known>map(a -> new Compensating(saga, a)).orElseGet(() -> new Confirming(saga));
    }

    private static Saga caughtUp(Saga saga, SagaEvent.BeginCaughtUp caughtUp) {
        Instant deadline = saga.begunAt().plus(caughtUp.policy().timeout());
        return new Saga(
                saga.id(),
                caughtUp.initiator(),
                caughtUp.policy(),
                false,
                saga.begunAt(),
                deadline,
                saga.branches(),
                Saga.with(saga.services(), caughtUp.initiator().service()),
                saga.sequence(),
                saga.bytes() + size(caughtUp.initiator()),
                saga.orders(),
                saga.heldFor());
    }

    private static Known ended(Known state, SagaEvent.Ended ended) {
        Saga saga = ended.operator()
                .map(operator -> byHand(state, operator).ordered(ended))
                .orElse(state.saga());
        boolean manual = ended.operator().isPresent()
                || saga.branches().stream().anyMatch(b -> b.progress() instanceof Progress.Skipped);
        return new Ended(saga, state.abort(), ended.outcome(), manual, ended.at());
    }

    /** What the operator did not leave to alpha counts as done by hand. */
    private static Saga byHand(Known state, Operator operator) {
        CallbackKind kind = Obligations.kind(state);
        return state.saga()
                .with(state.saga()
                        .branches()
                        .changingEach(b -> b.offer(kind).isEmpty() || b.progress() instanceof Progress.Done
                                ? b
                                : b.with(new Progress.Skipped(operator))));
    }

    // ---- a saga that was held

    private static Known resumed(Held held, SagaEvent.Resumed resumed) {
        boolean ordered = resumed.operator().isPresent();
        Saga saga = ordered ? held.saga().ordered(resumed) : held.saga();
        return switch (held.before()) {
            case Active active -> new Active(saga, active.commitRequested());
            case Prepared prepared -> new Prepared(saga);
            case Confirming confirming -> new Confirming(CallbackProgress.afresh(saga));
            case Compensating compensating -> new Compensating(CallbackProgress.afresh(saga), compensating.decision());
            case Suspended suspended -> decided(CallbackProgress.afresh(saga), suspended.abort());
            case Held again -> throw corrupt(held, resumed);
            case Ended ended -> throw corrupt(held, resumed);
        };
    }

    /** As a person knows that it has ended, whatever the store has of it. */
    private static Known endedByHand(Held held, SagaEvent.Ended ended) {
        Saga saga = held.saga();
        if (ended.outcome() == Outcome.COMMITTED) {
            return ended(new Confirming(saga.with(saga.branches().toConfirm())), ended);
        }
        Abort abort = held.before()
                .abort()
                .orElseGet(() -> new Abort(Abort.Cause.OPERATOR, Optional.empty(), held.why(), ended.at()));
        return ended(new Compensating(saga, abort), ended);
    }

    // ---- the business call of a branch

    private static Branch begun(SagaEvent.BranchBegan began, long as) {
        return new Branch(began.call(), began.at(), as, new Forward.Running(began.deadline()), new Progress.Idle(0));
    }

    /** A branch that ended after all reopens a compensated saga, unless it was compensated or done by hand already. */
    private static Known ended(Known state, SagaEvent.BranchEnded event) {
        long order = state.sequence() + 1;
        Saga saga = state.saga()
                .changing(event.branch(), b -> b.with(new Forward.Ended(event.result(), order, event.at())))
                .grown(event.result().size());
        boolean reopens = state instanceof Ended
                && state.abort().isPresent()
                && saga.branch(event.branch())
                        .filter(b -> b.compensation().isPresent() && b.progress() instanceof Progress.Idle)
                        .isPresent();
        return reopens ? decided(saga, state.abort()) : with(state, saga);
    }

    private static Branch failed(Branch branch, SagaEvent.BranchFailed failed) {
        if (!failed.rolledBack()) {
            if (branch.forward() instanceof Forward.Running running) {
                return branch.with(new Forward.Unknown(running.deadline(), failed.cause()));
            }
            throw new CorruptJournalException("branch " + branch.id() + " failed twice");
        }
        // Nothing is left to undo, so nobody needs to be asked any more.
        return branch.with(new Forward.Failed(failed.cause(), failed.at()))
                .with(CallbackProgress.calledOff(branch.progress()));
    }

    // ---- the callback of a branch

    private static Known progress(Known state, BranchId branch, Progress next) {
        return with(state, state.saga().changing(branch, b -> b.with(next)));
    }

    // ---- size

    private static int size(Initiator initiator) {
        int attributes = initiator.attributes().entrySet().stream()
                .mapToInt(e -> e.getKey().length() + e.getValue().length())
                .sum();
        return initiator.service().length() + initiator.operation().length() + attributes;
    }

    static CorruptJournalException corrupt(SagaState state, SagaEvent event) {
        return new CorruptJournalException("journal of saga %s is corrupt: %s after %s events in state %s"
                .formatted(
                        state.id(),
                        event.getClass().getSimpleName(),
                        state.sequence(),
                        state.getClass().getSimpleName()));
    }
}
