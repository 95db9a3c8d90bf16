package io.alphaomega.omega.spring.execution;

import io.alphaomega.omega.context.SagaContext;
import io.alphaomega.omega.spring.definition.SagaDefinition;
import io.alphaomega.omega.spring.fencing.Attempt;
import io.alphaomega.omega.spring.method.ReturnKind;
import io.alphaomega.omega.spring.observe.Observations;
import io.alphaomega.omega.spring.reporting.SagaReports;
import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.ProxyMethodInvocation;

/** A method whose work is done later, and which begins or ends a saga. */
public final class AsyncSaga implements AsyncRun {
    private final SagaRunner runner;
    private final SagaReports reports;
    private final SagaDefinition definition;
    private final SagaContext saga;
    private final NestedSagas.@Nullable Nested nested;
    private final Observations.Observed observed;
    private final ProxyMethodInvocation invocation;
    private final AtomicReference<Stage> stage = new AtomicReference<>(Stage.RUNNING);

    /** Done when alpha has answered its end or its abort, or has not in time. */
    private final CompletableFuture<Void> answered = new CompletableFuture<>();

    /** Of a nested one, whether alpha has prepared it. */
    private volatile boolean prepared;

    /** Whether a branch of the saga has joined a transaction that its end would wait for in vain. */
    private volatile BooleanSupplier inTransaction = () -> false;

    private enum Stage {
        RUNNING,
        /** Alpha is being asked, and its caller may still cancel it. */
        ENDING,
        /** What it came to is handed on, or it is cancelled. */
        OVER
    }

    public AsyncSaga(
            SagaRunner runner,
            SagaDefinition definition,
            SagaContext saga,
            NestedSagas.@Nullable Nested nested,
            Observations.Observed observed,
            MethodInvocation invocation) {
        this.runner = runner;
        this.reports = runner.reports();
        this.definition = definition;
        this.saga = saga;
        this.nested = nested;
        this.observed = observed;
        this.invocation = (ProxyMethodInvocation) invocation;
    }

    @Override
    public Place next() {
        return new Place(saga, observed, null);
    }

    @Override
    public @Nullable Object call() throws Throwable {
        if (stage.get() != Stage.RUNNING)
            throw new CancellationException(definition.operation() + " was cancelled before it ran.");
        try {
            return ReturnKind.proceed(invocation);
        } finally {
            if (Attempt.isOpenHere(saga.saga())) inTransaction = () -> true;
        }
    }

    String saga() {
        return saga.saga();
    }

    /** How to find out about the transaction of a subscriber. */
    void joined(BooleanSupplier transaction) {
        inTransaction = transaction;
    }

    @Override
    public CompletableFuture<Void> returned(@Nullable Object value) {
        if (!stage.compareAndSet(Stage.RUNNING, Stage.ENDING)) return CompletableFuture.completedFuture(null);
        CompletableFuture<Void> ending = answered(end());
        return ending.exceptionallyCompose(failure -> through(ending)).whenComplete((nothing, failure) -> {
            if (failure != null) observed.threw(ReturnKind.cause(failure));
            ended(failure == null ? goneWell() : outcome(ReturnKind.cause(failure)));
        });
    }

    @Override
    public void handedOn() {
        // Alpha has the outer saga wait until it hears of that.
        CompletableFuture<Void> unused = tellOuter();
    }

    private <T extends @Nullable Object> CompletableFuture<T> answered(CompletableFuture<T> concluding) {
        return concluding.whenComplete((value, failure) -> answered.complete(null));
    }

    /** Then tells the saga that this one is a part of, if it is, and is done as it was. */
    private <T extends @Nullable Object> CompletableFuture<T> through(CompletableFuture<T> concluding) {
        return concluding
                .<@Nullable Void>handle((value, failure) -> null)
                .thenCompose(over -> tellOuter())
                .thenCompose(told -> concluding);
    }

    /** Unless a cancellation has come first, which does. */
    private CompletableFuture<Void> tellOuter() {
        boolean mine = stage.compareAndSet(Stage.ENDING, Stage.OVER);
        return mine && nested != null ? runner.nested().throughLater(nested) : CompletableFuture.completedFuture(null);
    }

    private CompletableFuture<Void> end() {
        if (!definition.ends()) return reports.oweLater(saga, false);
        if (definition.awaitDecision() && inTransaction.getAsBoolean()) {
            return notEnded(SagaRunner.insideTransaction(definition.operation(), saga));
        }
        CompletableFuture<Void> owed = reports.oweLater(saga, definition.awaitDecision());
        return owed.exceptionallyCompose(failure -> notEnded(ReturnKind.cause(failure)))
                .thenCompose(known -> reports.endLater(saga, definition.awaitDecision()))
                .thenRun(() -> prepared = true);
    }

    private CompletableFuture<Void> notEnded(Throwable inVain) {
        return reports.abortLater(saga, inVain).thenCompose(told -> CompletableFuture.failedFuture(inVain));
    }

    @Override
    public CompletableFuture<Duration> threw(Throwable thrown) {
        if (!stage.compareAndSet(Stage.RUNNING, Stage.ENDING)) return CompletableFuture.failedFuture(thrown);
        return through(answered(settle(thrown))).thenCompose(told -> {
            observed.threw(told);
            ended(outcome(told));
            return CompletableFuture.failedFuture(told);
        });
    }

    /** Aborts the saga, or commits it all the same; has what the caller is told. */
    private CompletableFuture<Throwable> settle(Throwable thrown) {
        if (definition.isAbortedBy(thrown)) {
            return reports.abortLater(saga, thrown).thenApply(told -> thrown);
        }
        if (!definition.ends()) return CompletableFuture.completedFuture(thrown);
        return end().handle((nothing, failure) -> {
            if (failure == null) return thrown;
            Throwable notCommitted = ReturnKind.cause(failure);
            notCommitted.addSuppressed(thrown);
            return notCommitted;
        });
    }

    @Override
    public void cancelled() {
        CompletableFuture<Void> concluding;
        if (stage.compareAndSet(Stage.RUNNING, Stage.OVER)) {
            CancellationException cancelled = new CancellationException("its caller cancelled it");
            concluding = reports.abortLater(saga, cancelled);
            observed.threw(cancelled);
            ended("ABORTED");
        } else if (stage.compareAndSet(Stage.ENDING, Stage.OVER)) {
            concluding = answered; // Alpha would not abort alone what it has prepared by now.
        } else {
            return;
        }
        NestedSagas.Nested its = nested;
        if (its == null) return;
        CompletableFuture<Void> unused = concluding
                .<@Nullable Void>handle((nothing, failure) -> null)
                .thenCompose(over -> prepared
                        ? runner.nested().unwantedLater(its)
                        : runner.nested().throughLater(its));
    }

    private String outcome(Throwable told) {
        return SagaRunner.outcome(definition, told, goneWell());
    }

    private String goneWell() {
        if (nested != null) return "PREPARED";
        return definition.ends() ? "COMMITTED" : "OPEN";
    }

    private void ended(String outcome) {
        observed.ended(outcome);
        observed.close();
        if (definition.begins() && !definition.ends()) saga.untold().leaveOpen();
    }
}
