package io.alphaomega.omega.spring.reporting;

import com.google.protobuf.ByteString;
import io.alphaomega.omega.AlphaUnavailableException;
import io.alphaomega.omega.SagaException;
import io.alphaomega.omega.context.SagaContext;
import io.alphaomega.omega.rules.BranchEffect;
import io.alphaomega.omega.rules.BranchEffect.Cause;
import io.alphaomega.omega.rules.BranchInput;
import io.alphaomega.omega.rules.BranchTerms;
import io.alphaomega.omega.spring.config.OmegaProperties;
import io.alphaomega.omega.spring.definition.BranchDefinition;
import io.alphaomega.omega.spring.fencing.CommittedException;
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
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What a participant tells alpha about its branches, and what it makes of the answers. */
public final class BranchReports {
    private static final Logger log = LoggerFactory.getLogger(BranchReports.class);

    /**
     * Of reports for which there was no room, and of callers' transactions that were rolled back; beyond that alpha takes
     * the ends of branches for unknown.
     */
    private static final int WAITING_MAX = 10_000;

    private static final Set<String> DID_NOT_RUN = Set.of(Cause.UNANSWERED.sentence(), Cause.WITHDRAWN.sentence());

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
     * What alpha is asked of a branch.
     *
     * @param caller in which it is to begin
     */
    public record Question(SagaContext caller, String branch, Input input) {}

    /** Whether the end of such a branch may be left to its caller to report, if it runs behind a fence. */
    public boolean mayTravel(SagaContext caller, BranchDefinition definition) {
        return properties.compensable().end() == OmegaProperties.Compensable.End.WITH_ANSWER
                && BranchTerms.mayTravelFor(definition.forwardTimeout())
                && localWork.endsMayTravel(definition)
                && caller.untold().takesEnds();
    }

    /**
     * Asks alpha whether the business may run, and returns only if so.
     *
     * @throws AlphaUnavailableException if alpha does not answer within {@code omega.begin-timeout}
     */
    public void ask(Question question) {
        requireAccepted(question, alpha.call(question.input(), properties.beginTimeout()));
    }

    /** As {@link #ask}, but no thread waits, and the question can be cancelled. */
    public CompletableFuture<Ack> askLater(Question question) {
        return alpha.ask(question.input(), properties.beginTimeout());
    }

    public void requireAccepted(Question question, Ack ack) {
        SagaContext caller = question.caller();
        if (!ack.hasRejected()) caller.untold().told(question.input());
        if (!ack.hasAccepted()) {
            throw Outcomes.refusal(caller.saga(), "the begin of branch " + question.branch(), ack);
        }
        repeated.begun(caller, question.input().getBeginBranch());
    }

    /** What that means which came instead of alpha's leave. */
    public BranchInput answer(Throwable failure) {
        if (failure instanceof CommittedException) return BranchInput.COMMITTED_BEFORE;
        boolean withdrawn = failure instanceof CancellationException;
        if (!withdrawn && !(failure instanceof AlphaUnavailableException)) return BranchInput.REFUSED;
        // Where room is scarce the reports of what did run need it more.
        if (alpha.isCrowded()) return BranchInput.CROWDED;
        return withdrawn ? BranchInput.WITHDRAWN : BranchInput.UNAVAILABLE;
    }

    /**
     * What to ask alpha.
     *
     * @param behind the id of the fence that it would run behind; empty if there is none
     * @param traceparent W3C trace context for its callbacks, or empty
     * @throws SagaException if the saga is over, as is known here
     */
    public Question question(
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
        Input input =
                Input.newBuilder().setSaga(caller.saga()).setBeginBranch(begin).build();
        return new Question(caller, branch, caller.untold().loadIfOpen(input));
    }

    /** The business has committed. Whatever alpha says or does not say, this returns normally. */
    public void ended(SagaContext caller, String branch, byte[] result, BranchEffect.ReportEnd end) {
        tally.branch("ENDED");
        if (end.travels() && caller.untold().leave(branch)) return;
        report(endInput(caller, branch, result), end.awaited());
    }

    /** As {@link #ended}, of an end that does not travel, but no thread waits: the future completes when that returns. */
    public CompletableFuture<Void> endedLater(SagaContext caller, String branch, byte[] result) {
        tally.branch("ENDED");
        return reportLater(endInput(caller, branch, result));
    }

    private static Input endInput(SagaContext caller, String branch, byte[] result) {
        EndBranch end = EndBranch.newBuilder()
                .setBranch(branch)
                .setResult(ByteString.copyFrom(result))
                .build();
        return Input.newBuilder().setSaga(caller.saga()).setEndBranch(end).build();
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
    public void failed(SagaContext caller, String branch, String cause, boolean clean, boolean wait) {
        tally.branch(clean ? "FAILED" : "UNKNOWN");
        report(fail(caller.saga(), branch, cause, clean), wait);
    }

    /** As {@link #failed}, but no thread waits: the future completes when that returns. */
    public CompletableFuture<Void> failedLater(SagaContext caller, String branch, String cause, boolean clean) {
        tally.branch(clean ? "FAILED" : "UNKNOWN");
        return reportLater(fail(caller.saga(), branch, cause, clean));
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
    public boolean later(Runnable report) {
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
                    "Alpha never answered {} of saga {}; to alpha the end of the branch is unknown, and it aborts the saga at its timeout.",
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
