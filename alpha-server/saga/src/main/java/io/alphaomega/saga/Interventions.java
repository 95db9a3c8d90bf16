package io.alphaomega.saga;

import io.alphaomega.saga.Branch.Progress;
import io.alphaomega.saga.SagaState.Active;
import io.alphaomega.saga.SagaState.Compensating;
import io.alphaomega.saga.SagaState.Confirming;
import io.alphaomega.saga.SagaState.Held;
import io.alphaomega.saga.SagaState.Known;
import io.alphaomega.saga.SagaState.Prepared;
import io.alphaomega.saga.SagaState.Suspended;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What operators may order: only of the saga they saw, and never against a decision that was taken. An order that took
 * effect is done however often it comes: its own event is the one after the sequence that the operator saw.
 */
final class Interventions {
    private Interventions() {}

    static Reply retry(DecisionDraft draft, Known state, SagaInput.Retry retry) {
        Function<Instant, SagaEvent> order = at -> new SagaEvent.Resumed(Optional.of(retry.operator()), at);
        if (isDone(state, retry.sequence(), order)) return new Reply.Accepted();
        if (moved(state, retry.sequence())) return sagaMoved(state, retry.sequence());
        if (waits(state) || state instanceof Held) return carriedOut(draft, order);
        Reply refused = refused(state, retry.sequence());
        if (refused != null) return refused;
        if (state.saga().branches().stream().noneMatch(b -> b.progress() instanceof Progress.GaveUp)) {
            return new Reply.Rejected(
                    Refusal.NOTHING_TO_RETRY,
                    "saga %s waits for the end of a branch, there is no callback to retry: skip the branch or resolve the saga"
                            .formatted(state.id()));
        }
        return carriedOut(draft, order);
    }

    /** Whether alpha would ask again by itself, but later. */
    private static boolean waits(Known state) {
        return (state instanceof Compensating || state instanceof Confirming)
                && state.saga().branches().stream()
                        .anyMatch(b -> b.progress() instanceof Progress.AwaitingRetry
                                || b.progress() instanceof Progress.AwaitingParticipant);
    }

    static Reply skip(DecisionDraft draft, Known state, SagaInput.Skip skip) {
        Function<Instant, SagaEvent> order = at -> new SagaEvent.BranchSkipped(skip.branch(), skip.operator(), at);
        if (isDone(state, skip.sequence(), order)) return new Reply.Accepted();
        Reply refused = refused(state, skip.sequence());
        if (refused != null) return refused;
        Branch branch = state.saga().branch(skip.branch()).orElse(null);
        if (branch == null) return InputRefusals.unknownBranch(state, skip.branch());
        Reply nested = Nesting.byHand(state, branch);
        if (nested != null) return nested;
        if (Obligations.stuck(branch, Obligations.kind(state), draft.now) == null) {
            return new Reply.Rejected(
                    Refusal.BRANCH_NOT_STUCK,
                    "saga %s is not suspended for branch %s".formatted(state.id(), skip.branch()));
        }
        return carriedOut(draft, order);
    }

    static Reply resolve(DecisionDraft draft, Known state, SagaInput.Resolve resolve) {
        Function<Instant, SagaEvent> order =
                at -> new SagaEvent.Ended(resolve.outcome(), Optional.of(resolve.operator()), at);
        if (isDone(state, resolve.sequence(), order)) return new Reply.Accepted();
        if (moved(state, resolve.sequence())) return sagaMoved(state, resolve.sequence());
        if (state instanceof Held held) {
            Reply otherwise = Holding.resolve(held, resolve.outcome());
            return otherwise != null ? otherwise : carriedOut(draft, order);
        }
        Reply refused = refused(state, resolve.sequence());
        if (refused != null) return refused;
        Outcome decided = Obligations.outcome(state);
        if (resolve.outcome() != decided) {
            return new Reply.Rejected(
                    Refusal.DECIDED_OTHERWISE,
                    "saga %s can only be resolved as %s: that was decided and its callers were told"
                            .formatted(state.id(), decided));
        }
        Reply nested = Nesting.byHand(state);
        return nested != null ? nested : carriedOut(draft, order);
    }

    static Reply abort(DecisionDraft draft, Known state, SagaInput.AbortByOperator abort) {
        String text = abort.operator().who() + ": " + abort.operator().why();
        Function<Instant, SagaEvent> order = at -> SagaRules.aborted(Abort.Cause.OPERATOR, text, at);
        if (isDone(state, abort.sequence(), order)) return new Reply.Accepted();
        if (moved(state, abort.sequence())) return sagaMoved(state, abort.sequence());
        if (state instanceof Active) return carriedOut(draft, order);
        if (state instanceof Held held) {
            Reply otherwise = Holding.abort(held);
            return otherwise != null ? otherwise : carriedOut(draft, order);
        }
        if (state instanceof Prepared prepared) return Nesting.prepared(prepared);
        return state.abort().isPresent()
                ? new Reply.Accepted()
                : new Reply.Rejected(
                        Refusal.DECIDED_OTHERWISE, "saga %s is committed: too late to abort".formatted(state.id()));
    }

    /** Whether what is journaled behind the sequence that the operator saw is this very order. */
    private static boolean isDone(Known state, long seen, Function<Instant, SagaEvent> order) {
        return state.saga().orders().stream()
                .filter(done -> done.seen() == seen)
                .anyMatch(done -> done.event().equals(order.apply(done.event().at())));
    }

    private static Reply carriedOut(DecisionDraft draft, Function<Instant, SagaEvent> order) {
        draft.add(order.apply(draft.now));
        return new Reply.Accepted();
    }

    private static @Nullable Reply refused(Known state, long sequence) {
        if (moved(state, sequence)) return sagaMoved(state, sequence);
        if (state instanceof Held) {
            return new Reply.Rejected(
                    Refusal.BRANCH_NOT_STUCK,
                    "saga %s is held as a whole since the store was set back: retry, abort or resolve it"
                            .formatted(state.id()));
        }
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
