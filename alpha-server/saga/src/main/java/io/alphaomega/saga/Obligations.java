package io.alphaomega.saga;

import io.alphaomega.saga.Branch.Effort;
import io.alphaomega.saga.Branch.Forward;
import io.alphaomega.saga.Branch.Progress;
import io.alphaomega.saga.SagaState.Absent;
import io.alphaomega.saga.SagaState.Active;
import io.alphaomega.saga.SagaState.Compensating;
import io.alphaomega.saga.SagaState.Confirming;
import io.alphaomega.saga.SagaState.Ended;
import io.alphaomega.saga.SagaState.Known;
import io.alphaomega.saga.SagaState.Purged;
import io.alphaomega.saga.SagaState.Suspended;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What a saga owes itself: the events that follow from its state and the time alone, and when they will. */
final class Obligations {
    private Obligations() {}

    /** The one event that is due now, or null. To be asked again in the state it leads to. */
    static @Nullable SagaEvent next(SagaState state, Instant now) {
        return switch (state) {
            case Absent absent -> null;
            case Purged purged -> null;
            case Active active -> nextOfActive(active, now);
            case SagaState.Prepared prepared -> null;
            case Confirming confirming -> nextOfDecided(confirming, now);
            case Compensating compensating -> nextOfDecided(compensating, now);
            case Suspended suspended -> nextOfDecided(suspended, now);
            case SagaState.Held held -> null;
            case Ended ended -> null;
        };
    }

    // ---- before the decision

    private static @Nullable SagaEvent nextOfActive(Active active, Instant now) {
        Saga saga = active.saga();
        boolean open = false;
        for (Branch branch : saga.branches().moving()) {
            switch (branch.forward()) {
                case Forward.Failed failed -> {
                    return aborted(Abort.Cause.BRANCH_FAILED, branch, "failed: " + failed.cause(), now);
                }
                case Forward.Unknown unknown -> {
                    return aborted(Abort.Cause.BRANCH_FAILED, branch, "failed: " + unknown.cause(), now);
                }
                case Forward.Running running -> {
                    if (isDue(running.deadline(), now)) {
                        return aborted(Abort.Cause.BRANCH_TIMED_OUT, branch, "did not end in time", now);
                    }
                    open = true;
                }
                case Forward.Ended ended -> {}
            }
        }
        if (isDue(saga.deadline(), now)) {
            String text = "the saga did not end within "
                    + Duration.between(saga.begunAt(), saga.deadline()).toSeconds() + " s";
            return SagaRules.aborted(Abort.Cause.SAGA_TIMED_OUT, text, now);
        }
        return active.commitRequested() && !open ? Nesting.agreed(saga, now) : null;
    }

    private static SagaEvent aborted(Abort.Cause cause, Branch branch, String what, Instant now) {
        String text = "%s of %s %s".formatted(branch.operation(), branch.service(), what);
        return new SagaEvent.Aborted(new Abort(cause, Optional.of(branch.id()), text, now));
    }

    // ---- after the decision

    private static @Nullable SagaEvent nextOfDecided(Known state, Instant now) {
        Saga saga = state.saga();
        for (Branch branch : saga.branches().moving()) {
            SagaEvent overdue = overdue(saga, branch, now);
            if (overdue != null) return overdue;
        }
        Suspension stuck = stuck(saga, kind(state), now);
        if (stuck == null && state instanceof Suspended) return new SagaEvent.Resumed(Optional.empty(), now);
        Branch next = CallbackSequence.next(saga, kind(state), now);
        if (next != null) {
            int asked = ((Progress.Idle) next.progress()).lastAttempt();
            Instant giveUpAt =
                    now.plus(CallbackEvents.policy(saga, next, kind(state)).within());
            return CallbackEvents.requested(saga, next, Effort.none(kind(state), asked, giveUpAt), now);
        }
        if (stuck != null) {
            return isSuspendedFor(state, stuck) ? null : new SagaEvent.Suspended(stuck);
        }
        if (saga.branches().firstInLine() != null) return null;
        for (Branch branch : saga.branches().moving()) {
            if (!isSettled(branch, kind(state))) return null;
        }
        return new SagaEvent.Ended(outcome(state), Optional.empty(), now);
    }

    private static boolean isSuspendedFor(Known state, Suspension stuck) {
        return state instanceof Suspended suspended
                && suspended.suspension().branch().equals(stuck.branch())
                && suspended.suspension().reason() == stuck.reason();
    }

    /** An answer that did not come, or a pause that is over. */
    private static @Nullable SagaEvent overdue(Saga saga, Branch branch, Instant now) {
        return switch (branch.progress()) {
            case Progress.Asked asked ->
                isDue(asked.answerBy(), now)
                        ? CallbackEvents.failed(
                                saga, branch.id(), asked.effort(), FailureCode.NO_ANSWER, "no answer in time", now)
                        : null;
            case Progress.AwaitingRetry awaiting ->
                isDue(awaiting.retryAt(), now) ? CallbackEvents.requested(saga, branch, awaiting.effort(), now) : null;
            case Progress.AwaitingParticipant awaiting ->
                isDue(awaiting.retryAt(), now) ? CallbackEvents.requested(saga, branch, awaiting.effort(), now) : null;
            case Progress.Idle idle -> null;
            case Progress.GaveUp gaveUp -> null;
            case Progress.Done done -> null;
            case Progress.Skipped skipped -> null;
        };
    }

