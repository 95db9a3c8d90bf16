package io.alphaomega.server.journal;

import io.alphaomega.saga.Abort;
import io.alphaomega.saga.BranchCall;
import io.alphaomega.saga.BranchId;
import io.alphaomega.saga.CallbackKind;
import io.alphaomega.saga.CallbackOffer;
import io.alphaomega.saga.CallbackPolicy;
import io.alphaomega.saga.Evidence;
import io.alphaomega.saga.FailureCode;
import io.alphaomega.saga.Initiator;
import io.alphaomega.saga.Operator;
import io.alphaomega.saga.Outcome;
import io.alphaomega.saga.Parent;
import io.alphaomega.saga.Payload;
import io.alphaomega.saga.Policy;
import io.alphaomega.saga.SagaEvent;
import io.alphaomega.saga.SagaId;
import io.alphaomega.saga.Suspension;
import io.alphaomega.saga.Unable;
import io.alphaomega.server.journal.v1.Journal;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** The journal's messages to events; an {@link IllegalArgumentException} says what a message lacks. */
final class Decoding {
    private Decoding() {}

    static SagaEvent of(Journal.Begun begun) {
        require(begun.hasInitiator(), "initiator");
        require(begun.hasPolicy(), "policy");
        return new SagaEvent.Begun(
                initiator(begun.getInitiator()),
                policy(begun.getPolicy()),
                begun.getProvisional(),
                at(begun.hasAtMillis(), begun.getAtMillis()));
    }

    static SagaEvent of(Journal.BeginCaughtUp caughtUp) {
        require(caughtUp.hasInitiator(), "initiator");
        require(caughtUp.hasPolicy(), "policy");
        return new SagaEvent.BeginCaughtUp(
                initiator(caughtUp.getInitiator()),
                policy(caughtUp.getPolicy()),
                at(caughtUp.hasAtMillis(), caughtUp.getAtMillis()));
    }

    static SagaEvent of(Journal.BranchBegan began) {
        return new SagaEvent.BranchBegan(
                new BranchCall(
                        new BranchId(began.getBranch()),
                        optionalBranch(began.getParent()),
                        began.getService(),
                        began.getInstance(),
                        began.getBuild(),
                        began.getOperation(),
                        began.hasCompensation() ? Optional.of(offer(began.getCompensation())) : Optional.empty(),
                        began.hasConfirmation() ? Optional.of(offer(began.getConfirmation())) : Optional.empty(),
                        began.getFenced(),
                        began.getFence(),
                        began.getEndTravels(),
                        new Payload(began.getArguments().toByteArray()),
                        began.getTraceparent(),
                        began.getNested().isEmpty() ? Optional.empty() : Optional.of(new SagaId(began.getNested()))),
                instant("deadline_millis", began.hasDeadlineMillis(), began.getDeadlineMillis()),
                at(began.hasAtMillis(), began.getAtMillis()));
    }

    static SagaEvent of(Journal.BranchEnded ended) {
        return new SagaEvent.BranchEnded(
                new BranchId(ended.getBranch()),
                new Payload(ended.getResult().toByteArray()),
                at(ended.hasAtMillis(), ended.getAtMillis()));
    }

    static SagaEvent of(Journal.BranchFailed failed) {
        return new SagaEvent.BranchFailed(
                new BranchId(failed.getBranch()),
                failed.getCause(),
                failed.getRolledBack(),
                at(failed.hasAtMillis(), failed.getAtMillis()));
    }

    static SagaEvent of(Journal.CommitRequested requested) {
        return new SagaEvent.CommitRequested(at(requested.hasAtMillis(), requested.getAtMillis()));
    }

    static SagaEvent of(Journal.Prepared prepared) {
        return new SagaEvent.Prepared(at(prepared.hasAtMillis(), prepared.getAtMillis()));
    }

    static SagaEvent of(Journal.Committed committed) {
        return new SagaEvent.Committed(at(committed.hasAtMillis(), committed.getAtMillis()));
    }

