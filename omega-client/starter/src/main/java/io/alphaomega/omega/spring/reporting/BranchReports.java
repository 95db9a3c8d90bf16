package io.alphaomega.omega.spring.reporting;

import com.google.protobuf.ByteString;
import io.alphaomega.omega.AlphaUnavailableException;
import io.alphaomega.omega.SagaException;
import io.alphaomega.omega.context.SagaContext;
import io.alphaomega.omega.spring.config.OmegaProperties;
import io.alphaomega.omega.spring.definition.BranchDefinition;
import io.alphaomega.omega.spring.fencing.Attempt;
import io.alphaomega.omega.spring.fencing.BlockingFence;
import io.alphaomega.omega.spring.fencing.FencedExecution;
import io.alphaomega.omega.spring.method.ReturnKind;
import io.alphaomega.omega.spring.observe.OmegaMetrics;
import io.alphaomega.omega.stream.AlphaClient;
import io.alphaomega.protocol.v1.Ack;
import io.alphaomega.protocol.v1.BeginBranch;
import io.alphaomega.protocol.v1.CallbackOffer;
import io.alphaomega.protocol.v1.EndBranch;
import io.alphaomega.protocol.v1.FailBranch;
import io.alphaomega.protocol.v1.Input;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** What a participant tells alpha about its branches, and what it makes of the answers. */
public final class BranchReports {
    private static final Logger log = LoggerFactory.getLogger(BranchReports.class);

    /**
     * Of reports for which there was no room, and of callers' transactions that were rolled back; beyond that alpha takes
     * the ends of branches for unknown.
     */
    private static final int WAITING_MAX = 10_000;

    /** A branch that has less time than this reports its end by itself: it may travel for a second or two. */
    private static final Duration TRAVELS_FROM = Duration.ofSeconds(5);

    /**
     * So does one that has more than this. A compensation does not wait for an end that travels but for the business, in
     * the database, and its attempts would be used up.
     */
    private static final Duration TRAVELS_TO = Duration.ofMinutes(5);

    private static final String UNANSWERED = "alpha did not answer in time; the business did not run";
    private static final String CANCELLED = "its caller cancelled it; the business did not run";
    private static final Set<String> DID_NOT_RUN = Set.of(UNANSWERED, CANCELLED);

    /** Alpha's reasons for what it has never heard of. */
    private static final Set<String> UNKNOWN = Set.of("UNKNOWN_BRANCH", "UNKNOWN_SAGA");

    private final AlphaClient alpha;
    private final OmegaProperties properties;
    private final FencedExecution localWork;
    private final OmegaMetrics tally;
    private final RepeatedBranches repeated = new RepeatedBranches();
    private final ThreadPoolExecutor elsewhere =
            new ThreadPoolExecutor(0, 1, 10, TimeUnit.SECONDS, new ArrayBlockingQueue<>(WAITING_MAX), task -> {
                Thread thread = new Thread(task, "omega-reports");
                thread.setDaemon(true);
                return thread;
            });

    /** What {@link #elsewhere} has not done with. */
    private final AtomicInteger waiting = new AtomicInteger();

    private volatile boolean closed;

    public BranchReports(AlphaClient alpha, OmegaProperties properties, FencedExecution localWork, OmegaMetrics tally) {
        this.alpha = alpha;
        this.properties = properties;
        this.localWork = localWork;
        this.tally = tally;
    }

    /**
     * Asks alpha whether the business may run, and returns only if so.
     *
     * @param behind the id of the fence that it would run behind; empty if there is none
     * @param traceparent W3C trace context for its callbacks, or empty
     * @return whether the end of the branch may be left to travel
     * @throws AlphaUnavailableException if alpha does not answer within {@code omega.begin-timeout}
     */
    public boolean begin(
            SagaContext caller,
            String branch,
            BranchDefinition definition,
            String behind,
            byte[] arguments,
            String traceparent) {
        boolean endTravels = !behind.isEmpty()
                && properties.compensable().end() == OmegaProperties.Compensable.End.WITH_ANSWER
                && mayTravel(definition.forwardTimeout())
                && localWork.endsMayTravel(definition)
                && caller.untold().takesEnds();
        Input input = beginInput(caller, branch, definition, behind, endTravels, arguments, traceparent);
        Ack ack;
        try {
            ack = alpha.call(input, properties.beginTimeout());
        } catch (AlphaUnavailableException e) {
            // Perhaps it is stored all the same: alpha need not wait for a business that will not run. But it can, and
            // where room is scarce the reports of what did run need it more.
            if (!alpha.isCrowded() && !comesAgain(caller, behind)) {
                BlockingFence fence = behind.isEmpty() ? null : localWork.fence(definition);
                BooleanSupplier bar = fence == null ? null : () -> fence.bar(caller.saga(), branch);
                failed(caller.saga(), branch, definition, bar, UNANSWERED, false);
            }
            throw e;
        }
        requireAccepted(caller, branch, input, ack);
        return endTravels;
    }

