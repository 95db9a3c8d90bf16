package io.alphaomega.saga;

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
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The rules of a saga, as four pure functions. No clock, no I/O, no configuration, no threads.
 *
 * <pre>
 *   decide(state, input, now) → events to append + reply     may say no
 *   evolve(state, event)      → the next state               may not say no; the only way state changes
 *   effects(state)            → what must be made to happen  so a restart needs no outbox
 *   wakeUpAt(state)           → when to send the next Tick   so there is nothing to cancel
 * </pre>
 *
 * <p>After Garcia-Molina and Salem, "Sagas", 1987: either every branch stays done, or every finished one is undone.
 *
 * <p>A decision has three parts. First what time alone has decided ({@link Obligations}): a deadline that has passed
 * beats the input that comes too late. Then what the input says. Then what the saga owes itself in the state this leads
 * to. So no rule is written twice for a message and for a timer.
 */
public final class SagaRules {
    private SagaRules() {}

    /**
     * What to journal about {@code input}, and what to answer once that is stored.
     *
     * @param now by the shell's clock; not before any earlier one given for this saga
     */
    public static Decision decide(SagaState state, SagaInput input, Instant now) {
        if (input instanceof SagaInput.Hold hold) return Holding.hold(state, hold.restoration(), now);
        Draft draft = new Draft(state, now);
        draft.settle();
        Reply reply = decide(draft, input);
        draft.settle();
        return new Decision(draft.events, reply != null ? reply : goAhead(draft.state), draft.state);
    }

    /** The state after {@code event}; throws {@link CorruptJournalException} for an event no decision can have made. */
    public static SagaState evolve(SagaState state, SagaEvent event) {
        return Fold.evolve(state, event);
    }

    /** Everything that must be made to happen outside while the saga is in {@code state}. */
    public static Set<SagaEffect> effects(SagaState state) {
        return Effects.of(state);
    }

    /** When to send the next {@link SagaInput.Tick}; empty when only others can move the saga. */
    public static Optional<Instant> wakeUpAt(SagaState state) {
        return Obligations.wakeUpAt(state);
    }

    /**
     * What a saga's initiator may be told: {@code Committed} or {@code Aborted} once decided, {@code Pending} before, and
     * {@code NotNow} while nobody knows.
     */
    public static Reply standing(Known state) {
        return switch (state) {
            case Active active -> new Reply.Pending();
            case Prepared prepared -> new Reply.Pending();
            case Confirming confirming -> new Reply.Committed();
            case Compensating compensating -> new Reply.Aborted(compensating.decision());
            case Suspended suspended -> standing(suspended.abort());
            case Held held -> Holding.standing(held);
            case Ended ended -> standing(ended.abort());
        };
    }

    /** As {@link #standing}, but of a nested saga that is prepared {@code Accepted}: that is all its initiator waits for. */
    public static Reply answerToEnd(Known state) {
        return state instanceof Prepared ? new Reply.Accepted() : standing(state);
    }

    private static Reply standing(Optional<Abort> abort) {
        return abort.<Reply>map(Reply.Aborted::new).orElseGet(Reply.Committed::new);
    }

    /** Whoever wants to go forward may do so while nothing is decided. */
    private static Reply goAhead(SagaState state) {
        if (state instanceof Prepared) return new Reply.Accepted();
        return state instanceof Known known && !(known instanceof Active) ? standing(known) : new Reply.Accepted();
    }

    /** What a participant hears that reports: stored, or how the saga ended. */
    private static Reply noted(Known state) {
        return state instanceof Ended ? standing(state) : new Reply.Accepted();
    }

    // ---- the input; null means "answer with goAhead once everything is settled"

    private static @Nullable Reply decide(Draft draft, SagaInput input) {
        return switch (draft.state) {
            case Known known -> decide(draft, known, input);
            case SagaState.Absent absent -> decideAbsent(draft, input);
            case SagaState.Purged purged -> Remembrance.decide(purged, input);
        };
    }

