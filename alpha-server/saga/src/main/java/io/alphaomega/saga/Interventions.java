package io.alphaomega.saga;

import io.alphaomega.saga.Branch.Progress;
import io.alphaomega.saga.SagaRules.Draft;
import io.alphaomega.saga.SagaState.Active;
import io.alphaomega.saga.SagaState.Known;
import io.alphaomega.saga.SagaState.Suspended;
import org.jspecify.annotations.Nullable;

/** What operators may order: only of the saga they saw, and never against a decision that was taken. */
final class Interventions {
    private Interventions() {}

    static Reply retry(Draft draft, Known state, SagaInput.Retry retry) {
        Reply refused = refused(state, retry.sequence());
        if (refused != null) return refused;
        if (state.saga().branches().stream().noneMatch(b -> b.progress() instanceof Progress.GaveUp)) {
            return new Reply.Rejected(
                    Refusal.NOTHING_TO_RETRY,
                    "saga %s waits for the end of a branch, there is no callback to retry: skip the branch or resolve the saga"
                            .formatted(state.id()));
        }
        draft.add(new SagaEvent.Resumed(java.util.Optional.of(retry.operator()), draft.now));
        return new Reply.Accepted();
    }

    static Reply skip(Draft draft, Known state, SagaInput.Skip skip) {
        Reply refused = refused(state, skip.sequence());
        if (refused != null) return refused;
        Branch branch = state.saga().branch(skip.branch()).orElse(null);
        if (branch == null) return SagaRules.unknownBranch(state, skip.branch());
        if (Obligations.stuck(branch, Obligations.kind(state), draft.now) == null) {
            return new Reply.Rejected(
                    Refusal.BRANCH_NOT_STUCK,
                    "saga %s is not suspended for branch %s".formatted(state.id(), skip.branch()));
        }
        draft.add(new SagaEvent.BranchSkipped(skip.branch(), skip.operator(), draft.now));
        return new Reply.Accepted();
    }

    static Reply resolve(Draft draft, Known state, SagaInput.Resolve resolve) {
        Reply refused = refused(state, resolve.sequence());
        if (refused != null) return refused;
        Outcome decided = Obligations.outcome(state);
        if (resolve.outcome() != decided) {
            return new Reply.Rejected(
                    Refusal.DECIDED_OTHERWISE,
                    "saga %s can only be resolved as %s: that was decided and its callers were told"
                            .formatted(state.id(), decided));
        }
        draft.add(new SagaEvent.Ended(decided, java.util.Optional.of(resolve.operator()), draft.now));
        return new Reply.Accepted();
    }

    static Reply abort(Draft draft, Known state, SagaInput.AbortByOperator abort) {
        if (moved(state, abort.sequence())) return sagaMoved(state, abort.sequence());
        if (state instanceof Active) {
            String text = abort.operator().who() + ": " + abort.operator().why();
            draft.add(SagaRules.aborted(Abort.Cause.OPERATOR, text, draft.now));
            return new Reply.Accepted();
        }
        return state.abort().isPresent()
                ? new Reply.Accepted()
                : new Reply.Rejected(
                        Refusal.DECIDED_OTHERWISE, "saga %s is committed: too late to abort".formatted(state.id()));
    }

    private static @Nullable Reply refused(Known state, long sequence) {
        if (moved(state, sequence)) return sagaMoved(state, sequence);
        return state instanceof Suspended
                ? null
                : new Reply.Rejected(
                        Refusal.NOT_SUSPENDED,
                        "saga %s is not suspended: alpha is still working on it, or it has ended"
                                .formatted(state.id()));
    }

    private static boolean moved(Known state, long sequence) {
        return state.sequence() != sequence;
    }

    private static Reply sagaMoved(Known state, long sequence) {
        return new Reply.Rejected(
                Refusal.SAGA_MOVED,
                "saga %s has %d events, you saw %d: look again".formatted(state.id(), state.sequence(), sequence));
    }
}
