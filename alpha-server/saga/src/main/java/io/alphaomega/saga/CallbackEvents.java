package io.alphaomega.saga;

import io.alphaomega.saga.Branch.Effort;
import io.alphaomega.saga.Branch.Forward;
import io.alphaomega.saga.Branch.Progress;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** The events of a branch's callback: that it is asked for, failed, was deferred, or found nobody; and when it is tried again. */
final class CallbackEvents {
    private CallbackEvents() {}

    static SagaEvent requested(Saga saga, Branch branch, Effort effort, Instant now) {
        return new SagaEvent.CallbackRequested(
                branch.id(),
                effort.kind(),
                effort.attempt() + 1,
                branch.forward() instanceof Forward.Ended,
                now.plus(policy(saga, branch, effort.kind()).timeout()),
                effort.giveUpAt(),
                now);
    }

    /** Gives up after the last attempt, after the time limit, or where trying again cannot help. */
    static SagaEvent failed(Saga saga, BranchId id, Effort effort, FailureCode code, String error, Instant now) {
        return new SagaEvent.CallbackFailed(
                id,
                effort.kind(),
                effort.attempt(),
                code,
                Limits.shortened(error, Limits.REASON_CHARS),
                retryAt(saga, saga.branch(id).orElseThrow(), effort, code, now),
                now);
    }

    /** Whether another attempt follows for sure if this one throws, whenever it does in its time. */
    static boolean isRetried(Saga saga, Branch branch, Progress.Asked asked) {
        return retryAt(saga, branch, asked.effort(), FailureCode.THREW, asked.answerBy())
                .isPresent();
    }

    private static Optional<Instant> retryAt(
            Saga saga, Branch branch, Effort effort, FailureCode code, Instant failedAt) {
        CallbackPolicy policy = policy(saga, branch, effort.kind());
        int failures = effort.failures() + 1;
        Instant retryAt = failedAt.plus(Backoff.delay(policy, saga.id(), branch.id(), effort.attempt(), failures));
        boolean retry = code.retried() && failures < policy.attempts() && retryAt.isBefore(effort.giveUpAt());
        return retry ? Optional.of(retryAt) : Optional.empty();
    }

    /** Not counted as a failure, but the time limit runs. */
    static SagaEvent deferred(Saga saga, BranchId id, Effort effort, Instant now) {
        Branch branch = saga.branch(id).orElseThrow();
        if (Obligations.isDue(effort.giveUpAt(), now)) {
            String error = "every instance of %s was busy until the time limit".formatted(branch.service());
            if (branch.nested().isPresent()) error = Nesting.waitsFor(branch) + ", and the time limit is up";
            return failed(saga, id, effort, FailureCode.BUSY, error, now);
        }
        CallbackPolicy policy = policy(saga, branch, effort.kind());
        Duration pause = Backoff.delay(
                policy.brief(waited(policy, effort, now)), saga.id(), id, effort.attempt(), effort.attempt());
        Instant retryAt = now.plus(pause);
        return new SagaEvent.CallbackDeferred(
                id, effort.kind(), effort.attempt(), earlier(retryAt, effort.giveUpAt()), now);
    }

    /** Not counted as a failure, but the time limit runs. */
    static SagaEvent missed(Saga saga, BranchId id, Effort effort, Instant now) {
        Branch branch = saga.branch(id).orElseThrow();
        if (Obligations.isDue(effort.giveUpAt(), now)) {
            String error = "no instance of %s was connected until the time limit".formatted(branch.service());
            return failed(saga, id, effort, FailureCode.NO_PARTICIPANT, error, now);
        }
        CallbackPolicy policy = policy(saga, branch, effort.kind());
        Duration pause = Backoff.delay(
                policy.patient(waited(policy, effort, now)), saga.id(), id, effort.attempt(), effort.attempt());
        Instant retryAt = now.plus(pause);
        return new SagaEvent.ParticipantMissed(
                id, effort.kind(), effort.attempt(), earlier(retryAt, effort.giveUpAt()), now);
    }

    /** Since the callback was asked for the first time. */
    private static Duration waited(CallbackPolicy policy, Effort effort, Instant now) {
        return Duration.between(effort.giveUpAt().minus(policy.within()), now);
    }

    static CallbackPolicy policy(Saga saga, Branch branch, CallbackKind kind) {
        return branch.offer(kind)
                .flatMap(CallbackOffer::policy)
                .orElse(saga.policy().callbacks());
    }

    private static Instant earlier(Instant one, Instant other) {
        return one.isBefore(other) ? one : other;
    }
}
