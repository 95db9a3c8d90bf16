package io.alphaomega.omega.spring.execution;

import io.alphaomega.omega.SagaException;
import io.alphaomega.omega.context.SagaContext;
import io.alphaomega.omega.spring.definition.BranchDefinition;
import io.alphaomega.omega.spring.fencing.Attempt;
import io.alphaomega.omega.spring.fencing.CommittedException;
import io.alphaomega.omega.spring.fencing.FencedExecution;
import io.alphaomega.omega.spring.observe.Observations;
import io.alphaomega.omega.spring.payload.Payloads;
import io.alphaomega.omega.spring.reporting.BranchReports;
import io.alphaomega.omega.spring.reporting.EventLoops;
import io.alphaomega.omega.spring.reporting.Outcomes;
import io.alphaomega.omega.spring.reporting.SagaReports;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Makes what runs in a saga a branch of it, whether an annotation or a template says so: asks alpha, tries, and tells it
 * the end of the local transaction; if the transaction is the caller's, when that has ended.
 */
public final class BranchRunner {
    private final Supplier<Participation> participation;

    /** What a participant needs: looked up at the first call, when everything is there. */
    public record Participation(
            BranchReports reports,
            SagaReports sagas,
            Payloads payloads,
            CallbackInterceptors interceptors,
            FencedExecution localWork,
            RemoteFailures remoteFailures,
            Observations observations) {}

    /** What runs in a branch: its local transaction, with {@link FencedExecution#run} of the attempt in it. */
    public interface Body {
        @Nullable
        Object run(Attempt attempt) throws Throwable;
    }

    public BranchRunner(Supplier<Participation> participation) {
        this.participation = participation;
    }

    public Participation participation() {
        return participation.get();
    }

    /**
     * Runs the body, perhaps several times, as one branch.
     *
     * @param arguments what the compensation is called with, as far as it takes any
     */
    public @Nullable Object run(
            SagaContext caller, BranchDefinition definition, @Nullable Object[] arguments, Body body) throws Throwable {
        requireFreshTransactions(definition, TransactionSynchronizationManager.isActualTransactionActive());
        EventLoops.refuseWaiting(definition.operation());
        Participation with = participation.get();
        String branch = caller.nextBranch(definition.operation());
        byte[] kept = with.payloads()
                .envelope(definition, arguments, with.interceptors().capture());
        String fence = with.localWork().fenceOf(definition);
        long giveUpAt = definition.forwardTimeout().isZero()
                ? Long.MAX_VALUE
                : System.nanoTime() + definition.forwardTimeout().toNanos();
        try (Observations.Observed observed =
                with.observations().branch(definition.operation(), caller.saga(), branch)) {
            boolean endTravels;
            try {
                endTravels = begin(caller, branch, definition, fence, kept, with);
            } catch (RuntimeException notBegun) {
                return again(notBegun, branch, definition, with, observed);
            }
            SagaContext.Scope scope = caller.within(branch).open();
            try {
                return tryAndTryAgain(
                        body,
                        caller,
                        with,
                        () -> new Attempt(caller, branch, definition, fence, endTravels, observed),
                        giveUpAt);
            } catch (Throwable thrown) {
                observed.threw(thrown);
                throw thrown;
            } finally {
                scope.close();
            }
        }
    }

    /** Asks alpha, and hands it the span that is observed: the callback's link leads there. */
    private static boolean begin(
            SagaContext caller,
            String branch,
            BranchDefinition definition,
            String fence,
            byte[] arguments,
            Participation with) {
        String span = with.observations().traceparent();
        return with.reports()
                .begin(caller, branch, definition, fence, arguments, span.isEmpty() ? caller.traceparent() : span);
    }

    /** What did not begin may have been done before; then its caller is told what it was told then. */
    private static @Nullable Object again(
            RuntimeException notBegun,
            String branch,
            BranchDefinition definition,
            Participation with,
            Observations.Observed observed)
            throws Throwable {
        observed.ended("NOT_BEGUN");
        try {
            if (!(notBegun instanceof CommittedException committed)) throw notBegun;
            return with.localWork().again(committed, branch, definition);
        } catch (Throwable thrown) {
            observed.threw(thrown);
            throw thrown;
        }
    }