    static SagaEvent of(Journal.Aborted aborted) {
        Abort.Cause cause =
                switch (aborted.getCause()) {
                    case BRANCH_FAILED -> Abort.Cause.BRANCH_FAILED;
                    case BRANCH_TIMED_OUT -> Abort.Cause.BRANCH_TIMED_OUT;
                    case SAGA_TIMED_OUT -> Abort.Cause.SAGA_TIMED_OUT;
                    case INITIATOR -> Abort.Cause.INITIATOR;
                    case OPERATOR -> Abort.Cause.OPERATOR;
                    case PARENT -> Abort.Cause.PARENT;
                    case CAUSE_UNSPECIFIED, UNRECOGNIZED -> throw unknown("cause", aborted.getCauseValue());
                };
        return new SagaEvent.Aborted(new Abort(
                cause,
                optionalBranch(aborted.getBranch()),
                aborted.getText(),
                at(aborted.hasAtMillis(), aborted.getAtMillis())));
    }

    static SagaEvent of(Journal.CallbackRequested requested) {
        return new SagaEvent.CallbackRequested(
                new BranchId(requested.getBranch()),
                kind(requested.getKind(), requested.getKindValue()),
                attempt(requested.getAttempt()),
                requested.getForwardEnded(),
                instant("answer_by_millis", requested.hasAnswerByMillis(), requested.getAnswerByMillis()),
                instant("give_up_at_millis", requested.hasGiveUpAtMillis(), requested.getGiveUpAtMillis()),
                at(requested.hasAtMillis(), requested.getAtMillis()));
    }

    static SagaEvent of(Journal.CallbackSucceeded succeeded) {
        return new SagaEvent.CallbackSucceeded(
                new BranchId(succeeded.getBranch()),
                kind(succeeded.getKind(), succeeded.getKindValue()),
                attempt(succeeded.getAttempt()),
                at(succeeded.hasAtMillis(), succeeded.getAtMillis()));
    }

    static SagaEvent of(Journal.CallbackFailed failed) {
        return new SagaEvent.CallbackFailed(
                new BranchId(failed.getBranch()),
                kind(failed.getKind(), failed.getKindValue()),
                attempt(failed.getAttempt()),
                code(failed.getCode(), failed.getCodeValue()),
                failed.getError(),
                failed.hasRetryAtMillis()
                        ? Optional.of(Instant.ofEpochMilli(failed.getRetryAtMillis()))
                        : Optional.empty(),
                at(failed.hasAtMillis(), failed.getAtMillis()));
    }

    static SagaEvent of(Journal.CallbackLost lost) {
        return new SagaEvent.CallbackLost(
                new BranchId(lost.getBranch()),
                kind(lost.getKind(), lost.getKindValue()),
                attempt(lost.getAttempt()),
                at(lost.hasAtMillis(), lost.getAtMillis()));
    }

    static SagaEvent of(Journal.CallbackDeferred deferred) {
        return new SagaEvent.CallbackDeferred(
                new BranchId(deferred.getBranch()),
                kind(deferred.getKind(), deferred.getKindValue()),
                attempt(deferred.getAttempt()),
                instant("retry_at_millis", deferred.hasRetryAtMillis(), deferred.getRetryAtMillis()),
                deferred.hasUnable() ? Optional.of(unable(deferred.getUnable())) : Optional.empty(),
                at(deferred.hasAtMillis(), deferred.getAtMillis()));
    }

    private static Unable unable(Journal.CallbackDeferred.Unable unable) {
        return new Unable(unable.getBuild(), code(unable.getCode(), unable.getCodeValue()), unable.getError());
    }

    static SagaEvent of(Journal.ParticipantMissed missed) {
        return new SagaEvent.ParticipantMissed(
                new BranchId(missed.getBranch()),
                kind(missed.getKind(), missed.getKindValue()),
                attempt(missed.getAttempt()),
                instant("retry_at_millis", missed.hasRetryAtMillis(), missed.getRetryAtMillis()),
                at(missed.hasAtMillis(), missed.getAtMillis()));
    }

