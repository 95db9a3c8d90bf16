package io.alphaomega.omega.spring.execution;

import io.alphaomega.omega.context.SagaContext;
import io.alphaomega.omega.spring.definition.BranchDefinition;
import io.alphaomega.omega.spring.fencing.Attempt;
import io.alphaomega.omega.spring.fencing.CommittedException;
import io.alphaomega.omega.spring.fencing.FencedExecution;
import io.alphaomega.omega.spring.fencing.ReactiveLocalFence;
import io.alphaomega.omega.spring.method.ReturnKind;
import io.alphaomega.omega.spring.observe.Observations;
import io.alphaomega.omega.spring.reporting.Outcomes;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.ProxyMethodInvocation;

/**
 * A branch whose work is done later: without a fence, or behind that of R2DBC. It begins, and ends once, however that
 * comes about.
 */
public final class BranchRun implements AsyncRun {
    private final SagaContext caller;
    private final BranchDefinition definition;
    private final ProxyMethodInvocation invocation;
    private final BranchRunner.Participation with;
    private final String branch;
    private final byte[] arguments;
    private final long giveUpAt;
    private final Observations.Observed observed;

    private @Nullable CompletableFuture<Void> begun;

    /** The id of the fence that it runs behind; empty if there is none, or nobody knows yet. */
    private String fence = "";

    /** Whether another run of the branch was done, and the saga is committed. */
    private volatile boolean done;

    /** What that returned. */
    private volatile @Nullable Object earlier;

    private Attempt attempt;
    private int tries;
    private boolean concluded;

    /** Whether it is done, and its caller can still cancel it. */
    private boolean unclaimed;

    /** Whether the tries before have left nothing. */
    private boolean clean = true;

    /** A further branch of that call; nobody has been asked yet. */
    public BranchRun(
            SagaContext caller,
            BranchDefinition definition,
            ProxyMethodInvocation invocation,
            BranchRunner.Participation with) {
        this.caller = caller;
        this.definition = definition;
        this.invocation = invocation;
        this.with = with;
        this.branch = caller.nextBranch(definition.operation());
        this.arguments = with.payloads()
                .envelope(
                        definition,
                        definition.kept(invocation),
                        with.interceptors().capture());
        this.giveUpAt = definition.forwardTimeout().isZero()
                ? Long.MAX_VALUE
                : System.nanoTime() + definition.forwardTimeout().toNanos();
        this.observed = with.observations().branch(definition.operation(), caller.saga(), branch);
        this.attempt = newAttempt();
    }

    private Attempt newAttempt() {
        return new Attempt(caller, branch, definition, fence, false, observed);
    }

    /** Asks alpha whether the business may run. */
    public CompletableFuture<Void> begin() {
        String span = with.observations().traceparent();
        observed.leave();
        return with.localWork()
                .fenceOfLater(definition)
                .thenCompose(behind -> begin(behind, span.isEmpty() ? caller.traceparent() : span))
                .exceptionallyCompose(notBegun -> again(ReturnKind.cause(notBegun)))
                .whenComplete((nothing, failure) -> {
                    if (failure == null) return;
                    observed.threw(ReturnKind.cause(failure));
                    observed.ended("NOT_BEGUN");
                    observed.close();
                });
    }

    private CompletableFuture<Void> begin(String behind, String traceparent) {
        synchronized (this) {
            if (concluded) return CompletableFuture.failedFuture(new CancellationException("its caller cancelled it"));
            fence = behind;
            attempt = newAttempt();
        }
        CompletableFuture<Void> asked = with.reports()
                .beginLater(caller, branch, definition, behind, () -> barred(behind, true), arguments, traceparent);
        boolean late;
        synchronized (this) {
            begun = asked;
            late = concluded;
        }
        // Cancelled between the two: its begin says so, unless alpha has let it begin already.
        if (late && !asked.cancel(false) && !asked.isCompletedExceptionally()) {
            CompletableFuture<Void> unused = failedAtEnd(attempt, "its caller cancelled it", true);
        }
        return asked;
    }

    /** As {@link BranchRunner} does. */
    private CompletableFuture<Void> again(Throwable notBegun) {
        ReactiveLocalFence guard = fence.isEmpty() ? null : with.localWork().reactive(definition);
        if (guard == null || !(notBegun instanceof CommittedException committed)) {
            return CompletableFuture.failedFuture(notBegun);
        }
        return guard.again(committed, branch, definition).thenAccept(returned -> {
            earlier = returned;
            done = true;
            observed.ended("NOT_BEGUN");
            observed.close();
        });
    }

    /**
     * Whether it has surely left nothing behind, in no other run of it either, where this one has not. Keeps later runs out
     * in any case; what may be left behind elsewhere, only the compensation can tell.
     */
    private CompletableFuture<Boolean> barred(String behind, boolean leftNothing) {
        ReactiveLocalFence guard =
                leftNothing && !behind.isEmpty() ? with.localWork().reactive(definition) : null;
        return guard != null
                ? guard.bar(caller.saga(), branch)
                        .toFuture()
                        .thenApply(nothing -> Objects.requireNonNull(nothing) && !definition.compensateOnException())
                : CompletableFuture.completedFuture(leftNothing);
    }

    private CompletableFuture<Void> failedAtEnd(Attempt last, String cause, boolean leftNothing) {
        return barred(last.fence(), leftNothing)
                .thenCompose(nothing -> with.reports().failedLater(last, cause, nothing));
    }

