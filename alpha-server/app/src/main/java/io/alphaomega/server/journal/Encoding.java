package io.alphaomega.server.journal;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;
import io.alphaomega.saga.Abort;
import io.alphaomega.saga.CallbackKind;
import io.alphaomega.saga.CallbackOffer;
import io.alphaomega.saga.CallbackPolicy;
import io.alphaomega.saga.FailureCode;
import io.alphaomega.saga.Initiator;
import io.alphaomega.saga.Operator;
import io.alphaomega.saga.Outcome;
import io.alphaomega.saga.Payload;
import io.alphaomega.saga.Policy;
import io.alphaomega.saga.SagaEvent;
import io.alphaomega.saga.Suspension;
import io.alphaomega.server.journal.v1.Journal;
import java.time.Duration;
import java.time.Instant;
import java.util.TreeMap;

/** Events to the journal's messages. */
final class Encoding {
    private Encoding() {}

    static Journal.Begun of(SagaEvent.Begun begun) {
        return Journal.Begun.newBuilder()
                .setInitiator(initiator(begun.initiator()))
                .setPolicy(policy(begun.policy()))
                .setProvisional(begun.provisional())
                .setAtMillis(millis(begun.at()))
                .build();
    }

    static Journal.BeginCaughtUp of(SagaEvent.BeginCaughtUp caughtUp) {
        return Journal.BeginCaughtUp.newBuilder()
                .setInitiator(initiator(caughtUp.initiator()))
                .setPolicy(policy(caughtUp.policy()))
                .setAtMillis(millis(caughtUp.at()))
                .build();
    }

    static Journal.BranchBegan of(SagaEvent.BranchBegan began) {
        Journal.BranchBegan.Builder message = Journal.BranchBegan.newBuilder()
                .setBranch(began.branch().value())
                .setService(began.service())
                .setInstance(began.instance())
                .setBuild(began.build())
                .setOperation(began.operation())
                .setFenced(began.fenced())
                .setFence(began.fence())
                .setEndTravels(began.endTravels())
                .setDeadlineMillis(millis(began.deadline()))
                .setArguments(bytes(began.arguments()))
                .setTraceparent(began.traceparent())
                .setAtMillis(millis(began.at()));
        began.parent().ifPresent(parent -> message.setParent(parent.value()));
        began.compensation().ifPresent(offer -> message.setCompensation(offer(offer)));
        began.confirmation().ifPresent(offer -> message.setConfirmation(offer(offer)));
        began.nested().ifPresent(saga -> message.setNested(saga.value()));
        return message.build();
    }

    static Journal.BranchEnded of(SagaEvent.BranchEnded ended) {
        return Journal.BranchEnded.newBuilder()
                .setBranch(ended.branch().value())
                .setResult(bytes(ended.result()))
                .setAtMillis(millis(ended.at()))
                .build();
    }

    static Journal.BranchFailed of(SagaEvent.BranchFailed failed) {
        return Journal.BranchFailed.newBuilder()
                .setBranch(failed.branch().value())
                .setCause(failed.cause())
                .setRolledBack(failed.rolledBack())
                .setAtMillis(millis(failed.at()))
                .build();
    }

    static Journal.CommitRequested of(SagaEvent.CommitRequested requested) {
        return Journal.CommitRequested.newBuilder()
                .setAtMillis(millis(requested.at()))
                .build();
    }

    static Journal.Prepared of(SagaEvent.Prepared prepared) {
        return Journal.Prepared.newBuilder().setAtMillis(millis(prepared.at())).build();
    }

    static Journal.Committed of(SagaEvent.Committed committed) {
        return Journal.Committed.newBuilder()
                .setAtMillis(millis(committed.at()))
                .build();
    }