    static SagaEvent of(Journal.Suspended suspended) {
        Suspension.Reason reason =
                switch (suspended.getReason()) {
                    case COMPENSATION_FAILED -> Suspension.Reason.COMPENSATION_FAILED;
                    case CONFIRMATION_FAILED -> Suspension.Reason.CONFIRMATION_FAILED;
                    case BRANCH_END_UNKNOWN -> Suspension.Reason.BRANCH_END_UNKNOWN;
                    case UNDECODABLE -> Suspension.Reason.UNDECODABLE;
                    case FORWARD_MISSING -> Suspension.Reason.FORWARD_MISSING;
                    case FENCE_ROW_MISSING -> Suspension.Reason.FENCE_ROW_MISSING;
                    case NO_PARTICIPANT -> Suspension.Reason.NO_PARTICIPANT;
                    case REASON_UNSPECIFIED, UNRECOGNIZED -> throw unknown("reason", suspended.getReasonValue());
                };
        return new SagaEvent.Suspended(new Suspension(
                reason,
                new BranchId(suspended.getBranch()),
                suspended.getService(),
                suspended.getAttempts(),
                suspended.getLastError(),
                at(suspended.hasAtMillis(), suspended.getAtMillis())));
    }

    static SagaEvent of(Journal.Resumed resumed) {
        return new SagaEvent.Resumed(
                resumed.hasOperator() ? Optional.of(operator(resumed.getOperator())) : Optional.empty(),
                at(resumed.hasAtMillis(), resumed.getAtMillis()));
    }

    static SagaEvent of(Journal.Held held) {
        return new SagaEvent.Held(
                at(held.hasRestorationMillis(), held.getRestorationMillis()),
                at(held.hasBegunBeforeMillis(), held.getBegunBeforeMillis()),
                held.getWhy(),
                at(held.hasAtMillis(), held.getAtMillis()));
    }

    static SagaEvent of(Journal.FenceAnswered answered) {
        Evidence evidence = new Evidence(
                switch (answered.getFinding()) {
                    case NO_ROW -> Evidence.Finding.NO_ROW;
                    case RAN -> Evidence.Finding.RAN;
                    case NEVER_RAN -> Evidence.Finding.NEVER_RAN;
                    case UNDONE -> Evidence.Finding.UNDONE;
                    case CONFIRMED -> Evidence.Finding.CONFIRMED;
                    case UNKNOWN -> Evidence.Finding.UNKNOWN;
                    case FINDING_UNSPECIFIED, UNRECOGNIZED ->
                        throw new IllegalArgumentException(
                                "this version does not know the finding " + answered.getFindingValue());
                },
                answered.hasFoundMillis()
                        ? Optional.of(Instant.ofEpochMilli(answered.getFoundMillis()))
                        : Optional.empty(),
                answered.getText());
        return new SagaEvent.FenceAnswered(
                new BranchId(answered.getBranch()), evidence, at(answered.hasAtMillis(), answered.getAtMillis()));
    }

    static SagaEvent of(Journal.BranchSkipped skipped) {
        require(skipped.hasOperator(), "operator");
        return new SagaEvent.BranchSkipped(
                new BranchId(skipped.getBranch()),
                operator(skipped.getOperator()),
                at(skipped.hasAtMillis(), skipped.getAtMillis()));
    }

    static SagaEvent of(Journal.Ended ended) {
        Outcome outcome =
                switch (ended.getOutcome()) {
                    case COMMITTED -> Outcome.COMMITTED;
                    case COMPENSATED -> Outcome.COMPENSATED;
                    case OUTCOME_UNSPECIFIED, UNRECOGNIZED -> throw unknown("outcome", ended.getOutcomeValue());
                };
        return new SagaEvent.Ended(
                outcome,
                ended.hasOperator() ? Optional.of(operator(ended.getOperator())) : Optional.empty(),
                at(ended.hasAtMillis(), ended.getAtMillis()));
    }

    // ---- what several events share

