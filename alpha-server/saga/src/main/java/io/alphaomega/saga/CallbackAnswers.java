package io.alphaomega.saga;

import io.alphaomega.saga.Branch.Progress;
import io.alphaomega.saga.SagaState.Known;
import org.jspecify.annotations.Nullable;

/** The rules of what is heard of a callback: its answer, or that nobody was there to give one. */
final class CallbackAnswers {
    private CallbackAnswers() {}

    /** True whichever attempt it was: the fence lets only one of them take effect. */
    static Reply succeeded(DecisionDraft draft, Known state, SagaInput.SucceedCallback success) {
        Branch branch = state.saga().branch(success.branch()).orElse(null);
        if (branch == null) return InputRefusals.unknownBranch(state, success.branch());
        Reply refused = InputRefusals.otherAnswer(state, success.branch(), success.service());
        if (refused != null) return refused;
        Branch.Effort effort = CallbackProgress.effort(branch.progress());
        boolean asked = effort != null && effort.kind() == success.kind() && success.attempt() <= effort.attempt();
        if (asked && success.attempt() >= 1) {
            draft.add(new SagaEvent.CallbackSucceeded(success.branch(), success.kind(), success.attempt(), draft.now));
            return new Reply.Accepted();
        }
        if (branch.progress() instanceof Progress.Done done && done.kind() == success.kind()) {
            return new Reply.Accepted();
        }
        return InputRefusals.stale(state, success.branch(), success.kind(), success.attempt());
    }

    static Reply failed(DecisionDraft draft, Known state, SagaInput.FailCallback failure) {
        Reply refused = InputRefusals.otherAnswer(state, failure.branch(), failure.service());
        if (refused != null) return refused;
        Progress.Asked asked = asked(state, failure.branch(), failure.kind(), failure.attempt());
        if (asked == null) return InputRefusals.stale(state, failure.branch(), failure.kind(), failure.attempt());
        draft.add(Builds.failed(state.saga(), asked.effort(), failure, draft.now));
        return new Reply.Accepted();
    }

    static Reply lost(DecisionDraft draft, Known state, SagaInput.LoseCallback loss) {
        Progress.Asked asked = asked(state, loss.branch(), loss.kind(), loss.attempt());
        if (asked == null) return InputRefusals.stale(state, loss.branch(), loss.kind(), loss.attempt());
        Branch.Effort effort = asked.effort();
        if (effort.losses() >= Limits.LOSSES_FREE || !draft.now.isBefore(effort.giveUpAt())) {
            String error = "the stream to the participant broke %d times".formatted(effort.losses() + 1);
            draft.add(CallbackEvents.failed(
                    state.saga(), loss.branch(), effort, FailureCode.STREAM_LOST, error, draft.now));
        } else {
            draft.add(new SagaEvent.CallbackLost(loss.branch(), loss.kind(), loss.attempt(), draft.now));
        }
        return new Reply.Accepted();
    }

    static Reply deferred(DecisionDraft draft, Known state, SagaInput.DeferCallback busy) {
        Reply refused = InputRefusals.otherAnswer(state, busy.branch(), busy.service());
        if (refused != null) return refused;
        Progress.Asked asked = asked(state, busy.branch(), busy.kind(), busy.attempt());
        if (asked == null) return InputRefusals.stale(state, busy.branch(), busy.kind(), busy.attempt());
        draft.add(CallbackEvents.deferred(state.saga(), busy.branch(), asked.effort(), draft.now));
        return new Reply.Accepted();
    }

    static Reply participantMissed(DecisionDraft draft, Known state, SagaInput.MissParticipant missing) {
        Progress.Asked asked = asked(state, missing.branch(), missing.kind(), missing.attempt());
        if (asked == null) return InputRefusals.stale(state, missing.branch(), missing.kind(), missing.attempt());
        draft.add(CallbackEvents.missed(state.saga(), missing.branch(), asked.effort(), draft.now));
        return new Reply.Accepted();
    }

    static Reply buildMissed(DecisionDraft draft, Known state, SagaInput.MissBuild missing) {
        Progress.Asked asked = asked(state, missing.branch(), missing.kind(), missing.attempt());
        if (asked == null) return InputRefusals.stale(state, missing.branch(), missing.kind(), missing.attempt());
        draft.add(Builds.missed(state.saga(), missing.branch(), asked.effort(), draft.now));
        return new Reply.Accepted();
    }

    static Reply connected(DecisionDraft draft, Known state, SagaInput.ConnectService connected) {
        for (Branch branch : state.saga().branches().moving()) {
            if (!branch.service().equals(connected.service())) continue;
            SagaEvent asked = branch.progress() instanceof Progress.AwaitingParticipant waiting
                    ? CallbackEvents.requested(state.saga(), branch, waiting.effort(), draft.now)
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
}
