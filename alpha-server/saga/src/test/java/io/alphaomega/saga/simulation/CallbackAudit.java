package io.alphaomega.saga.simulation;

import io.alphaomega.saga.BranchId;
import io.alphaomega.saga.CallbackKind;
import io.alphaomega.saga.CallbackPolicy;
import io.alphaomega.saga.FailureCode;
import io.alphaomega.saga.Limits;
import io.alphaomega.saga.Policy;
import io.alphaomega.saga.SagaEvent;
import io.alphaomega.saga.SagaInput;
import io.alphaomega.saga.Unable;
import io.alphaomega.saga.simulation.BranchAudit.Forward;
import io.alphaomega.saga.simulation.BranchAudit.Stage;
import java.time.Duration;
import java.time.Instant;

/** The part of the audit that reads what the journal says about the callback of one branch. */
final class CallbackAudit {
    private final Audit saga;
    private final BranchAudit branch;
    private final BranchId id;
    private final CallbackKind kind;

    CallbackAudit(Audit saga, BranchAudit branch, CallbackKind kind) {
        this.saga = saga;
        this.branch = branch;
        this.id = branch.began.branch();
        this.kind = kind;
    }

    void requested(SagaEvent.CallbackRequested event) {
        CallbackPolicy policy = branch.policy(kind, saga.policy);
        check(saga.isDecided() && kind == saga.kind(), "does not carry out the decision");
        check(saga.outcome.isEmpty(), "requested after the end");
        check(branch.offers(kind), "was requested, but is not offered");
        check(event.attempt() == branch.attempt + 1, "skips or repeats an attempt");
        check(event.forwardEnded() == (branch.forward == Forward.ENDED), "is told wrongly whether the branch ended");
        mayRun(event.at());
        switch (branch.callback) {
            case IDLE -> fresh(event, policy);
            case RETRY -> check(!event.at().isBefore(branch.retryAt) || isHelped(), "is retried too early");
            case LOST ->
                check(
                        event.at().equals(branch.retryAt) && event.at().isBefore(branch.giveUpAt),
                        "is asked again late, or after its time limit");
            case MISSED ->
                check(
                        !event.at().isBefore(branch.retryAt) || saga.promises().hasConnected(branch.began.service()),
                        "is asked again, but nobody has connected");
            case GAVE_UP -> {
                check(isHelped(), "was given up, and nobody has come who could");
                branch.giveUpAt = event.at().plus(policy.within());
                branch.failures = 0;
                branch.losses = 0;
            }
            case ASKED, DONE, SKIPPED -> check(false, "was requested while " + branch.callback);
        }
        if (branch.callback == Stage.IDLE || (branch.callback == Stage.RETRY && branch.lacksBuild)) {
            branch.unable.clear();
        }
        branch.lacksBuild = false;
        check(event.giveUpAt().equals(branch.giveUpAt), "moved its time limit");

        check(event.answerBy().equals(event.at().plus(policy.timeout())), "has another timeout than its policy says");
        branch.callback = Stage.ASKED;
        branch.attempt = event.attempt();
        branch.answerBy = event.answerBy();
        branch.forwardEndedWhenAsked = event.forwardEnded();
    }

    private boolean isHelped() {
        return branch.lacksBuild && saga.promises().hasConnected(branch.began.service(), branch.unable.keySet());
    }

    /** Only what took effect, or what only the fence can tell, is undone. */
    private void mayRun(Instant now) {
        boolean mayRun = branch.forward == Forward.ENDED
                || (branch.began.fenced() && (branch.isOverdue(now) || branch.isSilent()));
        check(mayRun, "was requested while the business call is " + branch.forward);
    }

    private void fresh(SagaEvent.CallbackRequested event, CallbackPolicy policy) {
        branch.giveUpAt = event.at().plus(policy.within());
        branch.failures = 0;
        branch.losses = 0;
        if (saga.policy.order() == Policy.Order.PARALLEL) return;
        for (BranchAudit other : saga.branches.values()) {
            if (other == branch) continue;
            check(!other.isInFlight() && other.callback != Stage.GAVE_UP, "runs beside another");
            boolean waits = other.callback == Stage.IDLE && other.offers(kind) && other.forward == Forward.ENDED;
            boolean first = kind == CallbackKind.COMPENSATION
                    ? branch.forward == Forward.ENDED
                            ? other.endedAs > branch.endedAs
                            : !mustHaveEndedAfter(branch, other)
                    : other.endedAs < branch.endedAs;
            check(!waits || !first, "came before its turn");
            boolean silent = kind == CallbackKind.COMPENSATION
                    && other.callback == Stage.IDLE
                    && other.offers(kind)
                    && other.isSilent();
            check(!silent || !mustHaveEndedAfter(other, branch), "came before one that must have ended later");
        }
    }

