package io.alphaomega.omega.spring.reporting;

import io.alphaomega.omega.AlphaUnavailableException;
import io.alphaomega.omega.SagaException;
import io.alphaomega.omega.context.HandedOver;
import io.alphaomega.omega.context.SagaContext;
import io.alphaomega.omega.spring.config.OmegaProperties;
import io.alphaomega.omega.spring.method.ReturnKind;
import io.alphaomega.omega.stream.AlphaClient;
import io.alphaomega.protocol.v1.Ack;
import io.alphaomega.protocol.v1.BeginBranch;
import io.alphaomega.protocol.v1.EndBranch;
import io.alphaomega.protocol.v1.FailBranch;
import io.alphaomega.protocol.v1.Input;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Has the end of a saga wait for what a call has handed over to other threads and left undone: to alpha that is a branch with
 * nothing to undo, which ends when the last task is done. So nobody here waits for it, a participant can answer, and the
 * saga is aborted if the tasks are dropped, take too long or are lost with the process.
 */
final class OwedWork {
    private static final Logger log = LoggerFactory.getLogger(OwedWork.class);

    /**
     * Before alpha hears of them: by then most tasks are done, and those that were waited for have done their last
     * instructions. Who ends a saga waits for it anyway.
     */
    static final Duration GRACE_OF_END = Duration.ofMillis(500);

    /** The same, where somebody waits for an answer that need not wait. */
    static final Duration GRACE_OF_ANSWER = Duration.ofMillis(20);

    /** Alpha's limit on names. */
    private static final int NAME_CHARS = 256;

    /** By so much, at most, the branch's time is up before the saga's: its sentence says what was waited for. */
    private static final Duration AHEAD = Duration.ofSeconds(1);

    private final AlphaClient alpha;
    private final OmegaProperties properties;

    OwedWork(AlphaClient alpha, OmegaProperties properties) {
        this.alpha = alpha;
        this.properties = properties;
    }

    /**
     * To be called when the call is over but for its answer or the end of its saga, on the thread that ends it.
     *
     * @param grace how long that may take before alpha is asked
     * @return complete when alpha knows what is left, or knows the saga's outcome already; fails with an
     *     {@link AlphaUnavailableException} if it does not answer, and otherwise with a {@link SagaException} if it refuses
     */
    CompletableFuture<Void> owe(SagaContext saga, Duration grace) {
        HandedOver work = saga.untold().handedOver();
        work.releaseHere();
        return work.isSettled() ? settled() : work.none(grace).thenCompose(nothing -> owe(saga, work));
    }

    private CompletableFuture<Void> owe(SagaContext saga, HandedOver work) {
        return work.isSettled() ? settled() : begin(saga, work);
    }

    private static CompletableFuture<Void> settled() {
        return CompletableFuture.completedFuture(null);
    }

    private CompletableFuture<Void> begin(SagaContext saga, HandedOver work) {
        // Not named after the call: of a repeated one other tasks may be left.
        String branch = UUID.randomUUID().toString();
        Input begin;
        try {
            begin = saga.untold().loadIfOpen(beginInput(saga, branch, work.describe()));
        } catch (SagaException over) {
            return settled(); // Whatever begins in it is refused with the same words.
        }
        return alpha.ask(begin, properties.beginTimeout()).handle((ack, failure) -> {
            if (failure != null) throw unanswered(saga, branch, ReturnKind.cause(failure));
            if (!ack.hasRejected()) saga.untold().told(begin);
            if (ack.hasAborted() || ack.hasCommitted()) return null; // Likewise.
            if (!ack.hasAccepted()) throw Outcomes.refusal(saga.saga(), "that it waits for its tasks", ack);
            work.owe(dropped -> over(saga.saga(), branch, dropped));
            return null;
        });
    }

    private Input beginInput(SagaContext saga, String branch, String what) {
        Duration left =
                Duration.ofNanos(saga.decidedByNanos() - System.nanoTime()).minus(SagaContext.DECISION_GRACE);
        Duration tenth = left.dividedBy(10);
        Duration timeout = left.minus(tenth.compareTo(AHEAD) < 0 ? tenth : AHEAD);
        BeginBranch begin = BeginBranch.newBuilder()
                .setBranch(branch)
                .setParent(saga.branch())
                .setOperation(what.length() > NAME_CHARS ? what.substring(0, NAME_CHARS) : what)
                .setTimeoutMillis(Math.max(1, timeout.toMillis()))
                .setTraceparent(saga.traceparent())
                .build();
        return Input.newBuilder().setSaga(saga.saga()).setBeginBranch(begin).build();
    }

    /** Perhaps it is stored all the same: then the saga need not wait until the branch's time is up. */
    private RuntimeException unanswered(SagaContext saga, String branch, Throwable failure) {
        if (!alpha.isCrowded()) tell(fail(saga.saga(), branch, "alpha did not answer in time that it had begun"));
        return failure instanceof RuntimeException unavailable
                ? unavailable
                : new AlphaUnavailableException("Alpha's answer did not arrive.", failure);
    }

    private void over(String saga, String branch, @Nullable String dropped) {
        if (dropped == null) {
            EndBranch end = EndBranch.newBuilder().setBranch(branch).build();
            tell(Input.newBuilder().setSaga(saga).setEndBranch(end).build());
            return;
        }
        String cause = "the task of %s never ran: its executor has rejected or dropped it".formatted(dropped);
        log.warn("Saga {}: {}.", saga, cause);
        tell(fail(saga, branch, cause));
    }

    private static Input fail(String saga, String branch, String cause) {
        FailBranch fail = FailBranch.newBuilder()
                .setBranch(branch)
                .setCause(Outcomes.cut(cause))
                .setRolledBack(true)
                .build();
        return Input.newBuilder().setSaga(saga).setFailBranch(fail).build();
    }

    private void tell(Input input) {
        CompletableFuture<Ack> unused = alpha.ask(input, properties.resendFor()).whenComplete((ack, failure) -> {
            if (failure == null || alpha.isClosed()) return;
            log.error(
                    "Alpha never answered {} of what ran in saga {} on other threads; it aborts it at its timeout.",
                    input.getKindCase(),
                    input.getSaga(),
                    failure);
        });
    }
}
