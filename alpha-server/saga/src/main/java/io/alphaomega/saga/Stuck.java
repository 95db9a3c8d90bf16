package io.alphaomega.saga;

import io.alphaomega.saga.Branch.Effort;
import io.alphaomega.saga.Branch.Progress;
import io.alphaomega.saga.SagaState.Absent;
import io.alphaomega.saga.SagaState.Active;
import io.alphaomega.saga.SagaState.Compensating;
import io.alphaomega.saga.SagaState.Confirming;
import io.alphaomega.saga.SagaState.Ended;
import io.alphaomega.saga.SagaState.Known;
import io.alphaomega.saga.SagaState.Purged;
import io.alphaomega.saga.SagaState.Suspended;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Why an open saga does not come to its end: what an operator looks at first. What can be said follows from the saga's
 * state, and when it begins to hold is a part of it; so a saga that does not change needs to be looked at once only.
 *
 * @param detail more about the reason: of a suspended saga the {@link Suspension.Reason}, or {@link #RESTORED} of one that is
 *     held; otherwise empty
 * @param service whose people must act; the initiator's if it is nobody's in particular
 * @param branch the branch that holds the saga up, if it is one
 * @param callback the logical name of the callback that is missing or fails, if it is one
 * @param since when the trouble began, as far as the journal tells
 * @param from when the saga counts as stuck unless its state has changed by then
 */
public record Stuck(
        Reason reason,
        String detail,
        String service,
        Optional<BranchId> branch,
        Optional<String> callback,
        Instant since,
        Instant from) {

    /** What may hold a saga up; of several that hold, the first tells most. */
    public enum Reason {
        /** Alpha has given up, or cannot know, and waits for a person. */
        SUSPENDED,
        /** For over {@link Stuck#WAITING} no instance of a service that must be called back is connected. */
        NO_PARTICIPANT,
        /** A callback has failed {@value Stuck#FAILURES} times or more, and is tried again. */
        FAILING,
        /** Nobody has looked at it {@link Stuck#LATE} after its time had come. */
        OVERDUE
    }

    /** Why a saga waits for a person that was open when the store was set back to an earlier time. */
    public static final String RESTORED = "RESTORED";

    /** Services restart, and are back within a minute. */
    public static final Duration WAITING = Duration.ofMinutes(1);

    /** Two failures are a deployment, or a deadlock. */
    public static final int FAILURES = 3;

    /** A saga in memory looks at itself when its time has come; the others are looked for every few seconds. */
    public static final Duration LATE = Duration.ofSeconds(10);

    /** What holds the saga up or will, if its state does not change: at most one for each reason, in their order. */
    public static List<Stuck> of(SagaState state) {
        return switch (state) {
            case Absent absent -> List.of();
            case Purged purged -> List.of();
            case Ended ended -> List.of();
            case SagaState.Prepared prepared -> List.of(); // Whatever holds its parent up is told of that one.
            case Active active -> overdue(active).stream().toList();
            case Confirming confirming -> of(confirming);
            case Compensating compensating -> of(compensating);
            case Suspended suspended -> List.of(suspended(suspended));
            case SagaState.Held held -> List.of(held(held));
        };
    }

    /** Which of them holds at that time and tells most. */
    public static Optional<Stuck> at(Instant now, List<Stuck> all) {
        return all.stream().filter(stuck -> !now.isBefore(stuck.from())).findFirst();
    }

    private static List<Stuck> of(Known decided) {
        Map<Reason, Stuck> earliest = new EnumMap<>(Reason.class);
        for (Branch branch : decided.saga().branches().moving()) {
            effort(branch.progress())
                    .filter(spent -> spent.failures() >= FAILURES)
                    .ifPresent(spent -> {
                        Instant since = spent.failsSince().orElse(decided.saga().begunAt());
                        Stuck failing = callback(Reason.FAILING, branch, spent, since, since);
                        earliest.merge(failing.reason(), failing, Stuck::earlier);
                    });
            if (branch.progress() instanceof Progress.AwaitingParticipant awaiting) {
                Effort spent = awaiting.effort();
                spent.missedSince().ifPresent(since -> {
                    Stuck missed = callback(Reason.NO_PARTICIPANT, branch, spent, since, since.plus(WAITING));
                    earliest.merge(missed.reason(), missed, Stuck::earlier);
                });
            }
        }
        overdue(decided).ifPresent(late -> earliest.put(late.reason(), late));
        return List.copyOf(earliest.values());
    }

    private static Stuck earlier(Stuck one, Stuck other) {
        return other.from().isBefore(one.from()) ? other : one;
    }

    private static Stuck suspended(Suspended saga) {
        Suspension why = saga.suspension();
        CallbackKind kind = saga.abort().isPresent() ? CallbackKind.COMPENSATION : CallbackKind.CONFIRMATION;
        return new Stuck(
                Reason.SUSPENDED,
                why.reason().name(),
                why.service(),
                Optional.of(why.branch()),
                saga.saga()
                        .branch(why.branch())
                        .flatMap(branch -> branch.offer(kind))
                        .map(CallbackOffer::name),
                why.at(),
                why.at());
    }

    private static Stuck held(SagaState.Held saga) {
        String service = saga.saga().initiator().service();
        return new Stuck(Reason.SUSPENDED, RESTORED, service, Optional.empty(), Optional.empty(), saga.at(), saga.at());
    }

    private static Optional<Stuck> overdue(Known state) {
        String service = state.saga().initiator().service();
        return SagaRules.wakeUpAt(state)
                .map(due -> new Stuck(
                        Reason.OVERDUE, "", service, Optional.empty(), Optional.empty(), due, due.plus(LATE)));
    }

    private static Optional<Effort> effort(Progress progress) {
        return switch (progress) {
            case Progress.Idle idle -> Optional.empty();
            case Progress.Asked asked -> Optional.of(asked.effort());
            case Progress.AwaitingRetry awaiting -> Optional.of(awaiting.effort());
            case Progress.AwaitingParticipant awaiting -> Optional.of(awaiting.effort());
            case Progress.GaveUp gaveUp -> Optional.of(gaveUp.effort());
            case Progress.Done done -> Optional.empty();
            case Progress.Skipped skipped -> Optional.empty();
        };
    }

    private static Stuck callback(Reason reason, Branch branch, Effort effort, Instant since, Instant from) {
        return new Stuck(
                reason,
                "",
                branch.service(),
                Optional.of(branch.id()),
                branch.offer(effort.kind()).map(CallbackOffer::name),
                since,
                from);
    }
}
