package io.alphaomega.saga;

import io.alphaomega.saga.SagaState.Held;
import io.alphaomega.saga.SagaState.Known;
import io.alphaomega.saga.SagaState.Prepared;
import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The rules of sagas that are held, because the store was set back to a time when they were open. Time decides nothing of
 * them and nobody is called back; what participants report of their branches is journaled, and whoever asks for a decision
 * that the store does not know is told to ask later. A person ends them as they ended, or has alpha go on.
 */
final class Holding {
    private Holding() {}

    /** Before anything else is decided, the passing of time included. */
    static Decision hold(SagaState state, Restoration restoration, Instant now) {
        DecisionDraft draft = new DecisionDraft(state, now);
        if (restoration.concerns(state)) {
            draft.add(
                    new SagaEvent.Held(restoration.foundAt(), restoration.begunBefore(), restoration.why(), draft.now));
        }
        return new Decision(draft.events, new Reply.Accepted(), draft.state);
    }

    /** What is answered to inputs that have no effect on a held saga; null to those that are decided as ever. */
    static @Nullable Reply rest(Held state, SagaInput input) {
        return switch (input) {
            case SagaInput.SucceedCallback success -> notNow(state);
            case SagaInput.FailCallback failure -> notNow(state);
            case SagaInput.LoseCallback loss -> notNow(state);
            case SagaInput.DeferCallback busy -> notNow(state);
            case SagaInput.MissParticipant missing -> notNow(state);
            case SagaInput.MissBuild missing -> notNow(state);
            case SagaInput.Decide decide -> notNow(state);
            case SagaInput.ConnectService connected -> new Reply.Accepted();
            case SagaInput other -> null;
        };
    }

    /** What is told of the decision. */
    static Reply standing(Held state) {
        return state.decided() ? SagaRules.standing(state.before()) : notNow(state);
    }

    private static Reply notNow(Held state) {
        return new Reply.NotNow(
                "Saga %s is held until a person has looked at it. %s".formatted(state.id(), state.why()));
    }

    /** Null if a person may end the saga so: what the store knows to be decided stays so. */
    static @Nullable Reply resolve(Held state, Outcome outcome) {
        return !state.decided() || outcome == Obligations.outcome(state)
                ? null
                : decidedOtherwise(state, "was " + Obligations.outcome(state) + " before that and can only end so");
    }

    /** Null if a person may have the saga undone. */
    static @Nullable Reply abort(Held state) {
        if (state.before() instanceof Prepared prepared) return Nesting.prepared(prepared);
        if (!state.decided()) return null;
        return decidedOtherwise(
                state,
                state.abort().isPresent()
                        ? "was aborted before that: retry it, and alpha goes on undoing it"
                        : "was committed before that: too late to abort");
    }

    private static Reply decidedOtherwise(Held state, String how) {
        return new Reply.Rejected(
                Refusal.DECIDED_OTHERWISE,
                "saga %s is held since the store was set back, and %s".formatted(state.id(), how));
    }

    // ---- what the fences know

    /** Asked of each branch whose fence has not answered; nobody is called back by it. */
    static Set<SagaEffect> questions(Held state) {
        Set<SagaEffect> questions = new LinkedHashSet<>();
        for (Branch branch : state.saga().branches()) {
            if (!branch.fenced() || branch.nested().isPresent() || isSaid(state, branch)) continue;
            branch.compensation()
                    .or(branch::confirmation)
                    .ifPresent(callback -> questions.add(question(branch, callback.name())));
        }
        return questions;
    }

    private static boolean isSaid(Held state, Branch branch) {
        return state.evidence().containsKey(branch.id()) || branch.forward() instanceof Branch.Forward.Failed;
    }

    private static SagaEffect question(Branch branch, String callback) {
        return new SagaEffect.AskFence(
                branch.id(),
                branch.service(),
                branch.build(),
                callback,
                branch.arguments(),
                branch.fence(),
                branch.traceparent(),
                branch.begunAt());
    }

    /** It resolves nothing: it proves what became of a branch, and the saga may have had others since. */
    static Reply answer(DecisionDraft draft, Known state, SagaInput.AnswerFence answer) {
        if (state.saga().branch(answer.branch()).isEmpty()) return InputRefusals.unknownBranch(state, answer.branch());
        if (state instanceof Held held
                && answer.evidence().addsTo(Optional.ofNullable(held.evidence().get(answer.branch())))) {
            draft.add(new SagaEvent.FenceAnswered(answer.branch(), answer.evidence(), draft.now));
        }
        return new Reply.Accepted();
    }

    // ---- how events change it

    static Held answered(Held state, SagaEvent.FenceAnswered event) {
        Map<BranchId, Evidence> evidence = new HashMap<>(state.evidence());
        evidence.put(event.branch(), event.evidence());
        return new Held(state.before(), state.decided(), evidence, state.why(), state.at());
    }

    static Held held(Known state, SagaEvent.Held event) {
        Known before = state instanceof Held held ? held.before() : state;
        boolean known = !(state instanceof Held held) || held.decided();
        boolean decided = known
                && Fold.isDecided(before)
                && before.abort()
                        .filter(abort -> !abort.at().isBefore(event.begunBefore()))
                        .isEmpty();
        Known remembering = Fold.with(before, before.saga().heldFor(event.restoration()));
        return new Held(remembering, decided, Map.of(), event.why(), event.at());
    }
}
