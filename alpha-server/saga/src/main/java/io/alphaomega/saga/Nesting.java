package io.alphaomega.saga;

import io.alphaomega.saga.Branch.Progress;
import io.alphaomega.saga.SagaState.Active;
import io.alphaomega.saga.SagaState.Ended;
import io.alphaomega.saga.SagaState.Known;
import io.alphaomega.saga.SagaState.Prepared;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The rules of sagas in sagas. A nested saga is a branch of its parent, whose compensation aborts it and whose
 * confirmation commits it; alpha carries out both by itself. Where another saga would commit, a nested one is prepared,
 * and from then on only its parent decides it.
 */
final class Nesting {
    /** What a branch that is a nested saga offers, whatever its service says. */
    static final CallbackOffer ABORT = new CallbackOffer("abort", Optional.empty());

    static final CallbackOffer COMMIT = new CallbackOffer("commit", Optional.empty());

    private Nesting() {}

    // ---- of the nested saga

    /** What follows when its initiator is done and no branch is open. */
    static SagaEvent agreed(Saga saga, Instant now) {
        return saga.initiator().parent().isPresent() ? new SagaEvent.Prepared(now) : new SagaEvent.Committed(now);
    }

    /** Null if it is the begin of this saga, come once more. */
    static @Nullable Reply begin(Known state, SagaInput.BeginNested begin) {
        Parent parent = begin.initiator().parent().orElseThrow();
        return isBranch(state, parent) ? null : notNestedThere(state, parent);
    }

    /** Its parent has decided before it has begun: it begins and is over, so that no begin comes after that. */
    static Reply decideAbsent(DecisionDraft draft, SagaInput.Decide decide) {
        draft.add(new SagaEvent.Begun(decide.initiator(), Policy.DEFAULT, false, draft.now));
        return decide(draft, (Known) draft.state, decide);
    }

    /** Answers with how the saga has ended, or {@code Accepted} if it is decided and not over. */
    static Reply decide(DecisionDraft draft, Known state, SagaInput.Decide decide) {
        if (!isBranch(state, decide.parent())) return notNestedThere(state, decide.parent());
        return decide.outcome() == Outcome.COMMITTED ? commit(draft, state) : abort(draft, state);
    }

    private static Reply commit(DecisionDraft draft, Known state) {
        // It was undone by itself before: whoever began it knows, and has gone on without it.
        if (state.abort().isPresent()) return SagaRules.standing(state);
        if (state instanceof Active) return abortUnprepared(draft, state);
        if (state instanceof Prepared) draft.add(new SagaEvent.Committed(draft.now));
        return settled(draft);
    }

    /** Nobody was told that it would be committed. It must not be prepared afterwards, when nobody would decide it. */
    private static Reply abortUnprepared(DecisionDraft draft, Known state) {
        draft.add(aborted(state, "was committed before this one was prepared", draft.now));
        draft.settle();
        return refused(state.id(), "was not prepared, so its parent cannot commit it: it is aborted");
    }

    private static SagaEvent aborted(Known state, String what, Instant now) {
        SagaId parent = state.saga().initiator().parent().orElseThrow().saga();
        return SagaRules.aborted(Abort.Cause.PARENT, "saga %s, which it is a part of, %s".formatted(parent, what), now);
    }

    private static Reply abort(DecisionDraft draft, Known state) {
        if (state instanceof Active || state instanceof Prepared) {
            draft.add(aborted(state, "was aborted", draft.now));
        } else if (state.abort().isEmpty()) {
            return new Reply.Rejected(
                    Refusal.DECIDED_OTHERWISE, "saga %s is committed: too late to abort".formatted(state.id()));
        }
        return settled(draft);
    }

    private static Reply settled(DecisionDraft draft) {
        draft.settle();
        return draft.state instanceof Ended ended ? SagaRules.standing(ended) : new Reply.Accepted();
    }

    private static boolean isBranch(Known state, Parent parent) {
        return state.saga().initiator().parent().equals(Optional.of(parent));
    }

    private static Reply notNestedThere(Known state, Parent parent) {
        return refused(state.id(), "is not branch %s of saga %s".formatted(parent.branch(), parent.saga()));
    }

    /** The answer to whatever would change a saga that only its parent may decide. */
    static Reply prepared(Prepared state) {
        SagaId parent = state.saga().initiator().parent().orElseThrow().saga();
        return refused(
                state.id(),
                "is prepared, so only saga %s decides it, which it is a part of: nothing begins in it any more; to undo it, abort that one"
                        .formatted(parent));
    }

    private static Reply refused(SagaId saga, String sentence) {
        return new Reply.Rejected(Refusal.NESTED, "saga %s %s".formatted(saga, sentence));
    }

    // ---- of its parent

    /** Null unless somebody else than alpha answers for a nested saga. */
    static @Nullable Reply otherAnswer(Known state, BranchId id, String service) {
        Branch branch = state.saga().branch(id).orElse(null);
        if (branch == null || branch.nested().isEmpty() || service.isEmpty()) return null;
        return new Reply.Rejected(
                Refusal.OTHER_SERVICE,
                "branch %s of saga %s is saga %s, of which no service can say that it is over"
                        .formatted(id, state.id(), branch.nested().get()));
    }

    /** Null if a person may take the branch for done: a nested saga that is left behind would never be decided. */
    static @Nullable Reply byHand(Known state, Branch branch) {
        if (branch.nested().isEmpty() || Obligations.isSettled(branch, Obligations.kind(state))) return null;
        // It has refused, and waits for nothing.
        if (branch.progress() instanceof Progress.GaveUp gaveUp && gaveUp.code() == FailureCode.FORWARD_MISSING)
            return null;
        return new Reply.Rejected(
                Refusal.NESTED,
                "branch %s of saga %s is saga %s, which alpha must decide and see to its end: help that one, and retry this one"
                        .formatted(branch.id(), state.id(), branch.nested().get()));
    }

    /** As {@link #byHand(Known, Branch)}, of all branches. */
    static @Nullable Reply byHand(Known state) {
        for (Branch branch : state.saga().branches().moving()) {
            Reply refused = byHand(state, branch);
            if (refused != null) return refused;
        }
        return null;
    }

    /** Which decision the branch's callback asks of its saga. */
    static SagaEffect.Decide effect(SagaId parent, Branch branch, Progress.Asked asked) {
        CallbackKind kind = asked.effort().kind();
        SagaInput.Decide decision = new SagaInput.Decide(
                new Parent(parent, branch.id()),
                branch.service(),
                branch.instance(),
                branch.operation(),
                kind == CallbackKind.CONFIRMATION ? Outcome.COMMITTED : Outcome.COMPENSATED);
        return new SagaEffect.Decide(
                branch.nested().orElseThrow(),
                decision,
                branch.id(),
                kind,
                asked.effort().attempt());
    }

    /** Of which the branch waits, for people. */
    static String waitsFor(Branch branch) {
        return branch.nested()
                .map(saga -> "saga %s, which is nested here, is not over yet".formatted(saga))
                .orElse("the participant was busy");
    }
}
