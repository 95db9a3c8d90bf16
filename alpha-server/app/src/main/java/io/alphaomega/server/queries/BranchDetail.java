package io.alphaomega.server.queries;

import io.alphaomega.saga.Branch;
import io.alphaomega.saga.Branch.Effort;
import io.alphaomega.saga.Branch.Forward;
import io.alphaomega.saga.Branch.Progress;
import io.alphaomega.saga.BranchId;
import io.alphaomega.saga.CallbackOffer;
import io.alphaomega.saga.Evidence;
import io.alphaomega.saga.SagaId;
import io.alphaomega.saga.Unable;
import io.alphaomega.server.properties.ConsoleProperties;
import java.time.Instant;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * One branch of a saga, as JSON. Payloads by their size only: they may hold secrets.
 *
 * @param id unique within the saga
 * @param parent the branch within which it began, if it did
 * @param service that runs it
 * @param instance of that service
 * @param build of that instance, as it says it; of an older omega, what its version and callbacks make
 * @param operation that it calls
 * @param compensation the logical name of the callback that undoes it, if it has one
 * @param confirmation the logical name of the callback that confirms it, if it has one
 * @param fenced whether the service guards it with the fence in its database
 * @param begunAt by alpha's clock
 * @param argumentsBytes size of what its callback is given
 * @param traceId of its call, if its service is traced
 * @param traceUrl where that trace is shown, if alpha.console.trace-url says so
 * @param nested the saga that it is, if it is one: alpha itself commits or aborts that
 * @param forward how far the business call got
 * @param callback how far the callback got
 * @param fence what the service's fence has of it, once that has said so; only while the saga is held
 */
