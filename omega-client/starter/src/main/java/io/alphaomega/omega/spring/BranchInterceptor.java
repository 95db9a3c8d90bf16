package io.alphaomega.omega.spring;

import io.alphaomega.omega.Compensable;
import io.alphaomega.omega.SagaException;
import io.alphaomega.omega.context.SagaContext;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.ProxyMethodInvocation;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Makes a call of a {@link Compensable} method a branch of the saga it is called in. It stands outside the local
 * transaction, so that what it tells alpha is about a transaction that has ended; if the transaction is the caller's, it
 * tells alpha when that has ended.
 */
final class BranchInterceptor implements MethodInterceptor {
    /** Under which an attempt travels with the invocation to {@link LocalWorkInterceptor}. */
    static final String ATTEMPT = Attempt.class.getName();

    private final OmegaDefinitions definitions;
    private final Supplier<Participation> participation;
    private final Supplier<OutsideCalls> outside;

    /** What a participant needs: looked up at the first call, when everything is there. */
    record Participation(
            BranchReports reports,
            Payloads payloads,
            CallbackInterceptors interceptors,
            LocalWork localWork,
            RemoteFailures remoteFailures,
            Observations observations) {}

    BranchInterceptor(
            OmegaDefinitions definitions, Supplier<Participation> participation, Supplier<OutsideCalls> outside) {
        this.definitions = definitions;
        this.participation = participation;
        this.outside = outside;
    }

    @Override
    public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
        SagaContext caller = SagaContext.current().orElse(null);
        BranchDefinition definition = definitions.branch(
                invocation.getMethod(),
                Objects.requireNonNull(invocation.getThis()).getClass());
        if (definition == null) return invocation.proceed();
        if (caller == null) {
            outside.get().called(definition);
            return invocation.proceed();
        }
        if (!caller.isForward()) return invocation.proceed(); // A callback is in its saga, but no branch begins in it.
        requireFreshTransactions(definition);

        Participation with = participation.get();
        String branch = caller.nextBranch(definition.operation());
        byte[] arguments = with.payloads()
                .envelope(
                        definition,
                        invocation.getArguments(),
                        with.interceptors().capture());
        String fence = with.localWork().fenceOf(definition);
        long giveUpAt = definition.forwardTimeout().isZero()
                ? Long.MAX_VALUE
                : System.nanoTime() + definition.forwardTimeout().toNanos();
        try (Observations.Observed observed =
                with.observations().branch(definition.operation(), caller.saga(), branch)) {
            boolean endTravels = begin(caller, branch, definition, fence, arguments, with, observed);
            SagaContext.Scope scope = caller.within(branch).open();
            try {
                return tryAndTryAgain(
                        (ProxyMethodInvocation) invocation,
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
            Participation with,
            Observations.Observed observed) {
        String span = with.observations().traceparent();
        try {
            return with.reports()
                    .begin(caller, branch, definition, fence, arguments, span.isEmpty() ? caller.traceparent() : span);
        } catch (RuntimeException notBegun) {
            observed.threw(notBegun);
            observed.ended("NOT_BEGUN");
            throw notBegun;
        }
    }

    private static @Nullable Object tryAndTryAgain(
            ProxyMethodInvocation invocation,
            SagaContext caller,
            Participation with,
            Supplier<Attempt> attempts,
            long giveUpAt)
            throws Throwable {
        boolean clean = true; // Whether the tries before have left nothing but what the fence knows of.
        for (int tries = 1; ; tries++) {
            Attempt attempt = attempts.get();
            BranchDefinition definition = attempt.definition();
            Object result;
            try {
                with.localWork().begin(attempt);
                result = proceed(invocation, caller, attempt);
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

    /** On a clone, so that the invocation can proceed again, and in a context that makes the same calls again. */
    private static @Nullable Object proceed(ProxyMethodInvocation invocation, SagaContext caller, Attempt attempt)
            throws Throwable {
        invocation.setUserAttribute(ATTEMPT, attempt);
        Object result;
        SagaContext.Scope scope = caller.within(attempt.branch()).open();
        try {
            result = invocation.invocableClone().proceed();
        } finally {
            scope.close();
        }
        if (attempt.local() == Attempt.Local.NOT_REACHED) {
            throw new SagaException(
                    "%s returned a result without being run: advice between omega and the method answered for it. Put that advice outside."
                            .formatted(attempt.definition().operation()));
        }
        return result;
    }

    private static void requireFreshTransactions(BranchDefinition definition) {
        if (!TransactionSynchronizationManager.isActualTransactionActive()) return;
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
    private static boolean leftNothing(Attempt attempt) {
        return switch (attempt.local()) {
            case NOT_REACHED, ROLLED_BACK -> true;
            case NO_TRANSACTION -> attempt.definition().cleanOnException();
            default -> false; // Done or committed all the same, as noRollbackFor may say; or nobody knows.
        };
    }

    /** A try of unknown outcome may be followed by another only where the fence tells whether it was committed. */
    private static boolean mayRetry(Attempt attempt, Throwable thrown) {
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
