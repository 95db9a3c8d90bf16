package io.alphaomega.saga.simulation;

import io.alphaomega.saga.BranchId;
import io.alphaomega.saga.Limits;
import io.alphaomega.saga.Payload;
import io.alphaomega.saga.Refusal;
import io.alphaomega.saga.Reply;
import io.alphaomega.saga.SagaInput;
import io.alphaomega.saga.simulation.BranchAudit.Forward;
import io.alphaomega.saga.simulation.BranchAudit.Stage;
import java.util.Optional;

/** Whether what somebody is told is true, and stays true. */
final class Answers {
    private final Audit audit;

    Answers(Audit audit) {
        this.audit = audit;
    }

    /** A refusal, or that a saga is open, was right when the journal had {@code asOf} events; anything else is true now. */
    boolean isTrue(SagaInput input, Reply reply, long asOf) {
        if (input instanceof SagaInput.Carrying carrying) {
            boolean noted = !reply.isSettled()
                    || (carrying.ended().stream().allMatch(this::isNotedIfItTravels)
                            && (carrying.begin().isEmpty() || !audit.provisional || audit.isDecided()));
            return noted && isTrue(carrying.input(), reply, asOf);
        }
        boolean kept =
                switch (reply) {
                    case Reply.Committed committed -> audit.committed;
                    case Reply.Aborted aborted -> audit.abort.equals(Optional.of(aborted.abort()));
                    case Reply.Pending pending ->
                        switch (input) {
                            case SagaInput.End end -> !end.awaitDecision() && audit.commitRequested;
                            case SagaInput.AskOutcome ask -> audit.begun && audit.wasOpen(asOf);
                            case SagaInput.BeginOnce begin -> !isBegunBy(begin) && audit.wasOpen(asOf);
                            case SagaInput other -> false;
                        };
                    case Reply.Accepted accepted -> isStored(input);
                    case Reply.NotNow later -> false;
                    case Reply.Rejected rejected -> isRightlyRefused(input, rejected.reason(), asOf);
                };
        if (!kept || !reply.isSettled()) return kept;
        return isOfItsService(input) && (!(input instanceof SagaInput.EndBranch ended) || isNoted(ended.branch()));
    }

    /** Nobody else is believed about a branch. */
    private boolean isOfItsService(SagaInput input) {
        return switch (input) {
            case SagaInput.EndBranch said -> isOf(said.branch(), said.service());
            case SagaInput.FailBranch said -> isOf(said.branch(), said.service());
            case SagaInput.SucceedCallback said -> isOf(said.branch(), said.service());
            case SagaInput.FailCallback said -> isOf(said.branch(), said.service());
            case SagaInput.DeferCallback said -> isOf(said.branch(), said.service());
            case SagaInput other -> true;
        };
    }

    private boolean isOf(BranchId id, String service) {
        BranchAudit branch = audit.branches.get(id);
        return branch != null && branch.began.service().equals(service);
    }

    /** Whatever its sender is told: the end of a branch is journaled, or nothing hangs on it any more. */
    private boolean isNoted(BranchId ended) {
        BranchAudit branch = audit.branches.get(ended);
        return branch != null && (branch.forward == Forward.ENDED || branch.isOver());
    }

    private boolean isNotedIfItTravels(BranchId ended) {
        BranchAudit branch = audit.branches.get(ended);
        return branch != null && (!branch.began.endTravels() || isNoted(ended));
    }

    private boolean isStored(SagaInput input) {
        return switch (input) {
            case SagaInput.Carrying carrying -> isStored(carrying.input());
            case SagaInput.Begin begin -> audit.begun && !audit.provisional;
            case SagaInput.BeginOnce begin -> isBegunBy(begin);
            case SagaInput.BeginNested begin -> false;
            case SagaInput.Decide decide -> false;
            case SagaInput.End end -> false;
            case SagaInput.Abort abort -> false;
            case SagaInput.AskOutcome ask -> false;
            case SagaInput.BeginBranch begin -> isStored(begin);
            case SagaInput.EndBranch end -> true;
            case SagaInput.FailBranch fail -> {
                BranchAudit branch = audit.branches.get(fail.branch());
                yield branch != null && branch.forward != Forward.RUNNING;
            }
            case SagaInput.SucceedCallback success -> isAt(Stage.DONE, success.branch());
            case SagaInput.FailCallback answer -> true;
            case SagaInput.LoseCallback answer -> true;
            case SagaInput.DeferCallback answer -> true;
            case SagaInput.MissParticipant answer -> true;
            case SagaInput.MissBuild answer -> true;
            case SagaInput.ConnectService connected -> true;
            case SagaInput.Tick tick -> true;
            case SagaInput.Hold hold -> false;
            case SagaInput.AnswerFence answer -> false;
            case SagaInput.Retry order -> audit.isDone(order.operator(), order.sequence());
            case SagaInput.Skip order ->
                audit.isDone(order.operator(), order.sequence()) && isAt(Stage.SKIPPED, order.branch());
            case SagaInput.Resolve order ->
                audit.isDone(order.operator(), order.sequence())
                        && audit.endedByHand
                        && audit.outcome.equals(Optional.of(order.outcome()));
            case SagaInput.AbortByOperator order -> audit.abort.isPresent();
        };
    }

