package io.alphaomega.saga.simulation;

import io.alphaomega.saga.Abort;
import io.alphaomega.saga.BranchId;
import io.alphaomega.saga.CallbackKind;
import io.alphaomega.saga.FailureCode;
import io.alphaomega.saga.Limits;
import io.alphaomega.saga.Operator;
import io.alphaomega.saga.Outcome;
import io.alphaomega.saga.Policy;
import io.alphaomega.saga.SagaEvent;
import io.alphaomega.saga.Suspension;
import io.alphaomega.saga.simulation.BranchAudit.Forward;
import io.alphaomega.saga.simulation.BranchAudit.Stage;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Reads the journal as it grows and objects to every event that a saga's promises do not allow there. */
final class Audit {
    private final Promises promises;
    final Map<BranchId, BranchAudit> branches = new LinkedHashMap<>();
    Policy policy = Policy.DEFAULT;
    boolean begun;
    String start = "";
    String businessKey = "";
    boolean provisional;
    boolean commitRequested;
    boolean committed;
    Optional<Abort> abort = Optional.empty();
    Optional<Suspension> suspension = Optional.empty();
    Optional<Outcome> outcome = Optional.empty();
    Instant deadline = Instant.MAX;

    /** The number of the event that decided it. */
    private long decidedAs = Long.MAX_VALUE;

    boolean endedByHand;
    /** Who ordered, and why, what is journaled behind so many events. */
    final Map<Long, String> orders = new HashMap<>();

    private Instant begunAt = Instant.MIN;
    private Instant last = Instant.MIN;
    private long events;
    private int payloadBytes;

    Audit(Promises promises) {
        this.promises = promises;
    }

    void read(SagaEvent event) {
        events++;
        check(!event.at().isBefore(last), "the journal goes back in time");
        last = event.at();
        check(begun || event instanceof SagaEvent.Begun, "an event before the begin");
        switch (event) {
            case SagaEvent.Begun e -> begun(e);
            case SagaEvent.BeginCaughtUp e -> {
                check(provisional, "a begin caught up with a saga that has its begin");
                provisional = false;
                businessKey = e.initiator().businessKey();
                policy = e.policy();
                deadline = begunAt.plus(policy.timeout());
            }
            case SagaEvent.BranchBegan e -> branchBegan(e);
            case SagaEvent.BranchEnded e -> branchEnded(e);
            case SagaEvent.BranchFailed e -> branchFailed(e);
            case SagaEvent.CommitRequested e -> {
                check(!isDecided() && !commitRequested, "the commit was requested twice, or too late");
                commitRequested = true;
            }
            case SagaEvent.Prepared e -> check(false, "prepared, but it is no part of another saga");
            case SagaEvent.Committed e -> committed(e);
            case SagaEvent.Aborted e -> {
                aborted(e.abort());
                if (e.abort().cause() == Abort.Cause.OPERATOR)
                    orders.put(events - 1, e.abort().text());
            }
            case SagaEvent.CallbackRequested e -> new CallbackAudit(this, branch(e.branch()), e.kind()).requested(e);
            case SagaEvent.CallbackSucceeded e -> new CallbackAudit(this, branch(e.branch()), e.kind()).succeeded(e);
            case SagaEvent.CallbackFailed e -> new CallbackAudit(this, branch(e.branch()), e.kind()).failed(e);
            case SagaEvent.CallbackLost e -> new CallbackAudit(this, branch(e.branch()), e.kind()).lost(e);
            case SagaEvent.CallbackDeferred e -> new CallbackAudit(this, branch(e.branch()), e.kind()).deferred(e);
            case SagaEvent.ParticipantMissed e -> new CallbackAudit(this, branch(e.branch()), e.kind()).missed(e);
            case SagaEvent.Suspended e -> suspended(e.suspension());
            case SagaEvent.FenceAnswered e -> check(false, "a fence was asked, but nobody has set the store back");
            case SagaEvent.Held e -> check(false, "held, but nobody has set the store back");
            case SagaEvent.Resumed e -> resumed(e);
            case SagaEvent.BranchSkipped e -> {
                BranchAudit branch = branch(e.branch());
                check(suspension.isPresent() && isStuck(branch, e.at()), "a branch was skipped that was not stuck");
                branch.callback = Stage.SKIPPED;
                ordered(e.operator());
            }
            case SagaEvent.Ended e -> ended(e);
        }
    }