    private static @Nullable Reply decideCarrying(Draft draft, SagaInput.Carrying carrying) {
        Reply refused = carrying.input() instanceof SagaInput.Abort ? null : unknownEnd(draft.state, carrying);
        if (refused != null) return refused;
        carrying.begin().ifPresent(begin -> decide(draft, begin));
        for (BranchId ended : carrying.ended()) endCarried(draft, ended);
        draft.settle();
        return decide(draft, carrying.input());
    }

    private static @Nullable Reply unknownEnd(SagaState state, SagaInput.Carrying carrying) {
        for (BranchId ended : carrying.ended()) {
            if (branch(state, ended).isEmpty()) {
                return new Reply.Rejected(
                        Refusal.UNKNOWN_BRANCH,
                        "saga %s has no branch %s, which has ended as was told".formatted(state.id(), ended));
            }
        }
        return null;
    }

    /** What a branch has not left to others to tell is not taken from them: it is heard from its participant. */
    private static void endCarried(Draft draft, BranchId ended) {
        Branch branch = branch(draft.state, ended).orElse(null);
        if (branch == null || !branch.endTravels() || !branch.isNewsThatItEnded()) return;
        draft.add(new SagaEvent.BranchEnded(ended, Payload.EMPTY, draft.now));
    }

    private static Optional<Branch> branch(SagaState state, BranchId id) {
        return state instanceof Known known ? known.saga().branch(id) : Optional.empty();
    }

    private static @Nullable Reply decideAbsent(Draft draft, SagaInput input) {
        return switch (input) {
            case SagaInput.Begin begin -> {
                draft.add(new SagaEvent.Begun(begin.initiator(), begin.policy(), false, draft.now));
                yield null;
            }
            case SagaInput.BeginOnce begin -> {
                draft.add(new SagaEvent.Begun(begin.initiator(), begin.policy(), false, draft.now));
                yield null;
            }
            case SagaInput.BeginNested begin -> {
                draft.add(new SagaEvent.Begun(begin.initiator(), begin.policy(), false, draft.now));
                yield null;
            }
            case SagaInput.Decide decide -> Nesting.decideAbsent(draft, decide);
            case SagaInput.BeginBranch branch -> {
                Reply refused = overLimit(branch, 0, 0);
                if (refused != null) yield refused;
                draft.add(new SagaEvent.Begun(Initiator.UNKNOWN, Policy.DEFAULT, true, draft.now));
                draft.add(began(branch, Policy.DEFAULT, draft.now));
                yield null;
            }
            case SagaInput.Carrying carrying -> decideCarrying(draft, carrying);
            case SagaInput.Tick tick -> null;
            case SagaInput.Hold hold -> null;
            case SagaInput.ConnectService connected -> null;
            case SagaInput.End end -> unknownSaga(draft);
            case SagaInput.Abort abort -> unknownSaga(draft);
            case SagaInput.AskOutcome ask -> unknownSaga(draft);
            case SagaInput.EndBranch end -> unknownSaga(draft);
            case SagaInput.FailBranch fail -> unknownSaga(draft);
            case SagaInput.SucceedCallback success -> unknownSaga(draft);
            case SagaInput.FailCallback failure -> unknownSaga(draft);
            case SagaInput.AnswerFence answer -> unknownSaga(draft);
            case SagaInput.LoseCallback loss -> unknownSaga(draft);
            case SagaInput.DeferCallback busy -> unknownSaga(draft);
            case SagaInput.MissParticipant missing -> unknownSaga(draft);
            case SagaInput.MissBuild missing -> unknownSaga(draft);
            case SagaInput.Retry retry -> unknownSaga(draft);
            case SagaInput.Skip skip -> unknownSaga(draft);
            case SagaInput.Resolve resolve -> unknownSaga(draft);
            case SagaInput.AbortByOperator abort -> unknownSaga(draft);
        };
    }

