package io.alphaomega.server.queries;

import io.alphaomega.repository.StoredEvent;
import io.alphaomega.saga.Branch;
import io.alphaomega.saga.Branch.Forward;
import io.alphaomega.saga.Branch.Progress;
import io.alphaomega.saga.BranchId;
import io.alphaomega.saga.CallbackKind;
import io.alphaomega.saga.FailureCode;
import io.alphaomega.saga.Operator;
import io.alphaomega.saga.Outcome;
import io.alphaomega.saga.Payload;
import io.alphaomega.saga.SagaInput;
import io.alphaomega.saga.SagaState.Known;
import io.alphaomega.saga.SagaState.Suspended;
import io.alphaomega.server.problem.Problems;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What somebody supposes to happen to a saga, as JSON.
 *
 * @param input the name of one of {@link Kind}
 * @param branch the id of the one it is about; absent if only one can be meant
 * @param service that connects; absent for the branch's
 * @param outcome how it is resolved; absent for how it was decided
 * @param error what a failure says
 * @param after how much later it happens, such as 90s or PT5M, at most ten years; absent for at once
 * @param sequence how many events of the journal have happened by then; absent for all
 */
public record WhatIfRequest(
        @Nullable String input,
        @Nullable String branch,
        @Nullable String service,
        @Nullable String outcome,
        @Nullable String error,
        @Nullable String after,
        @Nullable Long sequence) {
    private static final Operator SOMEBODY = new Operator("somebody", "what if");

    /** No saga waits for longer, and no date is out of range. */
    private static final Duration AFTER_MAX = Duration.ofDays(3650);

    /** What can be supposed. */
    public enum Kind {
        RETRY,
        SKIP,
        RESOLVE,
        ABORT,
        CALLBACK_SUCCEEDS,
        CALLBACK_FAILS,
        SERVICE_CONNECTS,
        BRANCH_ENDS,
        BRANCH_FAILS,
        COMMIT,
        TIME_PASSES
    }

    public Kind kind() {
        return Arrays.stream(Kind.values())
                .filter(known -> known.name().equals(input))
                .findFirst()
                .orElseThrow(() -> Problems.badField("input", "one of " + List.of(Kind.values())));
    }

    /** How much of the journal has happened by then. */
    List<StoredEvent> copied(List<StoredEvent> journal) {
        if (sequence == null) return journal;
        if (sequence < 1 || sequence > journal.size()) {
            throw Problems.badField("sequence", "1 to %d, the events that the saga has".formatted(journal.size()));
        }
        return journal.subList(0, sequence.intValue());
    }

    /** When it happens, counted from {@code now}. */
    Instant at(Instant now) {
        return now.plus(after == null || after.isBlank() ? Duration.ZERO : later(after.strip()));
    }

    private static Duration later(String after) {
        try {
            Duration later = Parameters.duration(after);
            if (!later.isNegative() && later.compareTo(AFTER_MAX) <= 0) return later;
        } catch (IllegalArgumentException | DateTimeException | ArithmeticException e) {
            // Refused below, like one that is too long.
        }
        throw Problems.badField("after", "a time of 0s to 3650d, such as 90s or PT5M");
    }

    SagaInput of(Known state) {
        return switch (kind()) {
            case RETRY -> new SagaInput.Retry(SOMEBODY, state.sequence());
            case SKIP ->
                new SagaInput.Skip(
                        SOMEBODY,
                        state.sequence(),
                        branch(state, stuckIn(state)).id());
            case RESOLVE -> new SagaInput.Resolve(SOMEBODY, state.sequence(), outcome(state));
            case ABORT -> new SagaInput.AbortByOperator(SOMEBODY, state.sequence());
            case CALLBACK_SUCCEEDS -> {
                Branch of = branch(state, WhatIfRequest::isCalledBack);
                yield new SagaInput.SucceedCallback(of.id(), called(state), attempt(of), answering(of));
            }
            case CALLBACK_FAILS -> {
                Branch of = branch(state, branch -> branch.progress() instanceof Progress.Asked);
                yield new SagaInput.FailCallback(
                        of.id(), called(state), attempt(of), FailureCode.THREW, said(), answering(of));
            }
            case SERVICE_CONNECTS -> new SagaInput.ConnectService(connecting(state));
            case BRANCH_ENDS -> {
                Branch of = branch(state, WhatIfRequest::isRunning);
                yield new SagaInput.EndBranch(of.id(), Payload.EMPTY, of.service());
            }
            case BRANCH_FAILS -> {
                Branch of = branch(state, WhatIfRequest::isRunning);
                yield new SagaInput.FailBranch(of.id(), said(), true, of.service());
            }
            case COMMIT -> new SagaInput.End(true);
            case TIME_PASSES -> new SagaInput.Tick();
        };
    }

    private String connecting(Known state) {
        return service == null || service.isBlank()
                ? branch(state, WhatIfRequest::isCalledBack).service()
                : service;
    }

    /** For a nested saga alpha itself. */
    private static String answering(Branch of) {
        return of.nested().isPresent() ? "" : of.service();
    }

    private String said() {
        return error == null || error.isBlank() ? "supposed" : error;
    }

    private Outcome outcome(Known state) {
        if (outcome == null || outcome.isBlank()) {
            return state.abort().isPresent() ? Outcome.COMPENSATED : Outcome.COMMITTED;
        }
        return Parameters.outcome(outcome);
    }

    private Branch branch(Known state, Predicate<Branch> fits) {
        if (branch != null && !branch.isBlank()) {
            return state.saga().branches().stream()
                    .filter(known -> known.id().value().equals(branch))
                    .findFirst()
                    .orElseThrow(() -> Problems.badField("branch", "the id of a branch that the saga has by then"));
        }
        List<Branch> fitting = state.saga().branches().stream().filter(fits).toList();
        if (fitting.size() == 1) return fitting.getFirst();
        throw Problems.badField("branch", "the id of the branch that is meant, " + meant(fitting));
    }

    private static String meant(List<Branch> fitting) {
        if (fitting.isEmpty()) return "as there is none to which this can happen now";
        return "one of "
                + fitting.stream()
                        .map(Branch::id)
                        .map(BranchId::value)
                        .limit(10)
                        .collect(Collectors.joining(", "));
    }

    private static CallbackKind called(Known state) {
        return state.abort().isPresent() ? CallbackKind.COMPENSATION : CallbackKind.CONFIRMATION;
    }

    private static Predicate<Branch> stuckIn(Known state) {
        Optional<BranchId> waitedFor = state instanceof Suspended suspended
                ? Optional.of(suspended.suspension().branch())
                : Optional.empty();
        return branch -> branch.progress() instanceof Progress.GaveUp
                || waitedFor.filter(branch.id()::equals).isPresent();
    }

    private static boolean isCalledBack(Branch branch) {
        return switch (branch.progress()) {
            case Progress.Asked asked -> true;
            case Progress.AwaitingRetry waits -> true;
            case Progress.AwaitingParticipant waits -> true;
            case Progress.GaveUp gaveUp -> false;
            case Progress.Idle idle -> false;
            case Progress.Done done -> false;
            case Progress.Skipped skipped -> false;
        };
    }

    private static boolean isRunning(Branch branch) {
        return branch.forward() instanceof Forward.Running || branch.forward() instanceof Forward.Unknown;
    }

    private static int attempt(Branch branch) {
        return switch (branch.progress()) {
            case Progress.Asked asked -> asked.effort().attempt();
            case Progress.AwaitingRetry waits -> waits.effort().attempt();
            case Progress.AwaitingParticipant waits -> waits.effort().attempt();
            case Progress.GaveUp gaveUp -> gaveUp.effort().attempt();
            case Progress.Idle idle -> idle.lastAttempt();
            case Progress.Done done -> done.attempts();
            case Progress.Skipped skipped -> 0;
        };
    }
}