    static Journal.Aborted of(SagaEvent.Aborted aborted) {
        Abort abort = aborted.abort();
        Journal.Aborted.Builder message = Journal.Aborted.newBuilder()
                .setCause(
                        switch (abort.cause()) {
                            case BRANCH_FAILED -> Journal.Aborted.Cause.BRANCH_FAILED;
                            case BRANCH_TIMED_OUT -> Journal.Aborted.Cause.BRANCH_TIMED_OUT;
                            case SAGA_TIMED_OUT -> Journal.Aborted.Cause.SAGA_TIMED_OUT;
                            case INITIATOR -> Journal.Aborted.Cause.INITIATOR;
                            case OPERATOR -> Journal.Aborted.Cause.OPERATOR;
                            case PARENT -> Journal.Aborted.Cause.PARENT;
                            case HISTORY_PURGED ->
                                throw new IllegalArgumentException("an abort that no rule decides: " + abort);
                        })
                .setText(abort.text())
                .setAtMillis(millis(abort.at()));
        abort.branch().ifPresent(branch -> message.setBranch(branch.value()));
        return message.build();
    }

    static Journal.CallbackRequested of(SagaEvent.CallbackRequested requested) {
        return Journal.CallbackRequested.newBuilder()
                .setBranch(requested.branch().value())
                .setKind(kind(requested.kind()))
                .setAttempt(attempt(requested.attempt()))
                .setForwardEnded(requested.forwardEnded())
                .setAnswerByMillis(millis(requested.answerBy()))
                .setGiveUpAtMillis(millis(requested.giveUpAt()))
                .setAtMillis(millis(requested.at()))
                .build();
    }

    static Journal.CallbackSucceeded of(SagaEvent.CallbackSucceeded succeeded) {
        return Journal.CallbackSucceeded.newBuilder()
                .setBranch(succeeded.branch().value())
                .setKind(kind(succeeded.kind()))
                .setAttempt(attempt(succeeded.attempt()))
                .setAtMillis(millis(succeeded.at()))
                .build();
    }

    static Journal.CallbackFailed of(SagaEvent.CallbackFailed failed) {
        Journal.CallbackFailed.Builder message = Journal.CallbackFailed.newBuilder()
                .setBranch(failed.branch().value())
                .setKind(kind(failed.kind()))
                .setAttempt(attempt(failed.attempt()))
                .setCode(code(failed.code()))
                .setError(failed.error())
                .setAtMillis(millis(failed.at()));
        failed.retryAt().ifPresent(retryAt -> message.setRetryAtMillis(millis(retryAt)));
        return message.build();
    }

    static Journal.CallbackLost of(SagaEvent.CallbackLost lost) {
        return Journal.CallbackLost.newBuilder()
                .setBranch(lost.branch().value())
                .setKind(kind(lost.kind()))
                .setAttempt(attempt(lost.attempt()))
                .setAtMillis(millis(lost.at()))
                .build();
    }

    static Journal.CallbackDeferred of(SagaEvent.CallbackDeferred deferred) {
        Journal.CallbackDeferred.Builder message = Journal.CallbackDeferred.newBuilder()
                .setBranch(deferred.branch().value())
                .setKind(kind(deferred.kind()))
                .setAttempt(attempt(deferred.attempt()))
                .setRetryAtMillis(millis(deferred.retryAt()))
                .setAtMillis(millis(deferred.at()));
        deferred.unable()
                .ifPresent(unable -> message.setUnable(Journal.CallbackDeferred.Unable.newBuilder()
                        .setBuild(unable.build())
                        .setCode(code(unable.code()))
                        .setError(unable.error())));
        return message.build();
    }

    static Journal.ParticipantMissed of(SagaEvent.ParticipantMissed missed) {
        return Journal.ParticipantMissed.newBuilder()
                .setBranch(missed.branch().value())
                .setKind(kind(missed.kind()))
                .setAttempt(attempt(missed.attempt()))
                .setRetryAtMillis(millis(missed.retryAt()))
                .setAtMillis(millis(missed.at()))
                .build();
    }