    /**
     * As {@link #begin}, of a branch whose end never travels, but no thread waits: the future fails with what that throws.
     * Who cancels it does not run the business.
     *
     * @param leftNothing asked then: whether no other run of the branch has left anything behind
     */
    public CompletableFuture<Void> beginLater(
            SagaContext caller,
            String branch,
            BranchDefinition definition,
            String behind,
            Supplier<CompletableFuture<Boolean>> leftNothing,
            byte[] arguments,
            String traceparent) {
        Input input;
        try {
            input = beginInput(caller, branch, definition, behind, false, arguments, traceparent);
        } catch (SagaException over) {
            return CompletableFuture.failedFuture(over);
        }
        CompletableFuture<Ack> answer = alpha.ask(input, properties.beginTimeout());
        CompletableFuture<Void> begun = new CompletableFuture<>();
        CompletableFuture<Ack> unusedAnswer = answer.whenComplete((ack, failure) -> {
            try {
                if (failure == null) requireAccepted(caller, branch, input, ack);
            } catch (SagaException refused) {
                begun.completeExceptionally(refused);
                return;
            }
            boolean waitedFor = failure == null ? begun.complete(null) : begun.completeExceptionally(failure);
            if (waitedFor && !(failure instanceof AlphaUnavailableException)) return;
            if (waitedFor && comesAgain(caller, behind)) return;
            if (failure == null || !alpha.isCrowded()) {
                String cause = waitedFor ? UNANSWERED : CANCELLED;
                CompletableFuture<Void> unused =
                        leftNothing.get().thenAccept(nothing -> failed(caller.saga(), branch, cause, nothing, false));
            }
        });
        CompletableFuture<Void> unusedToo = begun.whenComplete((nothing, failure) -> {
            if (begun.isCancelled()) answer.cancel(false);
        });
        return begun;
    }

    /**
     * Whether the branch has not failed, as a message will bring it again. If it never does, its time runs out, and behind
     * a fence its compensation finds nothing to undo.
     */
    private static boolean comesAgain(SagaContext caller, String behind) {
        return caller.untold().comesAgain() && !behind.isEmpty();
    }

    private Input beginInput(
            SagaContext caller,
            String branch,
            BranchDefinition definition,
            String behind,
            boolean endTravels,
            byte[] arguments,
            String traceparent) {
        BeginBranch.Builder begin = BeginBranch.newBuilder()
                .setBranch(branch)
                .setParent(caller.branch())
                .setOperation(definition.operation())
                .setCompensation(definition.offer())
                .setFenced(!behind.isEmpty())
                .setFence(behind)
                .setEndTravels(endTravels)
                .setTimeoutMillis(definition.forwardTimeout().toMillis())
                .setArguments(ByteString.copyFrom(arguments))
                .setTraceparent(traceparent);
        CallbackOffer confirmation = definition.confirmationOffer();
        if (confirmation != null) begin.setConfirmation(confirmation);
        return caller.untold()
                .loadIfOpen(Input.newBuilder()
                        .setSaga(caller.saga())
                        .setBeginBranch(begin)
                        .build());
    }

    private void requireAccepted(SagaContext caller, String branch, Input input, Ack ack) {
        if (!ack.hasRejected()) caller.untold().told(input);
        if (!ack.hasAccepted()) throw Outcomes.refusal(caller.saga(), "the begin of branch " + branch, ack);
        repeated.begun(caller, input.getBeginBranch());
    }

    private static boolean mayTravel(Duration forwardTimeout) {
        return forwardTimeout.isZero()
                || (forwardTimeout.compareTo(TRAVELS_FROM) >= 0 && forwardTimeout.compareTo(TRAVELS_TO) <= 0);
    }

    /** The business has committed. Whatever alpha says or does not say, this returns normally. */
    public void ended(Attempt attempt, boolean wait) {
        tally.branch("ENDED");
        if (attempt.leaveEnd()) return;
        report(endInput(attempt), wait);
    }

    /** As {@link #ended}, but no thread waits: the future completes when that returns. */
    public CompletableFuture<Void> endedLater(Attempt attempt) {
        tally.branch("ENDED");
        return reportLater(endInput(attempt));
    }

