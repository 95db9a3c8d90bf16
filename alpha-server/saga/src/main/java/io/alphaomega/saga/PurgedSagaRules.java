package io.alphaomega.saga;

import io.alphaomega.saga.SagaState.Purged;
import java.time.Instant;
import java.util.Optional;

/** What is answered for a saga of which only its outcome is remembered. Nothing is journaled: it is not begun anew. */
final class PurgedSagaRules {
    private PurgedSagaRules() {}

    static Reply decide(Purged saga, SagaInput input) {
        return switch (input) {
            case SagaInput.Begin begin -> outcome(saga);
            case SagaInput.BeginOnce begin -> outcome(saga);
            case SagaInput.BeginNested begin -> outcome(saga);
            case SagaInput.End end -> outcome(saga);
            case SagaInput.Abort abort -> outcome(saga);
            case SagaInput.AskOutcome ask -> outcome(saga);
            case SagaInput.Decide decide -> outcome(saga);
            case SagaInput.BeginBranch begin -> outcome(saga);
            case SagaInput.Carrying carrying -> decide(saga, carrying.input());
            case SagaInput.FailBranch fail -> outcome(saga);
            case SagaInput.EndBranch end ->
                switch (saga.outcome()) {
                    case COMMITTED -> outcome(saga);
                    // It may be a repeat, or it may have to be undone, and nobody knows how any more.
                    case COMPENSATED ->
                        refused(saga, "whether its branch " + end.branch() + " was undone, nobody can tell any more");
                };
            case SagaInput.SucceedCallback success -> refused(saga, "no callback is under way");
            case SagaInput.FailCallback failure -> refused(saga, "no callback is under way");
            case SagaInput.LoseCallback loss -> new Reply.Accepted();
            case SagaInput.AnswerFence answer -> new Reply.Accepted();
            case SagaInput.DeferCallback busy -> new Reply.Accepted();
            case SagaInput.MissParticipant missing -> new Reply.Accepted();
            case SagaInput.MissBuild missing -> new Reply.Accepted();
            case SagaInput.ConnectService connected -> new Reply.Accepted();
            case SagaInput.Tick tick -> new Reply.Accepted();
            case SagaInput.Hold hold -> new Reply.Accepted();
            case SagaInput.Retry retry -> refused(saga, "there is nothing to retry");
            case SagaInput.Skip skip -> refused(saga, "there is nothing to skip");
            case SagaInput.Resolve resolve -> refused(saga, "there is nothing to resolve");
            case SagaInput.AbortByOperator abort -> refused(saga, "there is nothing to abort");
        };
    }

    private static Reply outcome(Purged saga) {
        return switch (saga.outcome()) {
            case COMMITTED -> new Reply.Committed();
            case COMPENSATED ->
                new Reply.Aborted(new Abort(
                        Abort.Cause.HISTORY_PURGED,
                        Optional.empty(),
                        "the saga was compensated long ago; why is no longer stored",
                        Instant.EPOCH));
        };
    }

    private static Reply refused(Purged saga, String text) {
        return new Reply.Rejected(
                Refusal.SAGA_PURGED,
                "saga %s was %s and its history purged; %s"
                        .formatted(saga.id(), saga.outcome().name().toLowerCase(java.util.Locale.ROOT), text));
    }
}