    private static Initiator initiator(Journal.Initiator initiator) {
        Map<String, String> attributes = new HashMap<>();
        for (Journal.Initiator.Attribute attribute : initiator.getAttributesList()) {
            attributes.put(attribute.getName(), attribute.getValue());
        }
        return new Initiator(
                initiator.getService(),
                initiator.getInstance(),
                initiator.getOperation(),
                initiator.getBusinessKey(),
                attributes,
                initiator.getStart(),
                initiator.getParentSaga().isEmpty()
                        ? Optional.empty()
                        : Optional.of(new Parent(
                                new SagaId(initiator.getParentSaga()), new BranchId(initiator.getParentBranch()))));
    }

    private static Policy policy(Journal.Policy policy) {
        Policy.Order order =
                switch (policy.getOrder()) {
                    case SEQUENTIAL -> Policy.Order.SEQUENTIAL;
                    case PARALLEL -> Policy.Order.PARALLEL;
                    case ORDER_UNSPECIFIED, UNRECOGNIZED -> throw unknown("order", policy.getOrderValue());
                };
        return new Policy(
                Duration.ofMillis(policy.getTimeoutMillis()),
                Duration.ofMillis(policy.getBranchTimeoutMillis()),
                order,
                policy(policy.getCallbacks()));
    }

    private static CallbackPolicy policy(Journal.CallbackPolicy policy) {
        return new CallbackPolicy(
                policy.getAttempts(),
                Duration.ofMillis(policy.getWithinMillis()),
                Duration.ofMillis(policy.getFirstDelayMillis()),
                Duration.ofMillis(policy.getMaxDelayMillis()),
                Duration.ofMillis(policy.getTimeoutMillis()));
    }

    private static CallbackOffer offer(Journal.CallbackOffer offer) {
        return new CallbackOffer(
                offer.getName(), offer.hasPolicy() ? Optional.of(policy(offer.getPolicy())) : Optional.empty());
    }

    private static Operator operator(Journal.Operator operator) {
        return new Operator(operator.getWho(), operator.getWhy());
    }

    private static Optional<BranchId> optionalBranch(String id) {
        return id.isEmpty() ? Optional.empty() : Optional.of(new BranchId(id));
    }

    private static CallbackKind kind(Journal.CallbackKind kind, int number) {
        return switch (kind) {
            case COMPENSATION -> CallbackKind.COMPENSATION;
            case CONFIRMATION -> CallbackKind.CONFIRMATION;
            case CALLBACK_KIND_UNSPECIFIED, UNRECOGNIZED -> throw unknown("kind", number);
        };
    }

    private static FailureCode code(Journal.CallbackFailed.Code code, int number) {
        return switch (code) {
            case THREW -> FailureCode.THREW;
            case NO_ANSWER -> FailureCode.NO_ANSWER;
            case UNKNOWN_CALLBACK -> FailureCode.UNKNOWN_CALLBACK;
            case STREAM_LOST -> FailureCode.STREAM_LOST;
            case NO_PARTICIPANT -> FailureCode.NO_PARTICIPANT;
            case UNDECODABLE -> FailureCode.UNDECODABLE;
            case FORWARD_MISSING -> FailureCode.FORWARD_MISSING;
            case FENCE_ROW_MISSING -> FailureCode.FENCE_ROW_MISSING;
            case BUSY -> FailureCode.BUSY;
            case CODE_UNSPECIFIED, UNRECOGNIZED -> throw unknown("code", number);
        };
    }

    private static int attempt(int attempt) {
        if (attempt < 1) throw new IllegalArgumentException("attempt must be 1 or more but was " + attempt);
        return attempt;
    }

    private static Instant at(boolean present, long millis) {
        return instant("at_millis", present, millis);
    }

    private static Instant instant(String field, boolean present, long millis) {
        require(present, field);
        return Instant.ofEpochMilli(millis);
    }

    private static void require(boolean present, String field) {
        if (!present) throw new IllegalArgumentException("it has no " + field);
    }

    private static IllegalArgumentException unknown(String field, int number) {
        return new IllegalArgumentException(
                number == 0 ? "it has no " + field : "this version does not know %s %d".formatted(field, number));
    }
}