    private static @Nullable Object tryAndTryAgain(
            Body body, SagaContext caller, Participation with, Supplier<Attempt> attempts, long giveUpAt)
            throws Throwable {
        boolean clean = true; // Whether the tries before have left nothing but what the fence knows of.
        for (int tries = 1; ; tries++) {
            Attempt attempt = attempts.get();
            BranchDefinition definition = attempt.definition();
            Object result;
            try {
                with.localWork().begin(attempt);
                result = proceed(body, caller, attempt);
            } catch (Throwable thrown) {
                boolean again = tries <= definition.forwardRetries()
                        && mayRetry(attempt, thrown)
                        && pause(definition.forwardRetryDelay(), giveUpAt);
                if (!again) {
                    threw(with, attempt, thrown, clean);
                    throw thrown;
                }
                clean &= attempt.fenced() || leftNothing(attempt);
                continue;
            }
            returned(with.reports(), attempt);
            return result;
        }
    }

    /** In a context that makes the same calls again. */
    private static @Nullable Object proceed(Body body, SagaContext caller, Attempt attempt) throws Throwable {
        Object result;
        SagaContext.Scope scope = caller.within(attempt.branch()).open();
        try {
            result = body.run(attempt);
        } finally {
            scope.close();
        }
        requireReached(attempt);
        return result;
    }

    static void requireReached(Attempt attempt) {
        if (attempt.local() != Attempt.Local.NOT_REACHED) return;
        throw new SagaException(
                "%s returned a result without being run: advice between omega and the method answered for it. Put that advice outside."
                        .formatted(attempt.definition().operation()));
    }

    public static void requireFreshTransactions(BranchDefinition definition, boolean inTransaction) {
        if (!inTransaction) return;
        if (definition.compensateOnException()) {
            throw new SagaException(
                    "%s has compensateOnException but was called inside a transaction; it did not run. That it begins must be committed before it does: call it outside."
                            .formatted(definition.operation()));
        }
        if (definition.forwardRetries() > 0) {
            throw new SagaException(
                    "%s has forwardRetries but was called inside a transaction, which a failed try would spoil; it did not run. Call it outside, or set forwardRetries to 0."
                            .formatted(definition.operation()));
        }
    }

    private static void returned(BranchReports reports, Attempt attempt) {
        boolean wait = attempt.local() != Attempt.Local.OPEN; // Nobody waits for alpha while a connection is held.
        attempt.observe(true);
        attempt.atEnd(() -> {
            switch (attempt.local()) {
                case NO_TRANSACTION, DONE, COMMITTED -> reports.ended(attempt, wait);
                case ROLLED_BACK -> reports.failed(attempt, "its local transaction was rolled back", true, wait);
                default -> reports.failed(attempt, "the outcome of its local transaction is unknown", false, wait);
            }
        });
    }

    /** @param clean whether the tries before have surely left nothing behind */
    private static void threw(Participation with, Attempt attempt, Throwable thrown, boolean clean) {
        boolean wait = attempt.local() != Attempt.Local.OPEN;
        attempt.observe(false);
        attempt.atEnd(() -> {
            with.remoteFailures().failed(attempt, thrown);
            with.reports().failed(attempt, Outcomes.sentence(thrown), clean && leftNothing(attempt), wait);
        });
    }

    /** Whether a try that threw has surely left nothing behind. */
    static boolean leftNothing(Attempt attempt) {
        return switch (attempt.local()) {
            case NOT_REACHED, ROLLED_BACK -> true;
            case NO_TRANSACTION -> attempt.definition().cleanOnException();
            default -> false; // Done or committed all the same, as noRollbackFor may say; or nobody knows.
        };
    }

    /** A try of unknown outcome may be followed by another only where the fence tells whether it was committed. */
    static boolean mayRetry(Attempt attempt, Throwable thrown) {
        if (thrown instanceof Error || thrown instanceof SagaException) return false;
        return switch (attempt.local()) {
            case NOT_REACHED, ROLLED_BACK, NO_TRANSACTION -> true;
            case UNKNOWN -> attempt.fenced();
            default -> false;
        };
    }

    /** Returns whether there is time for another try. */
    private static boolean pause(Duration delay, long giveUpAt) {
        if (System.nanoTime() + delay.toNanos() - giveUpAt >= 0 && giveUpAt != Long.MAX_VALUE) return false;
        try {
            // Nobody counts it down.
            return !new CountDownLatch(1).await(delay.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