public record BranchDetail(
        String id,
        @Nullable String parent,
        String service,
        String instance,
        @Nullable String build,
        String operation,
        @Nullable String compensation,
        @Nullable String confirmation,
        boolean fenced,
        Instant begunAt,
        int argumentsBytes,
        @Nullable String traceId,
        @Nullable String traceUrl,
        @Nullable String nested,
        ForwardDetail forward,
        CallbackDetail callback,
        @Nullable FenceDetail fence) {
    /** As the W3C's Trace Context has it: version, trace, span, flags, and what a later version may add. */
    private static final Pattern TRACEPARENT =
            Pattern.compile("[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-[0-9a-f]{16}-[0-9a-f]{2}(-.*)?");

    /**
     * How far the business call got.
     *
     * @param state RUNNING, UNKNOWN, ENDED or FAILED
     * @param deadline when a call that has not reported its end is overdue
     * @param at when it ended or failed
     * @param resultBytes size of what it returned
     * @param error what the service said of its failure
     */
    public record ForwardDetail(
            String state,
            @Nullable Instant deadline,
            @Nullable Instant at,
            @Nullable Integer resultBytes,
            @Nullable String error) {}

    /**
     * How far the callback got.
     *
     * @param state IDLE, ASKED, AWAITING_RETRY, AWAITING_PARTICIPANT, GAVE_UP, DONE or SKIPPED
     * @param kind COMPENSATION or CONFIRMATION, once one was asked
     * @param attempts requests so far
     * @param failures of them, those that failed
     * @param losses of them, those whose stream broke
     * @param lastError of the last failed attempt, or of the last build of the service that cannot run it
     * @param answerBy when the request under way counts as failed
     * @param retryAt when it is asked again, at the latest
     * @param giveUpAt when alpha stops trying
     * @param operator who skipped it
     */
    public record CallbackDetail(
            String state,
            @Nullable String kind,
            int attempts,
            int failures,
            int losses,
            @Nullable String lastError,
            @Nullable Instant answerBy,
            @Nullable Instant retryAt,
            @Nullable Instant giveUpAt,
            @Nullable String operator) {}

    /**
     * What a fence has of a branch.
     *
     * @param finding NO_ROW, RAN, NEVER_RAN, UNDONE, CONFIRMED or UNKNOWN
     * @param at when that was written, by the service's clock
     * @param text why it cannot be told
     */
    public record FenceDetail(
            String finding, @Nullable Instant at, @Nullable String text) {
        static FenceDetail of(Evidence evidence) {
            return new FenceDetail(
                    evidence.finding().name(),
                    evidence.at().orElse(null),
                    evidence.text().isEmpty() ? null : evidence.text());
        }
    }

    /** @param evidence of its fence, if that was asked */
    static BranchDetail of(Branch branch, @Nullable Evidence evidence) {
        return new BranchDetail(
                branch.id().value(),
                branch.parent().map(BranchId::value).orElse(null),
                branch.service(),
                branch.instance(),
                branch.build().isEmpty() ? null : branch.build(),
                branch.operation(),
                branch.compensation().map(CallbackOffer::name).orElse(null),
                branch.confirmation().map(CallbackOffer::name).orElse(null),
                branch.fenced(),
                branch.begunAt(),
                branch.arguments().size(),
                traceId(branch.traceparent()),
                null,
                branch.nested().map(SagaId::value).orElse(null),
                forward(branch.forward()),
                callback(branch.progress()),
                evidence == null ? null : FenceDetail.of(evidence));
    }

    /** With the addresses that {@code links} knows. */
    BranchDetail linked(ConsoleProperties links) {
        if (traceId == null) return this;
        return new BranchDetail(
                id,
                parent,
                service,
                instance,
                build,
                operation,
                compensation,
                confirmation,
                fenced,
                begunAt,
                argumentsBytes,
                traceId,
                links.trace(traceId).orElse(null),
                nested,
                forward,
                callback,
                fence);
    }

    private static @Nullable String traceId(String traceparent) {
        Matcher parts = TRACEPARENT.matcher(traceparent);
        return parts.matches() ? parts.group(1) : null;
    }

    private static ForwardDetail forward(Forward forward) {
        return switch (forward) {
            case Forward.Running running -> new ForwardDetail("RUNNING", running.deadline(), null, null, null);
            case Forward.Unknown unknown ->
                new ForwardDetail("UNKNOWN", unknown.deadline(), null, null, unknown.cause());
            case Forward.Ended ended ->
                new ForwardDetail("ENDED", null, ended.at(), ended.result().size(), null);
            case Forward.Failed failed -> new ForwardDetail("FAILED", null, failed.at(), null, failed.cause());
        };
    }

    private static CallbackDetail callback(Progress progress) {
        return switch (progress) {
            case Progress.Idle idle ->
                new CallbackDetail("IDLE", null, idle.lastAttempt(), 0, 0, null, null, null, null, null);
            case Progress.Asked asked ->
                effort("ASKED", asked.effort(), unable(asked.effort()), asked.answerBy(), null);
            case Progress.AwaitingRetry retry ->
                effort("AWAITING_RETRY", retry.effort(), retry.lastError(), null, retry.retryAt());
            case Progress.AwaitingParticipant absent ->
                effort(
                        "AWAITING_PARTICIPANT",
                        absent.effort(),
                        "no instance of the service is connected",
                        null,
                        absent.retryAt());
            case Progress.GaveUp gaveUp ->
                effort("GAVE_UP", gaveUp.effort(), gaveUp.code() + ": " + gaveUp.lastError(), null, null);
            case Progress.Done done ->
                new CallbackDetail("DONE", done.kind().name(), done.attempts(), 0, 0, null, null, null, null, null);
            case Progress.Skipped skipped ->
                new CallbackDetail(
                        "SKIPPED",
                        null,
                        0,
                        0,
                        0,
                        null,
                        null,
                        null,
                        null,
                        skipped.operator().who());
        };
    }

    /** Why it was asked of another build. */
    private static @Nullable String unable(Effort effort) {
        if (effort.unable().isEmpty()) return null;
        Unable last = effort.unable().getLast();
        return "build %s cannot: %s".formatted(last.build(), last.error());
    }

    private static CallbackDetail effort(
            String state,
            Effort effort,
            @Nullable String lastError,
            @Nullable Instant answerBy,
            @Nullable Instant retryAt) {
        return new CallbackDetail(
                state,
                effort.kind().name(),
                effort.attempt(),
                effort.failures(),
                effort.losses(),
                lastError,
                answerBy,
                retryAt,
                effort.giveUpAt(),
                null);
    }
}