    /** Whether nothing is left to do for the branch. */
    static boolean isSettled(Branch branch, CallbackKind kind) {
        if (branch.offer(kind).isEmpty()) return true;
        return switch (branch.progress()) {
            case Progress.Done done -> true;
            case Progress.Skipped skipped -> true;
            case Progress.Idle idle -> branch.forward() instanceof Forward.Failed;
            case Progress.Asked asked -> false;
            case Progress.AwaitingRetry awaiting -> false;
            case Progress.AwaitingParticipant awaiting -> false;
            case Progress.GaveUp gaveUp -> false;
        };
    }

    // ---- stuck

    private static @Nullable Suspension stuck(Saga saga, CallbackKind kind, Instant now) {
        for (Branch branch : saga.branches().moving()) {
            Suspension stuck = stuck(branch, kind, now);
            if (stuck != null) return stuck;
        }
        return null;
    }

    /** Why only a person can help the branch, or null. */
    static @Nullable Suspension stuck(Branch branch, CallbackKind kind, Instant now) {
        if (branch.progress() instanceof Progress.GaveUp gaveUp) {
            return new Suspension(
                    reason(kind, gaveUp.code()),
                    branch.id(),
                    branch.service(),
                    gaveUp.effort().failures(),
                    gaveUp.lastError(),
                    now);
        }
        boolean unknowable = kind == CallbackKind.COMPENSATION
                && !branch.fenced()
                && branch.compensation().isPresent()
                && branch.progress() instanceof Progress.Idle
                && branch.isSilent(now);
        if (!unknowable) return null;
        String error = "%s has no fence and never reported its end: find out in %s whether it took effect"
                .formatted(branch.operation(), branch.service());
        return new Suspension(Suspension.Reason.BRANCH_END_UNKNOWN, branch.id(), branch.service(), 0, error, now);
    }

    private static Suspension.Reason reason(CallbackKind kind, FailureCode code) {
        return switch (code) {
            case UNDECODABLE -> Suspension.Reason.UNDECODABLE;
            case FORWARD_MISSING -> Suspension.Reason.FORWARD_MISSING;
            case FENCE_ROW_MISSING -> Suspension.Reason.FENCE_ROW_MISSING;
            case NO_PARTICIPANT -> Suspension.Reason.NO_PARTICIPANT;
            case THREW, NO_ANSWER, UNKNOWN_CALLBACK, STREAM_LOST, BUSY ->
                switch (kind) {
                    case COMPENSATION -> Suspension.Reason.COMPENSATION_FAILED;
                    case CONFIRMATION -> Suspension.Reason.CONFIRMATION_FAILED;
                };
        };
    }

    // ---- time

    /** Asked for every event that is stored, so it makes nothing that it does not return. */
    static Optional<Instant> wakeUpAt(SagaState state) {
        return switch (state) {
            case Absent absent -> Optional.empty();
            case Purged purged -> Optional.empty();
            case Active active -> Optional.of(wakeUpOfActive(active.saga()));
            case SagaState.Prepared prepared -> Optional.empty();
            case Confirming confirming -> Optional.ofNullable(wakeUpOfDecided(confirming));
            case Compensating compensating -> Optional.ofNullable(wakeUpOfDecided(compensating));
            case Suspended suspended -> Optional.ofNullable(wakeUpOfDecided(suspended));
            case SagaState.Held held -> Optional.empty();
            case Ended ended -> Optional.empty();
        };
    }

    private static Instant wakeUpOfActive(Saga saga) {
        Instant first = saga.deadline();
        for (Branch branch : saga.branches().moving()) {
            Instant deadline = deadline(branch);
            if (deadline != null && deadline.isBefore(first)) first = deadline;
        }
        return first;
    }

    private static @Nullable Instant wakeUpOfDecided(Known state) {
        Saga saga = state.saga();
        boolean waitsInLine = saga.policy().order() == Policy.Order.SEQUENTIAL && CallbackSequence.isBusy(saga);
        Instant first = null;
        for (Branch branch : saga.branches().moving()) {
            Instant at =
                    switch (branch.progress()) {
                        case Progress.Asked asked -> asked.answerBy();
                        case Progress.AwaitingRetry awaiting -> awaiting.retryAt();
                        case Progress.AwaitingParticipant awaiting -> awaiting.retryAt();
                        case Progress.Idle idle -> endsGrace(state, branch, waitsInLine) ? deadline(branch) : null;
                        case Progress.GaveUp gaveUp -> null;
                        case Progress.Done done -> null;
                        case Progress.Skipped skipped -> null;
                    };
            if (at != null && (first == null || at.isBefore(first))) first = at;
        }
        return first;
    }

    /** Whether something happens when the grace of a branch that never reported its end is over. */
    private static boolean endsGrace(Known state, Branch branch, boolean waitsInLine) {
        if (branch.offer(kind(state)).isEmpty()) return false;
        return branch.fenced() ? !waitsInLine : !(state instanceof Suspended);
    }

    private static @Nullable Instant deadline(Branch branch) {
        return switch (branch.forward()) {
            case Forward.Running running -> running.deadline();
            case Forward.Unknown unknown -> unknown.deadline();
            case Forward.Ended ended -> null;
            case Forward.Failed failed -> null;
        };
    }

    static boolean isDue(Instant at, Instant now) {
        return !now.isBefore(at);
    }

    // ---- the decision

    /** Which callbacks carry out the decision. */
    static CallbackKind kind(Known decided) {
        return decided.abort().isPresent() ? CallbackKind.COMPENSATION : CallbackKind.CONFIRMATION;
    }

    static Outcome outcome(Known decided) {
        return decided.abort().isPresent() ? Outcome.COMPENSATED : Outcome.COMMITTED;
    }
}
