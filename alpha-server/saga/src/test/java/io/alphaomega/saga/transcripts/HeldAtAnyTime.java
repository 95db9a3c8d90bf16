package io.alphaomega.saga.transcripts;

import io.alphaomega.saga.Branch;
import io.alphaomega.saga.CallbackKind;
import io.alphaomega.saga.Decision;
import io.alphaomega.saga.Evidence;
import io.alphaomega.saga.Operator;
import io.alphaomega.saga.Outcome;
import io.alphaomega.saga.Parent;
import io.alphaomega.saga.Payload;
import io.alphaomega.saga.Reply;
import io.alphaomega.saga.Restoration;
import io.alphaomega.saga.SagaEffect;
import io.alphaomega.saga.SagaEvent;
import io.alphaomega.saga.SagaInput;
import io.alphaomega.saga.SagaRules;
import io.alphaomega.saga.SagaState;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What must be true whenever a store is set back: of every state that a transcript comes through, the saga is held in it, and
 * is told whatever can be told. Nobody is called back, nothing is decided, and a person can end or release it.
 */
final class HeldAtAnyTime {
    /** Of so many branches: some sagas have hundreds, and come through as many states. */
    private static final int FENCES = 4;

    private static final Operator ANN = new Operator("ann", "the books say so");

    private HeldAtAnyTime() {}

    static void check(SagaState state, Instant now) {
        Restoration restoration = new Restoration(now.plusSeconds(1), now.plusSeconds(1), "It is older.");
        Decision hold = SagaRules.decide(state, new SagaInput.Hold(restoration), now);
        if (!restoration.concerns(state)) {
            require(hold.events().isEmpty(), "a saga is held that is none, or over", hold);
            return;
        }
        SagaState.Held held = (SagaState.Held) hold.after();
        require(held.decided() == isDecided(state), "what was decided before is forgotten, or made up", hold);
        rests(held, hold);
        Instant later = now.plus(Duration.ofDays(365));
        for (SagaInput input : inputs(held)) {
            Decision decision = SagaRules.decide(held, input, later);
            if (!decision.events().isEmpty()) rests(decision.after(), decision);
            require(decision.events().stream().allMatch(HeldAtAnyTime::isReport), "more than a report", decision);
            boolean verdict = decision.reply() instanceof Reply.Committed || decision.reply() instanceof Reply.Aborted;
            require(!verdict || held.decided(), "a verdict that nobody knows", decision);
        }
        isReleased(held, restoration, later);
        isEnded(held, later);
        isAskedUntilItIsKnown(held, later);
    }

    /** Every fence is asked, what it says is journaled once, and neither asked again nor taken for an end of the saga. */
    private static void isAskedUntilItIsKnown(SagaState.Held held, Instant later) {
        SagaState state = held;
        long asked = held.saga().branches().stream()
                .filter(HeldAtAnyTime::hasFenceToAsk)
                .count();
        require(SagaRules.effects(held).size() == asked, "not every fence is asked", held);
        int answered = 0;
        for (SagaEffect effect : SagaRules.effects(held)) {
            if (!(effect instanceof SagaEffect.AskFence question) || answered == FENCES) continue;
            answered++;
            Branch branch = held.saga().branch(question.branch()).orElseThrow();
            require(hasFenceToAsk(branch), "a branch without a fence is asked about", question);
            Evidence undone = new Evidence(Evidence.Finding.UNDONE, Optional.empty(), "");
            SagaInput answer = new SagaInput.AnswerFence(branch.id(), undone, branch.service());
            Decision told = SagaRules.decide(state, answer, later);
            require(told.events().size() == 1, "what a fence says is not journaled", told);
            state = told.after();
            require(SagaRules.decide(state, answer, later).events().isEmpty(), "it is journaled again", told);
            SagaInput foreign = new SagaInput.AnswerFence(branch.id(), undone, "somebody else");
            require(
                    SagaRules.decide(held, foreign, later).reply() instanceof Reply.Rejected,
                    "another service speaks of the branch",
                    told);
        }
        require(state instanceof SagaState.Held, "a fence's answer ends the saga", state);
        require(SagaRules.effects(state).size() == asked - answered, "it is asked again", state);
    }