    static Journal.Suspended of(SagaEvent.Suspended suspended) {
        Suspension suspension = suspended.suspension();
        return Journal.Suspended.newBuilder()
                .setReason(
                        switch (suspension.reason()) {
                            case COMPENSATION_FAILED -> Journal.Suspended.Reason.COMPENSATION_FAILED;
                            case CONFIRMATION_FAILED -> Journal.Suspended.Reason.CONFIRMATION_FAILED;
                            case BRANCH_END_UNKNOWN -> Journal.Suspended.Reason.BRANCH_END_UNKNOWN;
                            case UNDECODABLE -> Journal.Suspended.Reason.UNDECODABLE;
                            case FORWARD_MISSING -> Journal.Suspended.Reason.FORWARD_MISSING;
                            case FENCE_ROW_MISSING -> Journal.Suspended.Reason.FENCE_ROW_MISSING;
                            case NO_PARTICIPANT -> Journal.Suspended.Reason.NO_PARTICIPANT;
                        })
                .setBranch(suspension.branch().value())
                .setService(suspension.service())
                .setAttempts(suspension.attempts())
                .setLastError(suspension.lastError())
                .setAtMillis(millis(suspension.at()))
                .build();
    }

    static Journal.Resumed of(SagaEvent.Resumed resumed) {
        Journal.Resumed.Builder message = Journal.Resumed.newBuilder().setAtMillis(millis(resumed.at()));
        resumed.operator().ifPresent(operator -> message.setOperator(operator(operator)));
        return message.build();
    }

    static Journal.Held of(SagaEvent.Held held) {
        return Journal.Held.newBuilder()
                .setRestorationMillis(millis(held.restoration()))
                .setBegunBeforeMillis(millis(held.begunBefore()))
                .setWhy(held.why())
                .setAtMillis(millis(held.at()))
                .build();
    }

    static Journal.FenceAnswered of(SagaEvent.FenceAnswered answered) {
        Journal.FenceAnswered.Builder message = Journal.FenceAnswered.newBuilder()
                .setBranch(answered.branch().value())
                .setFinding(
                        switch (answered.evidence().finding()) {
                            case NO_ROW -> Journal.FenceAnswered.Finding.NO_ROW;
                            case RAN -> Journal.FenceAnswered.Finding.RAN;
                            case NEVER_RAN -> Journal.FenceAnswered.Finding.NEVER_RAN;
                            case UNDONE -> Journal.FenceAnswered.Finding.UNDONE;
                            case CONFIRMED -> Journal.FenceAnswered.Finding.CONFIRMED;
                            case UNKNOWN -> Journal.FenceAnswered.Finding.UNKNOWN;
                        })
                .setText(answered.evidence().text())
                .setAtMillis(millis(answered.at()));
        answered.evidence().at().ifPresent(at -> message.setFoundMillis(millis(at)));
        return message.build();
    }

    static Journal.BranchSkipped of(SagaEvent.BranchSkipped skipped) {
        return Journal.BranchSkipped.newBuilder()
                .setBranch(skipped.branch().value())
                .setOperator(operator(skipped.operator()))
                .setAtMillis(millis(skipped.at()))
                .build();
    }

    static Journal.Ended of(SagaEvent.Ended ended) {
        Journal.Ended.Builder message =
                Journal.Ended.newBuilder().setOutcome(outcome(ended.outcome())).setAtMillis(millis(ended.at()));
        ended.operator().ifPresent(operator -> message.setOperator(operator(operator)));
        return message.build();
    }

    // ---- what several events share

    private static Journal.Initiator initiator(Initiator initiator) {
        Journal.Initiator.Builder message = Journal.Initiator.newBuilder()
                .setService(initiator.service())
                .setInstance(initiator.instance())
                .setOperation(initiator.operation())
                .setBusinessKey(initiator.businessKey())
                .setStart(initiator.start());
        initiator
                .parent()
                .ifPresent(parent -> message.setParentSaga(parent.saga().value())
                        .setParentBranch(parent.branch().value()));
        new TreeMap<>(initiator.attributes())
                .forEach((name, value) -> message.addAttributes(
                        Journal.Initiator.Attribute.newBuilder().setName(name).setValue(value)));
        return message.build();
    }

