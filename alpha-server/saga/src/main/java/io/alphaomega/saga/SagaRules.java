package io.alphaomega.saga;

import io.alphaomega.saga.Branch.Forward;
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
        DecisionDraft draft = new DecisionDraft(state, now);
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

    private static @Nullable Reply decide(DecisionDraft draft, SagaInput input) {
        return switch (draft.state) {
            case Known known -> decide(draft, known, input);
            case SagaState.Absent absent -> decideAbsent(draft, input);
            case SagaState.Purged purged -> PurgedSagaRules.decide(purged, input);
        };
    }

    private static @Nullable Reply decideCarrying(DecisionDraft draft, SagaInput.Carrying carrying) {
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
    private static void endCarried(DecisionDraft draft, BranchId ended) {
        Branch branch = branch(draft.state, ended).orElse(null);
        if (branch == null || !branch.endTravels() || !branch.isNewsThatItEnded()) return;
        draft.add(new SagaEvent.BranchEnded(ended, Payload.EMPTY, draft.now));
    }

    private static Optional<Branch> branch(SagaState state, BranchId id) {
        return state instanceof Known known ? known.saga().branch(id) : Optional.empty();
    }

    private static @Nullable Reply decideAbsent(DecisionDraft draft, SagaInput input) {
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
                Reply refused = InputRefusals.overLimit(branch, 0, 0);
                if (refused != null) yield refused;
                draft.add(new SagaEvent.Begun(Initiator.UNKNOWN, Policy.DEFAULT, true, draft.now));
                draft.add(began(branch, Policy.DEFAULT, draft.now));
                yield null;
            }
            case SagaInput.Carrying carrying -> decideCarrying(draft, carrying);
            case SagaInput.Tick tick -> null;
            case SagaInput.Hold hold -> null;
            case SagaInput.ConnectService connected -> null;
            case SagaInput.End end -> InputRefusals.unknownSaga(draft.state);
            case SagaInput.Abort abort -> InputRefusals.unknownSaga(draft.state);
            case SagaInput.AskOutcome ask -> InputRefusals.unknownSaga(draft.state);
            case SagaInput.EndBranch end -> InputRefusals.unknownSaga(draft.state);
            case SagaInput.FailBranch fail -> InputRefusals.unknownSaga(draft.state);
            case SagaInput.SucceedCallback success -> InputRefusals.unknownSaga(draft.state);
            case SagaInput.FailCallback failure -> InputRefusals.unknownSaga(draft.state);
            case SagaInput.AnswerFence answer -> InputRefusals.unknownSaga(draft.state);
            case SagaInput.LoseCallback loss -> InputRefusals.unknownSaga(draft.state);
            case SagaInput.DeferCallback busy -> InputRefusals.unknownSaga(draft.state);
            case SagaInput.MissParticipant missing -> InputRefusals.unknownSaga(draft.state);
            case SagaInput.MissBuild missing -> InputRefusals.unknownSaga(draft.state);
            case SagaInput.Retry retry -> InputRefusals.unknownSaga(draft.state);
            case SagaInput.Skip skip -> InputRefusals.unknownSaga(draft.state);
            case SagaInput.Resolve resolve -> InputRefusals.unknownSaga(draft.state);
            case SagaInput.AbortByOperator abort -> InputRefusals.unknownSaga(draft.state);
        };
    }

    private static @Nullable Reply decide(DecisionDraft draft, Known state, SagaInput input) {
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
            case SagaInput.SucceedCallback success -> CallbackAnswers.succeeded(draft, state, success);
            case SagaInput.FailCallback failure -> CallbackAnswers.failed(draft, state, failure);
            case SagaInput.AnswerFence answer -> {
                Reply refused = InputRefusals.otherService(state, answer.branch(), answer.service());
                yield refused != null ? refused : Holding.answer(draft, state, answer);
            }
            case SagaInput.LoseCallback loss -> CallbackAnswers.lost(draft, state, loss);
            case SagaInput.DeferCallback busy -> CallbackAnswers.deferred(draft, state, busy);
            case SagaInput.MissParticipant missing -> CallbackAnswers.participantMissed(draft, state, missing);
            case SagaInput.MissBuild missing -> CallbackAnswers.buildMissed(draft, state, missing);
            case SagaInput.ConnectService connected -> CallbackAnswers.connected(draft, state, connected);
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

    private static @Nullable Reply beginBranch(DecisionDraft draft, Known state, SagaInput.BeginBranch begin) {
        Saga saga = state.saga();
        Optional<Branch> known = saga.branch(begin.branch());
        if (state instanceof Prepared prepared && known.isEmpty()) return Nesting.prepared(prepared);
        boolean decided = !(state instanceof Active || state instanceof Prepared);
        if (decided && standing(state) instanceof Reply.Aborted) return null;
        // Also of a saga that is committed: who repeats a call of that is given what it returned.
        if (known.isPresent())
            return known.get().isRepeatedBy(begin) ? null : InputRefusals.conflict(state, known.get(), begin);
        if (decided) return null;
        Reply refused = InputRefusals.overLimit(begin, saga.branches().size(), saga.bytes());
        if (refused != null) return refused;
        draft.add(began(begin, saga.policy(), draft.now));
        return null;
    }

    private static Reply endBranch(DecisionDraft draft, Known state, SagaInput.EndBranch end) {
        Optional<Branch> branch = state.saga().branch(end.branch());
        if (branch.isEmpty()) return InputRefusals.unknownBranch(state, end.branch());
        Reply refused = InputRefusals.otherService(state, end.branch(), end.service());
        if (refused != null) return refused;
        if (branch.get().isNewsThatItEnded()) {
            if (end.result().size() > Limits.PAYLOAD_BYTES)
                return InputRefusals.payloadTooLarge("result", end.result());
            int total = state.saga().bytes() + end.result().size();
            // Without a result an end is always accepted: a late begin may have filled the saga beyond its limit.
            if (end.result().size() > 0 && total > Limits.SAGA_BYTES) return InputRefusals.sagaTooLarge(total);
            draft.add(new SagaEvent.BranchEnded(end.branch(), end.result(), draft.now));
        }
        return noted(state);
    }

    private static Reply failBranch(DecisionDraft draft, Known state, SagaInput.FailBranch fail) {
        Optional<Branch> branch = state.saga().branch(fail.branch());
        if (branch.isEmpty()) return InputRefusals.unknownBranch(state, fail.branch());
        Reply refused = InputRefusals.otherService(state, fail.branch(), fail.service());
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

    // ---- events

    private static SagaEvent.BranchBegan began(SagaInput.BeginBranch begin, Policy policy, Instant now) {
        Duration timeout = begin.timeout().orElse(policy.branchTimeout());
        return new SagaEvent.BranchBegan(begin.call(), now.plus(timeout), now);
    }

    static SagaEvent.Aborted aborted(Abort.Cause cause, String text, Instant now) {
        return new SagaEvent.Aborted(new Abort(cause, Optional.empty(), text, now));
    }
}