    private void ordered(Operator operator) {
        orders.put(events - 1, text(operator));
    }

    private static String text(Operator operator) {
        return operator.who() + ": " + operator.why();
    }

    /** Whether the operator's own order is what is journaled behind the events that he saw. */
    boolean isDone(Operator operator, long seen) {
        return text(operator).equals(orders.get(seen));
    }

    boolean wasOpen(long asOf) {
        return decidedAs > asOf;
    }

    boolean isDecided() {
        return committed || abort.isPresent();
    }

    CallbackKind kind() {
        return abort.isPresent() ? CallbackKind.COMPENSATION : CallbackKind.CONFIRMATION;
    }

    /** Whether what the saga is suspended for is still so. */
    boolean isStuck(Instant now) {
        return isStuck(branch(suspension.orElseThrow().branch()), now);
    }

    boolean isStuck(BranchAudit branch, Instant now) {
        return branch.callback == Stage.GAVE_UP || (abort.isPresent() && branch.isUnknowable(now));
    }

    void check(boolean kept, String broken, Object... found) {
        if (!kept) throw new BrokenPromiseError(broken + " " + Arrays.toString(found));
    }

    Promises promises() {
        return promises;
    }

    private BranchAudit branch(BranchId id) {
        BranchAudit branch = branches.get(id);
        if (branch == null) throw new BrokenPromiseError("the journal speaks of branch " + id + ", which never began");
        return branch;
    }

    private void begun(SagaEvent.Begun event) {
        check(!begun, "the saga began twice");
        begun = true;
        provisional = event.provisional();
        start = event.initiator().start();
        businessKey = event.initiator().businessKey();
        policy = event.policy();
        begunAt = event.at();
        deadline = begunAt.plus(policy.timeout());
    }

    private void branchBegan(SagaEvent.BranchBegan event) {
        check(!isDecided(), "a branch began after the decision");
        check(branches.size() < Limits.BRANCHES, "more branches than a saga may have");
        boolean known = branches.put(event.branch(), new BranchAudit(event, events)) != null;
        check(!known, "a branch began twice:", event);
        Instant latest = event.at().plus(promises.timeoutOf(event.branch()).orElse(policy.branchTimeout()));
        check(!event.deadline().isAfter(latest), "a branch has longer than its timeout");
        weigh(event.arguments().size());
    }

    private void branchEnded(SagaEvent.BranchEnded event) {
        BranchAudit branch = branch(event.branch());
        check(branch.forward != Forward.ENDED, "a branch ended twice:", event);
        branch.forward = Forward.ENDED;
        branch.result = event.result();
        branch.endedAs = events;
        weigh(event.result().size());
        boolean owesUndo = abort.isPresent() && branch.offers(CallbackKind.COMPENSATION) && !branch.isOver();
        if (owesUndo) outcome = Optional.empty();
    }

    private void branchFailed(SagaEvent.BranchFailed event) {
        BranchAudit branch = branch(event.branch());
        check(branch.isOpen(), "a branch failed after its end:", event);
        check(event.rolledBack() || branch.forward == Forward.RUNNING, "the same failure twice");
        branch.forward = event.rolledBack() ? Forward.FAILED : Forward.UNKNOWN;
        if (event.rolledBack() && !branch.isOver()) branch.callback = Stage.IDLE;
    }

    private void committed(SagaEvent.Committed event) {
        check(!isDecided(), "decided twice");
        check(commitRequested, "committed, but the initiator did not ask for it");
        check(event.at().isBefore(deadline), "committed after the deadline");
        for (BranchAudit branch : branches.values()) {
            check(branch.forward == Forward.ENDED, "committed while a branch has not ended:", branch.began);
        }
        committed = true;
        decidedAs = events;
    }