    private static @Nullable Reply decide(Draft draft, Known state, SagaInput input) {
        Reply resting = state instanceof Held held ? Holding.rest(held, input) : null;
        if (resting != null) return resting;
        return switch (input) {
            case SagaInput.Begin begin -> {
                if (state instanceof Active && state.saga().provisional()) {
                    draft.add(new SagaEvent.BeginCaughtUp(begin.initiator(), begin.policy(), draft.now));
                }
                yield null;
            }
            case SagaInput.BeginOnce begin -> isBegunBy(begin, state) ? null : standing(state);
            case SagaInput.BeginNested begin -> Nesting.begin(state, begin);
            case SagaInput.Decide decide -> Nesting.decide(draft, state, decide);
            case SagaInput.End end -> {
                if (state instanceof Active active) {
                    if (!active.commitRequested()) draft.add(new SagaEvent.CommitRequested(draft.now));
                    draft.settle();
                }
                yield answerToEnd((Known) draft.state);
            }
            case SagaInput.Abort abort -> {
                if (state instanceof Prepared prepared) yield Nesting.prepared(prepared);
                if (state instanceof Active) {
                    draft.add(aborted(Abort.Cause.INITIATOR, abort.cause(), draft.now));
                }
                yield standing((Known) draft.state);
            }
            case SagaInput.AskOutcome ask -> standing(state);
            case SagaInput.Carrying carrying -> decideCarrying(draft, carrying);
            case SagaInput.BeginBranch begin -> beginBranch(draft, state, begin);
            case SagaInput.EndBranch end -> endBranch(draft, state, end);
            case SagaInput.FailBranch fail -> failBranch(draft, state, fail);
            case SagaInput.SucceedCallback success -> succeedCallback(draft, state, success);
            case SagaInput.FailCallback failure -> {
                Reply refused = otherAnswer(state, failure.branch(), failure.service());
                if (refused != null) yield refused;
                Progress.Asked asked = asked(state, failure.branch(), failure.kind(), failure.attempt());
                if (asked == null) yield stale(state, failure.branch(), failure.kind(), failure.attempt());
                draft.add(Builds.failed(state.saga(), asked.effort(), failure, draft.now));
                yield new Reply.Accepted();
            }
            case SagaInput.AnswerFence answer -> {
                Reply refused = otherService(state, answer.branch(), answer.service());
                yield refused != null ? refused : Holding.answer(draft, state, answer);
            }
            case SagaInput.LoseCallback loss -> loseCallback(draft, state, loss);
            case SagaInput.DeferCallback busy -> deferCallback(draft, state, busy);
            case SagaInput.MissParticipant missing -> missParticipant(draft, state, missing);
            case SagaInput.MissBuild missing -> missBuild(draft, state, missing);
            case SagaInput.ConnectService connected -> connectService(draft, state, connected);
            case SagaInput.Tick tick -> new Reply.Accepted();
            case SagaInput.Hold hold -> new Reply.Accepted();
            case SagaInput.Retry retry -> Interventions.retry(draft, state, retry);
            case SagaInput.Skip skip -> Interventions.skip(draft, state, skip);
            case SagaInput.Resolve resolve -> Interventions.resolve(draft, state, resolve);
            case SagaInput.AbortByOperator abort -> Interventions.abort(draft, state, abort);
        };
    }

    private static boolean isBegunBy(SagaInput.BeginOnce begin, Known state) {
        return state.saga().initiator().start().equals(begin.initiator().start());
    }

    private static @Nullable Reply beginBranch(Draft draft, Known state, SagaInput.BeginBranch begin) {
        Saga saga = state.saga();
        Optional<Branch> known = saga.branch(begin.branch());
        if (state instanceof Prepared prepared && known.isEmpty()) return Nesting.prepared(prepared);
        boolean decided = !(state instanceof Active || state instanceof Prepared);
        if (decided && standing(state) instanceof Reply.Aborted) return null;
        // Also of a saga that is committed: who repeats a call of that is given what it returned.
        if (known.isPresent()) return known.get().isRepeatedBy(begin) ? null : conflict(state, known.get(), begin);
        if (decided) return null;
        Reply refused = overLimit(begin, saga.branches().size(), saga.bytes());
        if (refused != null) return refused;
        draft.add(began(begin, saga.policy(), draft.now));
        return null;
    }