    /** Whether a branch whose end is not known came to it, if it did, after that of another. */
    private boolean mustHaveEndedAfter(BranchAudit silent, BranchAudit other) {
        if (!silent.isSilent()) return false;
        if (isWithin(other, silent)) return true;
        if (other.forward == Forward.ENDED) return lastSeen(silent) > other.endedAs;
        return other.isSilent() && lastSeen(silent) > lastSeen(other) && !isWithin(silent, other);
    }

    /** Of it, or of what was called within it. */
    private long lastSeen(BranchAudit branch) {
        long last = 0;
        for (BranchAudit each : saga.branches.values()) {
            if (each != branch && !isWithin(each, branch)) continue;
            last = Math.max(last, each.forward == Forward.ENDED ? each.endedAs : each.beganAs);
        }
        return last;
    }

    private boolean isWithin(BranchAudit inner, BranchAudit outer) {
        BranchAudit each = inner;
        while (each.began.parent().isPresent()) {
            BranchAudit caller = saga.branches.get(each.began.parent().get());
            if (caller == null || caller.beganAs >= each.beganAs) return false;
            if (caller == outer) return true;
            each = caller;
        }
        return false;
    }

    void succeeded(SagaEvent.CallbackSucceeded event) {
        check(branch.isInFlight() || branch.callback == Stage.GAVE_UP, "succeeded unasked");
        check(event.attempt() >= 1 && event.attempt() <= branch.attempt, "succeeded in an attempt nobody made");
        check(saga.promises().wasDone(id, kind), "counts as done, but nobody did it");
        branch.callback = Stage.DONE;
    }

    void failed(SagaEvent.CallbackFailed event) {
        underWay(event.attempt());
        FailureCode code = event.code();
        if (Audit.isAnswerOfParticipant(code)) {
            check(isTold(event) || isForLackOfABuild(event), "failed, but nobody said so");
        }
        boolean outOfTime = !event.at().isBefore(branch.giveUpAt);
        switch (code) {
            case NO_ANSWER -> check(!event.at().isBefore(branch.answerBy), "had more time to answer");
            case BUSY -> check(outOfTime, "was given up for a busy participant too early");
            case NO_PARTICIPANT -> check(outOfTime, "was given up for lack of a participant too early");
            case STREAM_LOST ->
                check(branch.losses >= Limits.LOSSES_FREE || outOfTime, "was charged for a lost stream");
            case THREW, UNKNOWN_CALLBACK, UNDECODABLE, FORWARD_MISSING, FENCE_ROW_MISSING -> {}
        }
        branch.lacksBuild = branch.unable.containsValue(code);
        if (!branch.lacksBuild) branch.unable.clear();
        branch.failures++;
        branch.failure = code;
        patience(event);
    }

    /** By an instance that could have; or by one whose build has said before that it cannot, or too late for another. */
    private boolean isTold(SagaEvent.CallbackFailed event) {
        if (wasTold(event.attempt(), event.code(), event.error(), "")) return true;
        boolean late = !event.at().isBefore(branch.giveUpAt);
        return Participants.BUILDS.stream()
                .filter(build -> late || branch.unable.containsKey(build))
                .anyMatch(build -> wasTold(event.attempt(), event.code(), event.error(), build));
    }

    private boolean isForLackOfABuild(SagaEvent.CallbackFailed event) {
        return branch.unable.containsValue(event.code())
                && saga.promises().wasHeard(new SagaInput.MissBuild(id, kind, event.attempt()));
    }

    private boolean wasTold(int attempt, FailureCode code, String error, String build) {
        return saga.promises()
                .wasHeard(new SagaInput.FailCallback(id, kind, attempt, code, error, branch.began.service(), build));
    }