    private void aborted(Abort decision) {
        check(!isDecided(), "decided twice");
        switch (decision.cause()) {
            case SAGA_TIMED_OUT -> check(!decision.at().isBefore(deadline), "timed out too early");
            case BRANCH_TIMED_OUT ->
                check(branch(decision.branch().orElseThrow()).isOverdue(decision.at()), "a branch timed out too early");
            case BRANCH_FAILED -> {
                Forward forward = branch(decision.branch().orElseThrow()).forward;
                check(forward == Forward.FAILED || forward == Forward.UNKNOWN, "the blamed branch did not fail");
            }
            case INITIATOR -> check(promises.initiatorAborted, "the initiator did not abort");
            case OPERATOR -> check(promises.operatorAborted, "no operator aborted");
            case PARENT -> check(false, "aborted by its parent, but it has none");
            case HISTORY_PURGED -> check(false, "a purged saga is not journaled");
        }
        abort = Optional.of(decision);
        decidedAs = events;
    }

    private void suspended(Suspension why) {
        BranchAudit branch = branch(why.branch());
        check(isDecided() && outcome.isEmpty(), "suspended, but nothing is under way");
        check(isStuck(branch, why.at()), "suspended for a branch that is not stuck:", why);
        check(why.reason() == reason(branch), "suspended for the wrong reason:", why);
        suspension = Optional.of(why);
    }

    private Suspension.Reason reason(BranchAudit branch) {
        if (branch.callback != Stage.GAVE_UP) return Suspension.Reason.BRANCH_END_UNKNOWN;
        Suspension.Reason outOfAttempts =
                committed ? Suspension.Reason.CONFIRMATION_FAILED : Suspension.Reason.COMPENSATION_FAILED;
        return switch (branch.failure) {
            case UNDECODABLE, FORWARD_MISSING, FENCE_ROW_MISSING, NO_PARTICIPANT ->
                Suspension.Reason.valueOf(branch.failure.name());
            case THREW, NO_ANSWER, UNKNOWN_CALLBACK, STREAM_LOST, BUSY -> outOfAttempts;
        };
    }

    private void resumed(SagaEvent.Resumed event) {
        event.operator().ifPresent(this::ordered);
        if (suspension.isEmpty()) {
            hurried(event);
        } else if (event.operator().isPresent()) {
            for (BranchAudit branch : branches.values()) {
                if (branch.callback == Stage.GAVE_UP) branch.callback = Stage.IDLE;
            }
        } else {
            check(!isStuck(event.at()), "resumed by itself, but still stuck");
        }
        suspension = Optional.empty();
    }

    /** What waited is asked afresh, because somebody wanted it. */
    private void hurried(SagaEvent.Resumed event) {
        check(event.operator().isPresent(), "resumed by itself, but was not suspended");
        check(isDecided() && outcome.isEmpty(), "resumed, but nothing is decided, or all is over");
        List<BranchAudit> waiting =
                branches.values().stream().filter(BranchAudit::isWaiting).toList();
        check(!waiting.isEmpty(), "resumed, but nothing waited");
        for (BranchAudit branch : waiting) branch.callback = Stage.IDLE;
    }

    private void ended(SagaEvent.Ended event) {
        check(isDecided() && outcome.isEmpty(), "ended undecided, or twice");
        check(event.outcome() == (committed ? Outcome.COMMITTED : Outcome.COMPENSATED), "ended against its decision");
        outcome = Optional.of(event.outcome());
        endedByHand |= event.operator().isPresent();
        event.operator().ifPresent(this::ordered);
        for (BranchAudit branch : branches.values()) {
            if (!branch.offers(kind()) || branch.isOver()) continue;
            if (event.operator().isPresent()) branch.callback = Stage.SKIPPED;
            else check(branch.forward == Forward.FAILED, "ended, but owes work to a branch:", branch.began);
        }
        check(suspension.isEmpty() || event.operator().isPresent(), "ended while suspended");
        suspension = Optional.empty();
    }

    private void weigh(int bytes) {
        check(bytes <= Limits.PAYLOAD_BYTES, "a payload is too large");
        payloadBytes += bytes;
        check(payloadBytes <= Limits.SAGA_BYTES, "the saga is too large");
    }

    static boolean isAnswerOfParticipant(FailureCode code) {
        return switch (code) {
            case THREW, UNKNOWN_CALLBACK, UNDECODABLE, FORWARD_MISSING, FENCE_ROW_MISSING -> true;
            case NO_ANSWER, STREAM_LOST, NO_PARTICIPANT, BUSY -> false;
        };
    }
}