    private static Reply endBranch(Draft draft, Known state, SagaInput.EndBranch end) {
        Optional<Branch> branch = state.saga().branch(end.branch());
        if (branch.isEmpty()) return unknownBranch(state, end.branch());
        Reply refused = otherService(state, end.branch(), end.service());
        if (refused != null) return refused;
        if (branch.get().isNewsThatItEnded()) {
            if (end.result().size() > Limits.PAYLOAD_BYTES) return payloadTooLarge("result", end.result());
            int total = state.saga().bytes() + end.result().size();
            // Without a result an end is always accepted: a late begin may have filled the saga beyond its limit.
            if (end.result().size() > 0 && total > Limits.SAGA_BYTES) return sagaTooLarge(total);
            draft.add(new SagaEvent.BranchEnded(end.branch(), end.result(), draft.now));
        }
        return noted(state);
    }

    private static Reply failBranch(Draft draft, Known state, SagaInput.FailBranch fail) {
        Optional<Branch> branch = state.saga().branch(fail.branch());
        if (branch.isEmpty()) return unknownBranch(state, fail.branch());
        Reply refused = otherService(state, fail.branch(), fail.service());
        if (refused != null) return refused;
        // Of a nested saga only that itself can say so, and it is asked.
        boolean rolledBack = fail.rolledBack() && branch.get().nested().isEmpty();
        boolean news =
                switch (branch.get().forward()) {
                    case Forward.Running running -> true;
                    case Forward.Unknown unknown -> rolledBack;
                    case Forward.Ended ended -> false;
                    case Forward.Failed failed -> false;
                };
        if (news) {
            String cause = Limits.shortened(fail.cause(), Limits.REASON_CHARS);
            draft.add(new SagaEvent.BranchFailed(fail.branch(), cause, rolledBack, draft.now));
        }
        return noted(state);
    }

    // ---- answers to callbacks

    /** True whichever attempt it was: the fence lets only one of them take effect. */
    private static Reply succeedCallback(Draft draft, Known state, SagaInput.SucceedCallback success) {
        Branch branch = state.saga().branch(success.branch()).orElse(null);
        if (branch == null) return unknownBranch(state, success.branch());
        Reply refused = otherAnswer(state, success.branch(), success.service());
        if (refused != null) return refused;
        Branch.Effort effort =
                switch (branch.progress()) {
                    case Progress.Asked asked -> asked.effort();
                    case Progress.AwaitingRetry awaiting -> awaiting.effort();
                    case Progress.AwaitingParticipant awaiting -> awaiting.effort();
                    case Progress.GaveUp gaveUp -> gaveUp.effort();
                    case Progress.Idle idle -> null;
                    case Progress.Skipped skipped -> null;
                    case Progress.Done done -> null;
                };
        boolean asked = effort != null && effort.kind() == success.kind() && success.attempt() <= effort.attempt();
        if (asked && success.attempt() >= 1) {
            draft.add(new SagaEvent.CallbackSucceeded(success.branch(), success.kind(), success.attempt(), draft.now));
            return new Reply.Accepted();
        }
        if (branch.progress() instanceof Progress.Done done && done.kind() == success.kind()) {
            return new Reply.Accepted();
        }
        return stale(state, success.branch(), success.kind(), success.attempt());
    }