    /** What the participant's log says of its last attempt. */
    private void toldTruly(SagaEvent.CallbackFailed event, CallbackPolicy policy, Duration pause) {
        if (event.code() != FailureCode.THREW || event.at().isAfter(branch.answerBy)) return;
        if (branch.toldRetried) {
            check(event.retryAt().isPresent(), "was told that another attempt follows");
        } else {
            boolean mayBeLast = branch.failures >= policy.attempts()
                    || !branch.answerBy.plus(pause).isBefore(branch.giveUpAt);
            check(mayBeLast, "was told that it may be the last attempt");
        }
    }

    /** Nothing has failed: another build is asked at once, each once. */
    private void refused(SagaEvent.CallbackDeferred event, Unable by) {
        check(wasTold(event.attempt(), by.code(), by.error(), by.build()), "was refused by a build that did not");
        check(branch.unable.put(by.build(), by.code()) == null, "was asked of a build again that cannot");
        check(event.retryAt().equals(event.at()), "waits, though another build may be able to");
        branch.callback = Stage.LOST;
        branch.retryAt = event.at();
    }

    /** Retried as often and as long as the policy says, not more and not less. */
    private void patience(SagaEvent.CallbackFailed event) {
        CallbackPolicy policy = branch.policy(kind, saga.policy);
        Duration pause = policy.firstDelay();
        for (int i = 1; i < branch.failures && pause.compareTo(policy.maxDelay()) < 0; i++)
            pause = pause.multipliedBy(2);
        if (pause.compareTo(policy.maxDelay()) > 0) pause = policy.maxDelay();
        boolean attemptsLeft = event.code().retried() && branch.failures < policy.attempts();
        toldTruly(event, policy, pause);
        if (event.retryAt().isPresent()) {
            Instant retryAt = event.retryAt().get();
            check(attemptsLeft, "is retried without an attempt left");
            check(retryAt.isBefore(branch.giveUpAt), "is retried after its time limit");
            check(!retryAt.isAfter(event.at().plus(pause)), "waits longer than its back-off");
            check(!retryAt.isBefore(event.at().plus(pause.dividedBy(2))), "waits less than half its back-off");
            branch.callback = Stage.RETRY;
            branch.retryAt = retryAt;
        } else {
            boolean timeLeft = event.at().plus(pause).isBefore(branch.giveUpAt);
            check(!attemptsLeft || !timeLeft, "was given up with attempts and time left");
            branch.callback = Stage.GAVE_UP;
        }
    }

    void lost(SagaEvent.CallbackLost event) {
        underWay(event.attempt());
        check(
                saga.promises().wasHeard(new SagaInput.LoseCallback(id, kind, event.attempt())),
                "lost a stream that did not break");
        check(branch.losses < Limits.LOSSES_FREE, "lost its stream too often for free");
        branch.losses++;
        branch.callback = Stage.LOST;
        branch.retryAt = event.at();
    }

    /** Nothing has failed: only the time limit runs. */
    void deferred(SagaEvent.CallbackDeferred event) {
        underWay(event.attempt());
        if (event.unable().isPresent()) {
            refused(event, event.unable().get());
            return;
        }
        check(
                saga.promises()
                        .wasHeard(new SagaInput.DeferCallback(id, kind, event.attempt(), branch.began.service())),
                "was put off, but nobody was busy");
        check(event.retryAt().isAfter(event.at()), "asks who is busy in a busy loop");
        check(!event.retryAt().isAfter(branch.giveUpAt), "is put off beyond its time limit");
        branch.callback = Stage.RETRY;
        branch.retryAt = event.retryAt();
    }

    void missed(SagaEvent.ParticipantMissed event) {
        underWay(event.attempt());
        check(
                saga.promises().wasHeard(new SagaInput.MissParticipant(id, kind, event.attempt())),
                "missed a participant that was there");
        check(event.retryAt().isAfter(event.at()), "looks for a participant in a busy loop");
        check(!event.retryAt().isAfter(branch.giveUpAt), "looks for a participant after its time limit");
        branch.callback = Stage.MISSED;
        branch.retryAt = event.retryAt();
    }

    private void underWay(int attempt) {
        check(branch.callback == Stage.ASKED && branch.attempt == attempt, "was answered for another attempt");
    }

    private void check(boolean kept, String broken) {
        if (!kept) saga.check(false, "the " + kind + " of branch " + id + " " + broken);
    }
}