    /** And not by another start. */
    private boolean isBegunBy(SagaInput.BeginOnce begin) {
        return audit.begun && audit.start.equals(begin.initiator().start());
    }

    /** This call, and not another one under its id. */
    private boolean isStored(SagaInput.BeginBranch begin) {
        BranchAudit branch = audit.branches.get(begin.branch());
        return branch != null
                && branch.began.service().equals(begin.service())
                && branch.began.operation().equals(begin.operation())
                && branch.began.parent().equals(begin.parent())
                && branch.began.arguments().equals(begin.arguments());
    }

    private boolean isAt(Stage stage, BranchId id) {
        BranchAudit branch = audit.branches.get(id);
        return branch != null && branch.callback == stage;
    }

    private boolean isRightlyRefused(SagaInput input, Refusal reason, long asOf) {
        return switch (reason) {
            case UNKNOWN_SAGA -> asOf == 0;
            case SAGA_PURGED -> false;
            case UNKNOWN_BRANCH ->
                switch (input) {
                    case SagaInput.EndBranch end -> isUnknown(end.branch(), asOf);
                    case SagaInput.FailBranch fail -> isUnknown(fail.branch(), asOf);
                    case SagaInput.SucceedCallback success -> isUnknown(success.branch(), asOf);
                    case SagaInput.Skip skip -> isUnknown(skip.branch(), asOf);
                    case SagaInput other -> false;
                };
            case BRANCH_CONFLICT ->
                input instanceof SagaInput.BeginBranch begin && !isUnknown(begin.branch(), asOf) && !isStored(begin);
            case TOO_MANY_BRANCHES ->
                input instanceof SagaInput.BeginBranch && audit.branches.size() >= Limits.BRANCHES;
            case PAYLOAD_TOO_LARGE -> payload(input).size() > Limits.PAYLOAD_BYTES;
            case SAGA_TOO_LARGE -> payload(input).size() > 0;
            case STALE_ANSWER ->
                input instanceof SagaInput.SucceedCallback
                        || input instanceof SagaInput.FailCallback
                        || input instanceof SagaInput.LoseCallback
                        || input instanceof SagaInput.DeferCallback
                        || input instanceof SagaInput.MissParticipant
                        || input instanceof SagaInput.MissBuild;
            case OTHER_SERVICE -> !isOfItsService(input);
            case NESTED -> false;
            // Nobody is refused what he has been obeyed in.
            case SAGA_MOVED, NOT_SUSPENDED, BRANCH_NOT_STUCK, NOTHING_TO_RETRY, DECIDED_OTHERWISE ->
                switch (input) {
                    case SagaInput.Retry order -> !audit.isDone(order.operator(), order.sequence());
                    case SagaInput.Skip order -> !audit.isDone(order.operator(), order.sequence());
                    case SagaInput.Resolve order -> !audit.isDone(order.operator(), order.sequence());
                    case SagaInput.AbortByOperator order -> !audit.isDone(order.operator(), order.sequence());
                    case SagaInput other -> false;
                };
        };
    }

    private boolean isUnknown(BranchId id, long asOf) {
        BranchAudit branch = audit.branches.get(id);
        return branch == null || branch.beganAs > asOf;
    }

    private static Payload payload(SagaInput input) {
        return switch (input) {
            case SagaInput.BeginBranch begin -> begin.arguments();
            case SagaInput.EndBranch end -> end.result();
            case SagaInput other -> Payload.EMPTY;
        };
    }
}