    private static Reply loseCallback(Draft draft, Known state, SagaInput.LoseCallback loss) {
        Progress.Asked asked = asked(state, loss.branch(), loss.kind(), loss.attempt());
        if (asked == null) return stale(state, loss.branch(), loss.kind(), loss.attempt());
        Branch.Effort effort = asked.effort();
        if (effort.losses() >= Limits.LOSSES_FREE || !draft.now.isBefore(effort.giveUpAt())) {
            String error = "the stream to the participant broke %d times".formatted(effort.losses() + 1);
            draft.add(
                    Obligations.failed(state.saga(), loss.branch(), effort, FailureCode.STREAM_LOST, error, draft.now));
        } else {
            draft.add(new SagaEvent.CallbackLost(loss.branch(), loss.kind(), loss.attempt(), draft.now));
        }
        return new Reply.Accepted();
    }

    private static Reply deferCallback(Draft draft, Known state, SagaInput.DeferCallback busy) {
        Reply refused = otherAnswer(state, busy.branch(), busy.service());
        if (refused != null) return refused;
        Progress.Asked asked = asked(state, busy.branch(), busy.kind(), busy.attempt());
        if (asked == null) return stale(state, busy.branch(), busy.kind(), busy.attempt());
        draft.add(Obligations.deferred(state.saga(), busy.branch(), asked.effort(), draft.now));
        return new Reply.Accepted();
    }

    private static Reply missParticipant(Draft draft, Known state, SagaInput.MissParticipant missing) {
        Progress.Asked asked = asked(state, missing.branch(), missing.kind(), missing.attempt());
        if (asked == null) return stale(state, missing.branch(), missing.kind(), missing.attempt());
        draft.add(Obligations.missed(state.saga(), missing.branch(), asked.effort(), draft.now));
        return new Reply.Accepted();
    }

    private static Reply missBuild(Draft draft, Known state, SagaInput.MissBuild missing) {
        Progress.Asked asked = asked(state, missing.branch(), missing.kind(), missing.attempt());
        if (asked == null) return stale(state, missing.branch(), missing.kind(), missing.attempt());
        draft.add(Builds.missed(state.saga(), missing.branch(), asked.effort(), draft.now));
        return new Reply.Accepted();
    }

    private static Reply connectService(Draft draft, Known state, SagaInput.ConnectService connected) {
        for (Branch branch : state.saga().branches().moving()) {
            if (!branch.service().equals(connected.service())) continue;
            SagaEvent asked = branch.progress() instanceof Progress.AwaitingParticipant waiting
                    ? Obligations.requested(state.saga(), branch, waiting.effort(), draft.now)
                    : Builds.asked(state.saga(), branch, connected.builds(), draft.now);
            if (asked != null) draft.add(asked);
        }
        return new Reply.Accepted();
    }

    /** The request that {@code attempt} answers, if it is the one under way. */
    private static Progress.@Nullable Asked asked(Known state, BranchId id, CallbackKind kind, int attempt) {
        Branch branch = state.saga().branch(id).orElse(null);
        return branch != null
                        && branch.progress() instanceof Progress.Asked asked
                        && asked.effort().kind() == kind
                        && asked.effort().attempt() == attempt
                ? asked
                : null;
    }

    // ---- events

    private static SagaEvent.BranchBegan began(SagaInput.BeginBranch begin, Policy policy, Instant now) {
        Duration timeout = begin.timeout().orElse(policy.branchTimeout());
        return new SagaEvent.BranchBegan(
                begin.branch(),
                begin.parent(),
                begin.service(),
                begin.instance(),
                begin.build(),
                begin.operation(),
                begin.compensation(),
                begin.confirmation(),
                begin.fenced(),
                begin.fence(),
                begin.endTravels(),
                now.plus(timeout),
                begin.arguments(),
                begin.traceparent(),
                begin.nested(),
                now);
    }

    static SagaEvent.Aborted aborted(Abort.Cause cause, String text, Instant now) {
        return new SagaEvent.Aborted(new Abort(cause, Optional.empty(), text, now));
    }

    // ---- refusals

