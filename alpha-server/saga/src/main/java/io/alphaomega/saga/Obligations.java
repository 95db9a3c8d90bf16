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
        Branch next = nextToAsk(saga, kind(state), now);
        if (next != null) {
            int asked = ((Progress.Idle) next.progress()).lastAttempt();
            Instant giveUpAt = now.plus(policy(saga, next, kind(state)).within());
            return requested(saga, next, Effort.none(kind(state), asked, giveUpAt), now);
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
                        ? failed(saga, branch.id(), asked.effort(), FailureCode.NO_ANSWER, "no answer in time", now)
                        : null;
            case Progress.AwaitingRetry awaiting ->
                isDue(awaiting.retryAt(), now) ? requested(saga, branch, awaiting.effort(), now) : null;
            case Progress.AwaitingParticipant awaiting ->
                isDue(awaiting.retryAt(), now) ? requested(saga, branch, awaiting.effort(), now) : null;
            case Progress.Idle idle -> null;
            case Progress.GaveUp gaveUp -> null;
            case Progress.Done done -> null;
            case Progress.Skipped skipped -> null;
        };
    }

    /**
     * The branch whose callback is asked next: compensations last-finished-first, then those whose end nobody reported
     * in time, which only a fence makes safe; confirmations first-finished-first. A branch whose end travels stands where
     * it must have finished if it has: after whatever it has called, and before whatever began later.
     */
    private static @Nullable Branch nextToAsk(Saga saga, CallbackKind kind, Instant now) {
        if (saga.policy().order() == Policy.Order.SEQUENTIAL && isBusy(saga)) return null;
        Branch next = saga.branches().firstInLine();
        if (kind != CallbackKind.COMPENSATION) return next;
        Branch overdue = null;
        boolean anyTravels = false;
        for (Branch branch : saga.branches().moving()) {
            if (!isSilent(branch, now)) continue;
            overdue = branch;
            anyTravels |= branch.endTravels();
        }
        if (!anyTravels) return next == null ? overdue : next;
        return lastToFinish(saga.branches(), next, now);
    }

    private static boolean isSilent(Branch branch, Instant now) {
        return branch.progress() instanceof Progress.Idle
                && branch.compensation().isPresent()
                && branch.fenced()
                && branch.isSilent(now);
    }

    /** Of those of which nothing is heard the one that can have finished last, unless {@code ended} must have later. */
    private static @Nullable Branch lastToFinish(Branches branches, @Nullable Branch ended, Instant now) {
        long[] signs = lastSigns(branches);
        Branch last = null;
        long lastSign = 0;
        for (int i = 0; i < branches.size(); i++) {
            Branch branch = branches.get(i);
            boolean later = signs[i] > lastSign; // Who called the others comes first, and has their sign.
            if (!later || !isSilent(branch, now)) continue;
            if (ended != null && (!branch.endTravels() || signs[i] < order(ended))) continue;
            last = branch;
            lastSign = signs[i];
        }
        return last == null ? ended : last;
    }

    /** By position, the sequence of the last event by which each branch, or one called in it, is known to have run. */
    private static long[] lastSigns(Branches branches) {
        long[] signs = new long[branches.size()];
        for (int i = branches.size() - 1; i >= 0; i--) {
            Branch branch = branches.get(i);
            long own = branch.forward() instanceof Forward.Ended ? order(branch) : branch.begunAs();
            signs[i] = Math.max(signs[i], own);
            int caller = branch.parent().map(branches::position).orElse(-1);
            // Whatever its begin says, who called it began before it.
            if (caller >= 0 && caller < i) signs[caller] = Math.max(signs[caller], signs[i]);
        }
        return signs;
    }

    private static long order(Branch ended) {
        return ((Forward.Ended) ended.forward()).order();
    }

    private static boolean isBusy(Saga saga) {
        for (Branch branch : saga.branches().moving()) {
            boolean busy =
                    switch (branch.progress()) {
                        case Progress.Asked asked -> true;
                        case Progress.AwaitingRetry awaiting -> true;
                        case Progress.AwaitingParticipant awaiting -> true;
                        case Progress.GaveUp gaveUp -> true;
                        case Progress.Idle idle -> false;
                        case Progress.Done done -> false;
                        case Progress.Skipped skipped -> false;
                    };
            if (busy) return true;
        }
        return false;
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

    // ---- events of callbacks

    static SagaEvent requested(Saga saga, Branch branch, Effort effort, Instant now) {
        return new SagaEvent.CallbackRequested(
                branch.id(),
                effort.kind(),
                effort.attempt() + 1,
                branch.forward() instanceof Forward.Ended,
                now.plus(policy(saga, branch, effort.kind()).timeout()),
                effort.giveUpAt(),
                now);
    }

    /** Gives up after the last attempt, after the time limit, or where trying again cannot help. */
    static SagaEvent failed(Saga saga, BranchId id, Effort effort, FailureCode code, String error, Instant now) {
        return new SagaEvent.CallbackFailed(
                id,
                effort.kind(),
                effort.attempt(),
                code,
                Limits.shortened(error, Limits.REASON_CHARS),
                retryAt(saga, saga.branch(id).orElseThrow(), effort, code, now),
                now);
    }

    /** Whether another attempt follows for sure if this one throws, whenever it does in its time. */
    static boolean isRetried(Saga saga, Branch branch, Progress.Asked asked) {
        return retryAt(saga, branch, asked.effort(), FailureCode.THREW, asked.answerBy())
                .isPresent();
    }

    private static Optional<Instant> retryAt(
            Saga saga, Branch branch, Effort effort, FailureCode code, Instant failedAt) {
        CallbackPolicy policy = policy(saga, branch, effort.kind());
        int failures = effort.failures() + 1;
        Instant retryAt = failedAt.plus(Backoff.delay(policy, saga.id(), branch.id(), effort.attempt(), failures));
        boolean retry = code.retried() && failures < policy.attempts() && retryAt.isBefore(effort.giveUpAt());
        return retry ? Optional.of(retryAt) : Optional.empty();
    }

    /** Not counted as a failure, but the time limit runs. */
    static SagaEvent deferred(Saga saga, BranchId id, Effort effort, Instant now) {
        Branch branch = saga.branch(id).orElseThrow();
        if (isDue(effort.giveUpAt(), now)) {
            String error = "every instance of %s was busy until the time limit".formatted(branch.service());
            if (branch.nested().isPresent()) error = Nesting.waitsFor(branch) + ", and the time limit is up";
            return failed(saga, id, effort, FailureCode.BUSY, error, now);
        }
        CallbackPolicy policy = policy(saga, branch, effort.kind());
        Duration pause = Backoff.delay(
                policy.brief(waited(policy, effort, now)), saga.id(), id, effort.attempt(), effort.attempt());
        Instant retryAt = now.plus(pause);
        return new SagaEvent.CallbackDeferred(
                id, effort.kind(), effort.attempt(), earlier(retryAt, effort.giveUpAt()), now);
    }

    /** Since the callback was asked for the first time. */
    private static Duration waited(CallbackPolicy policy, Effort effort, Instant now) {
        return Duration.between(effort.giveUpAt().minus(policy.within()), now);
    }

    private static Instant earlier(Instant one, Instant other) {
        return one.isBefore(other) ? one : other;
    }

    /** Not counted as a failure, but the time limit runs. */
    static SagaEvent missed(Saga saga, BranchId id, Effort effort, Instant now) {
        Branch branch = saga.branch(id).orElseThrow();
        if (isDue(effort.giveUpAt(), now)) {
            String error = "no instance of %s was connected until the time limit".formatted(branch.service());
            return failed(saga, id, effort, FailureCode.NO_PARTICIPANT, error, now);
        }
        CallbackPolicy policy = policy(saga, branch, effort.kind());
        Duration pause = Backoff.delay(
                policy.patient(waited(policy, effort, now)), saga.id(), id, effort.attempt(), effort.attempt());
        Instant retryAt = now.plus(pause);
        return new SagaEvent.ParticipantMissed(
                id, effort.kind(), effort.attempt(), earlier(retryAt, effort.giveUpAt()), now);
    }

    static CallbackPolicy policy(Saga saga, Branch branch, CallbackKind kind) {
        return branch.offer(kind)
                .flatMap(CallbackOffer::policy)
                .orElse(saga.policy().callbacks());
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
        boolean waitsInLine = saga.policy().order() == Policy.Order.SEQUENTIAL && isBusy(saga);
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

    private static boolean isDue(Instant at, Instant now) {
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
