package io.alphaomega.saga;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * One sub-transaction of a saga: one annotated call in one service, how far it got, and how far its callback got.
 *
 * @param begunAs the sequence of the event that said that it began
 */
public record Branch(BranchCall call, Instant begunAt, long begunAs, Forward forward, Progress progress)
        implements OfBranchCall {

    /** How far the business call got. */
    public sealed interface Forward {
        /** It runs, or its instance died, or its report is lost: overdue after {@code deadline}. */
        record Running(Instant deadline) implements Forward {}

        /** It threw, and nobody knows whether its local work was committed: treated like a running call. */
        record Unknown(Instant deadline, String cause) implements Forward {}

        /** It committed. {@code order} is the sequence of the event that said so: larger is later. */
        record Ended(Payload result, long order, Instant at) implements Forward {}

        /** It threw and left nothing behind. */
        record Failed(String cause, Instant at) implements Forward {}
    }

    /** How far the branch's callback got. */
    public sealed interface Progress {
        /** Nobody has been asked, or an operator wants it asked afresh. {@code lastAttempt} is 0 at first. */
        record Idle(int lastAttempt) implements Progress {}

        record Asked(Effort effort, boolean forwardEnded, Instant answerBy) implements Progress {}

        record AwaitingRetry(Effort effort, Instant retryAt, String lastError) implements Progress {}

        /** No instance of the service is connected. */
        record AwaitingParticipant(Effort effort, Instant retryAt) implements Progress {}

        record GaveUp(Effort effort, FailureCode code, String lastError) implements Progress {}

        record Done(CallbackKind kind, int attempts) implements Progress {}

        record Skipped(Operator operator) implements Progress {}
    }

    /**
     * What a callback has cost so far.
     *
     * @param attempt the number of the last request
     * @param failures requests that failed
     * @param losses requests whose stream broke
     * @param missedSince since when no instance of the service is connected; empty if one was at the last request
     * @param giveUpAt when its time limit passes
     * @param failsSince when the first of them failed; empty if none has
     * @param unable builds of the service that have said that they cannot, each once
     * @param lacksBuild whether its last failure is that none of those which are connected could
     */
    public record Effort(
            CallbackKind kind,
            int attempt,
            int failures,
            int losses,
            Optional<Instant> missedSince,
            Instant giveUpAt,
            Optional<Instant> failsSince,
            List<Unable> unable,
            boolean lacksBuild) {
        static Effort none(CallbackKind kind, int lastAttempt, Instant giveUpAt) {
            return new Effort(kind, lastAttempt, 0, 0, Optional.empty(), giveUpAt, Optional.empty(), List.of(), false);
        }

        /** After a failure that counts, every build is asked afresh: its instances may differ in more than their build. */
        Effort again(int nextAttempt) {
            List<Unable> still = lacksBuild ? List.of() : unable;
            return new Effort(kind, nextAttempt, failures, losses, missedSince, giveUpAt, failsSince, still, false);
        }

        /** Begins afresh with a build that was not there before. */
        Effort resumed(Instant nextGiveUpAt) {
            return new Effort(kind, attempt, 0, 0, Optional.empty(), nextGiveUpAt, Optional.empty(), unable, false);
        }

        /** For lack of a build that can, if {@code code} is what one has said. */
        Effort failed(Instant at, FailureCode code) {
            Optional<Instant> first = failsSince.or(() -> Optional.of(at));
            boolean lacks = unable.stream().anyMatch(each -> each.code() == code);
            List<Unable> lacking = lacks ? unable : List.of();
            return new Effort(kind, attempt, failures + 1, losses, Optional.empty(), giveUpAt, first, lacking, lacks);
        }

        Effort refused(Unable by) {
            List<Unable> more = Stream.concat(unable.stream(), Stream.of(by)).toList();
            return new Effort(kind, attempt, failures, losses, Optional.empty(), giveUpAt, failsSince, more, false);
        }

        Effort lost() {
            return new Effort(
                    kind, attempt, failures, losses + 1, Optional.empty(), giveUpAt, failsSince, unable, false);
        }

        Effort deferred() {
            return new Effort(kind, attempt, failures, losses, Optional.empty(), giveUpAt, failsSince, unable, false);
        }

        Effort missed(Instant at) {
            Optional<Instant> first = missedSince.or(() -> Optional.of(at));
            return new Effort(kind, attempt, failures, losses, first, giveUpAt, failsSince, unable, false);
        }

        boolean isUnable(String build) {
            for (Unable each : unable) {
                if (each.build().equals(build)) return true;
            }
            return false;
        }

        Set<String> unableBuilds() {
            return unable.stream().map(Unable::build).collect(Collectors.toUnmodifiableSet());
        }
    }

    public BranchId id() {
        return call.id();
    }

    /** The callback that {@code kind} names, if the branch offers one. */
    public Optional<CallbackOffer> offer(CallbackKind kind) {
        return switch (kind) {
            case COMPENSATION -> call.compensation();
            case CONFIRMATION -> call.confirmation();
        };
    }

    boolean isRepeatedBy(SagaInput.BeginBranch begin) {
        return call.isRepeatedBy(begin.call());
    }

    /** Whether nobody knows yet if the business call took effect. */
    public boolean isOpen() {
        return forward instanceof Forward.Running || forward instanceof Forward.Unknown;
    }

    /** Whether a report of its end says something new. */
    boolean isNewsThatItEnded() {
        return isOpen() || forward instanceof Forward.Failed;
    }

    /**
     * Whether nobody will say any more, or need not, if the business call took effect: it is overdue, or its end may have
     * been lost on its way through its callers.
     */
    boolean isSilent(Instant now) {
        return switch (forward) {
            case Forward.Running running -> endTravels() || !now.isBefore(running.deadline());
            case Forward.Unknown unknown -> endTravels() || !now.isBefore(unknown.deadline());
            case Forward.Ended ended -> false;
            case Forward.Failed failed -> false;
        };
    }

    /** Whether nothing comes of it by itself: the call ended and nobody is asked about it, or its callback is over. */
    boolean isAtRest() {
        return switch (progress) {
            case Progress.Idle idle -> forward instanceof Forward.Ended;
            case Progress.Asked asked -> false;
            case Progress.AwaitingRetry awaiting -> false;
            case Progress.AwaitingParticipant awaiting -> false;
            case Progress.GaveUp gaveUp -> false;
            case Progress.Done done -> true;
            case Progress.Skipped skipped -> true;
        };
    }

    Branch with(Forward next) {
        return new Branch(call, begunAt, begunAs, next, progress);
    }

    Branch with(Progress next) {
        return new Branch(call, begunAt, begunAs, forward, next);
    }
}
