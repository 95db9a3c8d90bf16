package io.alphaomega.saga;

import java.time.Instant;
import java.util.Optional;

/** What the journal remembers. Append-only: a case may be added, never changed or removed. */
public sealed interface SagaEvent {
    /** When it was decided, by alpha's clock. */
    Instant at();

    /** The first event of every saga. {@code provisional}: a branch came before the begin, the policy is the default one. */
    record Begun(Initiator initiator, Policy policy, boolean provisional, Instant at) implements SagaEvent {}

    /** The begin came after the first branch. Timeouts count from the saga's first event all the same. */
    record BeginCaughtUp(Initiator initiator, Policy policy, Instant at) implements SagaEvent {}

    record BranchBegan(BranchCall call, Instant deadline, Instant at) implements SagaEvent, OfBranchCall {
        public BranchId branch() {
            return call.id();
        }
    }

    record BranchEnded(BranchId branch, Payload result, Instant at) implements SagaEvent {}

    record BranchFailed(BranchId branch, String cause, boolean rolledBack, Instant at) implements SagaEvent {}

    /** The initiator is done; the commit waits for running branches. */
    record CommitRequested(Instant at) implements SagaEvent {}

    /** A nested saga is ready to be committed; its parent decides. */
    record Prepared(Instant at) implements SagaEvent {}

    record Committed(Instant at) implements SagaEvent {}

    record Aborted(Abort abort) implements SagaEvent {
        @Override
        public Instant at() {
            return abort.at();
        }
    }

    /**
     * Journaled before anybody is asked.
     *
     * @param attempt counts requests of this callback from 1, over the whole life of the saga
     * @param forwardEnded whether alpha had seen the forward call end
     * @param giveUpAt when the time limit of the callback passes
     */
    record CallbackRequested(
            BranchId branch,
            CallbackKind kind,
            int attempt,
            boolean forwardEnded,
            Instant answerBy,
            Instant giveUpAt,
            Instant at)
            implements SagaEvent {}

    record CallbackSucceeded(BranchId branch, CallbackKind kind, int attempt, Instant at) implements SagaEvent {}

    /** {@code retryAt} is empty when alpha gives up. */
    record CallbackFailed(
            BranchId branch,
            CallbackKind kind,
            int attempt,
            FailureCode code,
            String error,
            Optional<Instant> retryAt,
            Instant at)
            implements SagaEvent {}

    /** The stream broke before an answer; asked again at once, and not counted as a failure. */
    record CallbackLost(BranchId branch, CallbackKind kind, int attempt, Instant at) implements SagaEvent {}

    /**
     * The participant was busy; asked again at {@code retryAt}, and not counted as a failure. Or its build cannot run the
     * callback: then another build is asked, at once.
     *
     * @param unable the build that cannot; empty if it is busy
     */
    record CallbackDeferred(
            BranchId branch, CallbackKind kind, int attempt, Instant retryAt, Optional<Unable> unable, Instant at)
            implements SagaEvent {
        public CallbackDeferred(BranchId branch, CallbackKind kind, int attempt, Instant retryAt, Instant at) {
            this(branch, kind, attempt, retryAt, Optional.empty(), at);
        }
    }

    /** No instance of the service was connected; asked again when one connects, at the latest at {@code retryAt}. */
    record ParticipantMissed(BranchId branch, CallbackKind kind, int attempt, Instant retryAt, Instant at)
            implements SagaEvent {}

    record Suspended(Suspension suspension) implements SagaEvent {
        @Override
        public Instant at() {
            return suspension.at();
        }
    }

    /** What the saga was suspended or held for is over, by itself or because an operator retries it. */
    record Resumed(Optional<Operator> operator, Instant at) implements SagaEvent {}

    /**
     * The store was set back to an earlier time, and the saga is one that it had then.
     *
     * @param restoration when that was found out
     * @param begunBefore whatever was journaled before is of the time before the store was set back
     * @param why a sentence for people
     */
    record Held(Instant restoration, Instant begunBefore, String why, Instant at) implements SagaEvent {}

    /** The fence of the branch's service has said what it has of the branch of a held saga. */
    record FenceAnswered(BranchId branch, Evidence evidence, Instant at) implements SagaEvent {}

    record BranchSkipped(BranchId branch, Operator operator, Instant at) implements SagaEvent {}

    /** {@code operator} is present when everything that was left was done by hand. */
    record Ended(Outcome outcome, Optional<Operator> operator, Instant at) implements SagaEvent {}
}