    @Override
    public synchronized Place next() {
        tries++;
        attempt = newAttempt();
        // A new one for each: an attempt that is repeated makes the same calls again.
        return new Place(caller.within(branch), observed, attempt);
    }

    /** As {@link FencedExecution#begin}: that the business begins is committed before it does. */
    @Override
    public CompletableFuture<Void> ready() {
        ReactiveLocalFence guard =
                definition.compensateOnException() && !done ? with.localWork().reactive(definition) : null;
        return guard == null
                ? CompletableFuture.completedFuture(null)
                : guard.begin(caller.saga(), branch).toFuture().thenAccept(noted -> {});
    }

    @Override
    public @Nullable Object call() throws Throwable {
        synchronized (this) {
            if (concluded) throw new CancellationException(definition.operation() + " was cancelled before it ran.");
        }
        if (done) return Publishers.of(earlier);
        // A subscriber gets it from the context instead: an invocation shares its attributes with its clones.
        if (!ReturnKind.of(definition.method()).isReactive()) {
            invocation.setUserAttribute(Attempt.ATTRIBUTE, attempt);
        }
        return ReturnKind.proceed(invocation);
    }

    @Override
    public CompletableFuture<Void> returned(@Nullable Object value) {
        if (done) return CompletableFuture.completedFuture(null);
        Attempt last = attempt;
        try {
            BranchRunner.requireReached(last);
            last.done();
            if (definition.takesResult() && !last.fenced()) {
                last.returned(with.payloads().result(definition, value));
            }
        } catch (RuntimeException notKept) {
            return failed(last, notKept).thenCompose(told -> CompletableFuture.failedFuture(notKept));
        }
        synchronized (this) {
            if (!conclude()) return CompletableFuture.completedFuture(null);
            unclaimed = true;
        }
        last.observe(true);
        observed.close();
        return atEnd(last, () -> switch (last.local()) {
            case NO_TRANSACTION, DONE, COMMITTED -> with.reports().endedLater(last);
            case ROLLED_BACK -> failedAtEnd(last, "its local transaction was rolled back", inside());
            default -> with.reports().failedLater(last, "the outcome of its local transaction is unknown", false);
        });
    }

    @Override
    public void handedOn() {
        claim();
    }

    private synchronized boolean claim() {
        boolean first = unclaimed;
        unclaimed = false;
        return first;
    }

    /** Whether all the work was inside the transaction: what a future stands for runs elsewhere. */
    private boolean inside() {
        return ReturnKind.of(definition.method()).isReactive();
    }

    @Override
    public CompletableFuture<Duration> threw(Throwable thrown) {
        Attempt last = attempt;
        Duration pause = definition.forwardRetryDelay();
        boolean inTime = giveUpAt == Long.MAX_VALUE || System.nanoTime() + pause.toNanos() - giveUpAt < 0;
        if (tries <= definition.forwardRetries() && inTime && BranchRunner.mayRetry(last, thrown)) {
            clean &= last.fenced() || BranchRunner.leftNothing(last);
            return CompletableFuture.completedFuture(pause);
        }
        return failed(last, thrown).thenCompose(told -> CompletableFuture.failedFuture(thrown));
    }

    private CompletableFuture<Void> failed(Attempt last, Throwable thrown) {
        if (!conclude()) return CompletableFuture.completedFuture(null);
        last.observe(false);
        observed.threw(thrown);
        observed.close();
        return atEnd(last, () -> {
            with.remoteFailures().failed(last, thrown);
            return failedAtEnd(last, Outcomes.sentence(thrown), clean && BranchRunner.leftNothing(last));
        });
    }

    @Override
    public void cancelled() {
        if (claim()) {
            // It is done, and its caller goes on as if it were not.
            CancellationException unwanted =
                    new CancellationException(definition.operation() + " was cancelled by its caller when it was done");
            CompletableFuture<Void> unused = with.sagas().abortJoinedLater(caller, unwanted);
            return;
        }
        Attempt last;
        CompletableFuture<Void> asked;
        synchronized (this) {
            if (concluded) return;
            concluded = true;
            last = attempt;
            asked = begun;
        }
        if (asked == null || asked.cancel(false) || asked.isCompletedExceptionally()) return; // Its begin says so.
        boolean ran = !last.bar();
        CancellationException cancelled = new CancellationException("its caller cancelled it");
        last.observe(false);
        observed.threw(cancelled);
        observed.close();
        CompletableFuture<Void> unused = atEnd(last, () -> {
            boolean undone = !ran || last.local() == Attempt.Local.ROLLED_BACK;
            return failedAtEnd(last, Outcomes.sentence(cancelled), clean && undone);
        });
    }

    private synchronized boolean conclude() {
        boolean first = !concluded;
        concluded = true;
        return first;
    }

    /** Nobody waits for alpha while a transaction is open: what is told at its end is then told in the background. */
    private static CompletableFuture<Void> atEnd(Attempt last, Supplier<CompletableFuture<Void>> report) {
        AtomicReference<CompletableFuture<Void>> told = new AtomicReference<>();
        last.atEnd(() -> told.set(report.get()));
        CompletableFuture<Void> now = told.get();
        return now == null ? CompletableFuture.completedFuture(null) : now;
    }
}