    private static Input endInput(Attempt attempt) {
        EndBranch end = EndBranch.newBuilder()
                .setBranch(attempt.branch())
                .setResult(ByteString.copyFrom(attempt.result()))
                .build();
        return Input.newBuilder().setSaga(attempt.saga()).setEndBranch(end).build();
    }

    /** The saga that is the branch is prepared or undone, as alpha has said: the outer one may go on. */
    public void nestedSettled(SagaContext outer, String branch) {
        if (!outer.untold().leave(branch)) report(nestedEnd(outer, branch), true);
    }

    /** As {@link #nestedSettled}, but no thread waits: the future completes when that returns. */
    public CompletableFuture<Void> nestedSettledLater(SagaContext outer, String branch) {
        if (outer.untold().leave(branch)) return CompletableFuture.completedFuture(null);
        return reportLater(nestedEnd(outer, branch));
    }

    private static Input nestedEnd(SagaContext outer, String branch) {
        EndBranch end = EndBranch.newBuilder().setBranch(branch).build();
        return Input.newBuilder().setSaga(outer.saga()).setEndBranch(end).build();
    }

    /** Alpha has not said what has become of the saga that is the branch: the outer one must not be committed. */
    public void nestedUnknown(SagaContext outer, String branch, String saga) {
        report(nestedFailure(outer, branch, saga), true);
    }

    /** As {@link #nestedUnknown}, but no thread waits: the future completes when that returns. */
    public CompletableFuture<Void> nestedUnknownLater(SagaContext outer, String branch, String saga) {
        return reportLater(nestedFailure(outer, branch, saga));
    }

    /** The saga that is the branch is prepared, and nobody wants it: the outer one must not be committed. */
    public CompletableFuture<Void> nestedUnwantedLater(SagaContext outer, String branch, String saga) {
        String cause = "its caller cancelled saga %s when that could not be undone alone any more".formatted(saga);
        return reportLater(fail(outer.saga(), branch, cause, false));
    }

    private static Input nestedFailure(SagaContext outer, String branch, String saga) {
        return fail(outer.saga(), branch, "alpha did not say what became of saga " + saga, false);
    }

    /** The business has failed. */
    public void failed(Attempt attempt, String cause, boolean rolledBack, boolean wait) {
        if (!rolledBack) {
            failed(attempt.saga(), attempt.branch(), cause, false, wait);
            return;
        }
        BlockingFence fence = attempt.fenced() ? localWork.fence(attempt.definition()) : null;
        BooleanSupplier bar = fence == null ? null : () -> fence.bar(attempt);
        failed(attempt.saga(), attempt.branch(), attempt.definition(), bar, cause, wait);
    }

    /** As {@link #failed}, but no thread waits: the future completes when that returns. */
    public CompletableFuture<Void> failedLater(Attempt attempt, String cause, boolean nothingDone) {
        tally.branch(nothingDone ? "FAILED" : "UNKNOWN");
        return reportLater(fail(attempt.saga(), attempt.branch(), cause, nothingDone));
    }

    /**
     * This run has left nothing behind.
     *
     * @param bar asks the fence, where there is one, whether any other run of the branch has
     */
    private void failed(
            String saga,
            String branch,
            BranchDefinition definition,
            @Nullable BooleanSupplier bar,
            String cause,
            boolean wait) {
        if (bar == null) {
            failed(saga, branch, cause, true, wait);
        } else if (!TransactionSynchronizationManager.isActualTransactionActive()) {
            failed(saga, branch, cause, leftNothing(bar, definition), wait);
        } else {
            // This thread holds a connection, and a second may never come before it lets go.
            if (!later(() -> failed(saga, branch, cause, leftNothing(bar, definition), false))) {
                failed(saga, branch, cause, false, false);
            }
        }
    }

    /** Keeps later runs out in any case. What may be left behind elsewhere, only the compensation can tell. */
    private static boolean leftNothing(BooleanSupplier bar, BranchDefinition definition) {
        return bar.getAsBoolean() && !definition.compensateOnException();
    }

    private void failed(String saga, String branch, String cause, boolean nothingDone, boolean wait) {
        tally.branch(nothingDone ? "FAILED" : "UNKNOWN");
        report(fail(saga, branch, cause, nothingDone), wait);
    }

    private static Input fail(String saga, String branch, String cause, boolean rolledBack) {
        return Input.newBuilder()
                .setSaga(saga)
                .setFailBranch(FailBranch.newBuilder()
                        .setBranch(branch)
                        .setCause(cause)
                        .setRolledBack(rolledBack))
                .build();
    }