    private static @Nullable Reply overLimit(SagaInput.BeginBranch begin, int branches, int bytes) {
        if (branches >= Limits.BRANCHES) {
            return new Reply.Rejected(
                    Refusal.TOO_MANY_BRANCHES, "a saga has at most %d branches".formatted(Limits.BRANCHES));
        }
        if (begin.arguments().size() > Limits.PAYLOAD_BYTES) return payloadTooLarge("arguments", begin.arguments());
        int total = bytes + Fold.size(begin);
        return total > Limits.SAGA_BYTES ? sagaTooLarge(total) : null;
    }

    private static Reply payloadTooLarge(String what, Payload payload) {
        return new Reply.Rejected(
                Refusal.PAYLOAD_TOO_LARGE,
                "the %s of a branch may have %d bytes but have %d: keep the data in the participant's own database and pass its key"
                        .formatted(what, Limits.PAYLOAD_BYTES, payload.size()));
    }

    private static Reply sagaTooLarge(int total) {
        return new Reply.Rejected(
                Refusal.SAGA_TOO_LARGE,
                "a saga may hold %d bytes of arguments and results but would hold %d"
                        .formatted(Limits.SAGA_BYTES, total));
    }

    private static Reply unknownSaga(Draft draft) {
        return new Reply.Rejected(Refusal.UNKNOWN_SAGA, "saga %s has not begun".formatted(draft.state.id()));
    }

    static Reply unknownBranch(Known state, BranchId branch) {
        return new Reply.Rejected(Refusal.UNKNOWN_BRANCH, "saga %s has no branch %s".formatted(state.id(), branch));
    }

    /** Null if {@code service} may speak of the branch, as any instance of its service may; and if nobody knows whose it is. */
    private static @Nullable Reply otherService(Known state, BranchId id, String service) {
        Branch branch = state.saga().branch(id).orElse(null);
        if (branch == null || service.isEmpty() || branch.service().equals(service)) return null;
        return new Reply.Rejected(
                Refusal.OTHER_SERVICE,
                "branch %s of saga %s is of service %s, and service %s cannot say what became of it"
                        .formatted(id, state.id(), branch.service(), service));
    }

    /** As {@link #otherService}, of a callback's answer: for a nested saga only alpha answers. */
    private static @Nullable Reply otherAnswer(Known state, BranchId id, String service) {
        Reply refused = Nesting.otherAnswer(state, id, service);
        return refused != null ? refused : otherService(state, id, service);
    }

    /** Never shows arguments, which may hold secrets. */
    private static Reply conflict(Known state, Branch known, SagaInput.BeginBranch begin) {
        String was = call(known.operation(), known.service(), known.parent());
        String is = call(begin.operation(), begin.service(), begin.parent());
        String others = known.arguments().equals(begin.arguments()) ? "" : " with other arguments";
        return new Reply.Rejected(
                Refusal.BRANCH_CONFLICT,
                "branch %s of saga %s is %s and has come again as %s%s: only the same call may come again under its id"
                        .formatted(begin.branch(), state.id(), was, is, others));
    }

    private static String call(String operation, String service, Optional<BranchId> parent) {
        return operation + " of " + service + parent.map(id -> " within " + id).orElse("");
    }

    private static Reply stale(Known state, BranchId branch, CallbackKind kind, int attempt) {
        return new Reply.Rejected(
                Refusal.STALE_ANSWER,
                "attempt %d of the %s of branch %s of saga %s is not under way"
                        .formatted(attempt, kind.name().toLowerCase(java.util.Locale.ROOT), branch, state.id()));
    }

    /** A decision in the making: the events so far, and the state they lead to. */
    static final class Draft {
        final Instant now;
        final List<SagaEvent> events = new ArrayList<>();
        SagaState state;

        Draft(SagaState state, Instant now) {
            this.state = state;
            this.now = now;
        }

        void add(SagaEvent event) {
            state = evolve(state, event);
            events.add(event);
        }

        /** Adds what the saga owes itself, one event at a time, until it owes nothing more at this moment. */
        void settle() {
            for (SagaEvent owed = Obligations.next(state, now); owed != null; owed = Obligations.next(state, now)) {
                add(owed);
            }
        }
    }
}