    private static boolean hasFenceToAsk(Branch branch) {
        return branch.fenced()
                && branch.nested().isEmpty()
                && !(branch.forward() instanceof Branch.Forward.Failed)
                && (branch.compensation().isPresent() || branch.confirmation().isPresent());
    }

    private static boolean isDecided(SagaState state) {
        return state instanceof SagaState.Held held
                ? held.decided()
                : !(state instanceof SagaState.Active || state instanceof SagaState.Prepared);
    }

    private static void rests(SagaState state, Decision decision) {
        require(state instanceof SagaState.Held, "not held any more", decision);
        require(
                SagaRules.effects(state).stream().allMatch(SagaEffect.AskFence.class::isInstance),
                "somebody is called",
                decision);
        require(SagaRules.wakeUpAt(state).isEmpty(), "time would wake it", decision);
    }

    private static boolean isReport(SagaEvent event) {
        return event instanceof SagaEvent.BranchEnded
                || event instanceof SagaEvent.BranchFailed
                || event instanceof SagaEvent.FenceAnswered;
    }

    private static List<SagaInput> inputs(SagaState.Held held) {
        List<SagaInput> inputs = new ArrayList<>(List.of(
                new SagaInput.Tick(),
                new SagaInput.AskOutcome(),
                new SagaInput.End(true),
                new SagaInput.Abort("late")));
        boolean once = !held.saga().initiator().start().isEmpty();
        boolean nested = held.saga().initiator().parent().isPresent();
        if (once) {
            inputs.add(
                    new SagaInput.BeginOnce(held.saga().initiator(), held.saga().policy()));
        } else if (!nested) {
            inputs.add(new SagaInput.Begin(held.saga().initiator(), held.saga().policy()));
        }
        held.saga().services().forEach(service -> inputs.add(new SagaInput.ConnectService(service)));
        for (Parent parent : held.saga().initiator().parent().stream().toList()) {
            for (Outcome outcome : Outcome.values()) {
                inputs.add(new SagaInput.Decide(parent, "booking", "booking-1", "book", outcome));
            }
        }
        held.saga().branches().stream().limit(FENCES).forEach(branch -> add(branch, inputs));
        return inputs;
    }

    private static void add(Branch branch, List<SagaInput> inputs) {
        inputs.add(new SagaInput.EndBranch(branch.id(), Payload.EMPTY, branch.service()));
        inputs.add(new SagaInput.FailBranch(branch.id(), "no", true, branch.service()));
        for (Evidence.Finding finding : List.of(Evidence.Finding.CONFIRMED, Evidence.Finding.UNKNOWN)) {
            Evidence evidence = new Evidence(finding, Optional.empty(), "");
            inputs.add(new SagaInput.AnswerFence(branch.id(), evidence, branch.service()));
        }
        for (CallbackKind kind : CallbackKind.values()) {
            inputs.add(new SagaInput.SucceedCallback(branch.id(), kind, 1, branch.service()));
            inputs.add(new SagaInput.LoseCallback(branch.id(), kind, 1));
            inputs.add(new SagaInput.MissParticipant(branch.id(), kind, 1));
        }
    }

    private static void isReleased(SagaState.Held held, Restoration restoration, Instant later) {
        Decision retry = SagaRules.decide(held, new SagaInput.Retry(ANN, held.sequence()), later);
        require(retry.events().getFirst() instanceof SagaEvent.Resumed, "a person cannot release it", retry);
        require(!restoration.concerns(retry.after()), "it would be held again", retry);
    }

    private static void isEnded(SagaState.Held held, Instant later) {
        for (Outcome outcome : Outcome.values()) {
            Decision resolve = SagaRules.decide(held, new SagaInput.Resolve(ANN, held.sequence(), outcome), later);
            boolean ended = resolve.after() instanceof SagaState.Ended over && over.outcome() == outcome;
            boolean possible = !held.decided()
                    || (outcome == Outcome.COMPENSATED) == held.abort().isPresent();
            require(ended == possible, "a person cannot end it as it ended, or can end it otherwise", resolve);
        }
    }

    private static void require(boolean held, String otherwise, Object decision) {
        if (!held) throw new IllegalStateException(otherwise + ": " + decision);
    }
}