    private void report(Input input, boolean wait) {
        Duration patience = wait ? properties.ackTimeout() : Duration.ZERO;
        long until = System.nanoTime() + patience.toNanos();
        CompletableFuture<Ack> answer = tell(input, patience);
        if (!wait) return;
        try {
            SagaReports.await(answer, until);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (TimeoutException e) {
            logUnanswered(input);
        } catch (RuntimeException logged) {
            // By tell.
        }
    }

    /** Tells alpha, and is complete when it has answered, or has not within {@code omega.ack-timeout}. */
    private CompletableFuture<Void> reportLater(Input input) {
        CompletableFuture<Ack> answer =
                alpha.ask(input, properties.resendFor()).whenComplete((ack, failure) -> answered(input, ack, failure));
        return answer.copy()
                .orTimeout(properties.ackTimeout().toNanos(), TimeUnit.NANOSECONDS)
                .handle((ack, failure) -> {
                    if (failure != null && ReturnKind.cause(failure) instanceof TimeoutException) logUnanswered(input);
                    return null;
                });
    }

    private void logUnanswered(Input input) {
        log.info(
                "Alpha has not answered {} of saga {} within {}; it is sent on in the background.",
                input.getKindCase(),
                input.getSaga(),
                properties.ackTimeout());
    }

    /** @param patience how long to wait for room to tell it in */
    private CompletableFuture<Ack> tell(Input input, Duration patience) {
        CompletableFuture<Ack> answer;
        try {
            answer = alpha.send(input, properties.resendFor(), patience);
        } catch (AlphaUnavailableException full) {
            boolean again = patience.compareTo(properties.resendFor()) < 0 && !alpha.isClosed();
            if (again && laterTold(input)) return new CompletableFuture<>();
            answer = CompletableFuture.failedFuture(full);
        }
        return answer.whenComplete((ack, failure) -> answered(input, ack, failure));
    }

    private void answered(Input input, Ack ack, @Nullable Throwable failure) {
        logAnswer(input, ack, failure);
        if (failure == null && ack.hasRejected() && isTooLarge(input, ack)) {
            CompletableFuture<Ack> unused = tell(withoutResult(input), Duration.ZERO);
        }
    }

    private boolean laterTold(Input input) {
        return later(() -> {
            CompletableFuture<Ack> unused = tell(input, properties.resendFor());
        });
    }

    /** Does that as soon as a thread is free for it, unless too much waits already: then it says false. */
    private boolean later(Runnable report) {
        waiting.incrementAndGet();
        try {
            elsewhere.execute(() -> {
                try {
                    report.run();
                } finally {
                    waiting.decrementAndGet();
                }
            });
            return true;
        } catch (RejectedExecutionException full) {
            waiting.decrementAndGet();
            return false;
        }
    }

    /**
     * Lets what waits be told, as long as that.
     *
     * @return how much was not
     */
    public int close(Duration patience) {
        elsewhere.shutdown();
        try {
            boolean unused = elsewhere.awaitTermination(patience.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        int left = waiting.get();
        closed = true;
        List<Runnable> unused = elsewhere.shutdownNow();
        return left;
    }

    /** That the branch has ended counts more than what it returned, which the fence's row keeps as well. */
    private static boolean isTooLarge(Input input, Ack ack) {
        return input.hasEndBranch()
                && !input.getEndBranch().getResult().isEmpty()
                && ack.getRejected().getReason().endsWith("_TOO_LARGE");
    }

    private static Input withoutResult(Input input) {
        return input.toBuilder()
                .setEndBranch(input.getEndBranch().toBuilder().clearResult())
                .build();
    }

    /** Its begin has not reached alpha, as when that restarts, and its business did not run: there is nothing to report. */
    private static boolean neverBegan(Input input, Ack ack) {
        return input.hasFailBranch()
                && DID_NOT_RUN.contains(input.getFailBranch().getCause())
                && UNKNOWN.contains(ack.getRejected().getReason());
    }

    private void logAnswer(Input input, Ack ack, @Nullable Throwable failure) {
        if (failure != null) {
            if (closed || alpha.isClosed()) return; // Who stops the service counts them.
            log.error(
                    "Alpha never answered {} of saga {}; it takes the branch's end for unknown, and aborts at its timeout.",
                    input.getKindCase(),
                    input.getSaga(),
                    failure);
        } else if (ack.hasRejected() && neverBegan(input, ack)) {
            log.debug("Saga {}: {}", input.getSaga(), ack.getRejected().getText());
        } else if (ack.hasRejected()) {
            log.warn(
                    "Alpha refused {} of saga {}: {}",
                    input.getKindCase(),
                    input.getSaga(),
                    ack.getRejected().getText());
        }
    }
}