    private static Journal.Policy policy(Policy policy) {
        return Journal.Policy.newBuilder()
                .setTimeoutMillis(millis(policy.timeout()))
                .setBranchTimeoutMillis(millis(policy.branchTimeout()))
                .setOrder(
                        switch (policy.order()) {
                            case SEQUENTIAL -> Journal.Policy.Order.SEQUENTIAL;
                            case PARALLEL -> Journal.Policy.Order.PARALLEL;
                        })
                .setCallbacks(policy(policy.callbacks()))
                .build();
    }

    private static Journal.CallbackPolicy policy(CallbackPolicy policy) {
        return Journal.CallbackPolicy.newBuilder()
                .setAttempts(policy.attempts())
                .setWithinMillis(millis(policy.within()))
                .setFirstDelayMillis(millis(policy.firstDelay()))
                .setMaxDelayMillis(millis(policy.maxDelay()))
                .setTimeoutMillis(millis(policy.timeout()))
                .build();
    }

    private static Journal.CallbackOffer offer(CallbackOffer offer) {
        Journal.CallbackOffer.Builder message =
                Journal.CallbackOffer.newBuilder().setName(offer.name());
        offer.policy().ifPresent(policy -> message.setPolicy(policy(policy)));
        return message.build();
    }

    private static Journal.Operator operator(Operator operator) {
        return Journal.Operator.newBuilder()
                .setWho(operator.who())
                .setWhy(operator.why())
                .build();
    }

    private static Journal.CallbackKind kind(CallbackKind kind) {
        return switch (kind) {
            case COMPENSATION -> Journal.CallbackKind.COMPENSATION;
            case CONFIRMATION -> Journal.CallbackKind.CONFIRMATION;
        };
    }

    private static Journal.CallbackFailed.Code code(FailureCode code) {
        return switch (code) {
            case THREW -> Journal.CallbackFailed.Code.THREW;
            case NO_ANSWER -> Journal.CallbackFailed.Code.NO_ANSWER;
            case UNKNOWN_CALLBACK -> Journal.CallbackFailed.Code.UNKNOWN_CALLBACK;
            case STREAM_LOST -> Journal.CallbackFailed.Code.STREAM_LOST;
            case NO_PARTICIPANT -> Journal.CallbackFailed.Code.NO_PARTICIPANT;
            case UNDECODABLE -> Journal.CallbackFailed.Code.UNDECODABLE;
            case FORWARD_MISSING -> Journal.CallbackFailed.Code.FORWARD_MISSING;
            case FENCE_ROW_MISSING -> Journal.CallbackFailed.Code.FENCE_ROW_MISSING;
            case BUSY -> Journal.CallbackFailed.Code.BUSY;
        };
    }

    private static Journal.Ended.Outcome outcome(Outcome outcome) {
        return switch (outcome) {
            case COMMITTED -> Journal.Ended.Outcome.COMMITTED;
            case COMPENSATED -> Journal.Ended.Outcome.COMPENSATED;
        };
    }

    private static ByteString bytes(Payload payload) {
        return UnsafeByteOperations.unsafeWrap(payload.bytes());
    }

    private static int attempt(int attempt) {
        if (attempt < 1) throw new IllegalArgumentException("attempt must be 1 or more but was " + attempt);
        return attempt;
    }

    /** Alpha's clock ticks in milliseconds; what is finer would be lost, and the replay would not be exact. */
    private static long millis(Instant instant) {
        long millis = instant.toEpochMilli();
        requireSame(instant, Instant.ofEpochMilli(millis));
        return millis;
    }

    private static long millis(Duration duration) {
        long millis = duration.toMillis();
        requireSame(duration, Duration.ofMillis(millis));
        return millis;
    }

    private static void requireSame(Object given, Object kept) {
        if (!given.equals(kept)) {
            throw new IllegalArgumentException(
                    "the journal keeps whole milliseconds: %s would come back as %s".formatted(given, kept));
        }
    }
}
