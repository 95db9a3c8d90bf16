package io.alphaomega.omega.spring;

import com.google.protobuf.ByteString;
import io.alphaomega.omega.AlphaUnavailableException;
import io.alphaomega.omega.context.SagaContext;
import io.alphaomega.omega.stream.AlphaClient;
import io.alphaomega.protocol.v1.Ack;
import io.alphaomega.protocol.v1.BeginBranch;
import io.alphaomega.protocol.v1.EndBranch;
import io.alphaomega.protocol.v1.FailBranch;
import io.alphaomega.protocol.v1.Input;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What a participant tells alpha about its branches, and what it makes of the answers. */
final class BranchReports {
    private static final Logger log = LoggerFactory.getLogger(BranchReports.class);

    private final AlphaClient alpha;
    private final OmegaProperties properties;
    private final Tally tally;

    BranchReports(AlphaClient alpha, OmegaProperties properties, Tally tally) {
        this.alpha = alpha;
        this.properties = properties;
        this.tally = tally;
    }

    /**
     * Asks alpha whether the business may run, and returns only if so.
     *
     * @throws AlphaUnavailableException if alpha does not answer within {@code omega.begin-timeout}
     */
    void begin(SagaContext caller, String branch, BranchDefinition definition, boolean fenced, byte[] arguments) {
        BeginBranch begin = BeginBranch.newBuilder()
                .setBranch(branch)
                .setParent(caller.branch())
                .setOperation(definition.operation())
                .setCompensation(definition.offer())
                .setFenced(fenced)
                .setTimeoutMillis(definition.forwardTimeout().toMillis())
                .setArguments(ByteString.copyFrom(arguments))
                .setTraceparent(caller.traceparent())
                .build();
        Input input =
                Input.newBuilder().setSaga(caller.saga()).setBeginBranch(begin).build();
        Ack ack;
        try {
            ack = alpha.call(input, properties.beginTimeout());
        } catch (AlphaUnavailableException e) {
            // Perhaps it is stored all the same: alpha need not wait for a business that will not run.
            CompletableFuture<Ack> unused =
                    tell(fail(caller.saga(), branch, "alpha did not answer in time; the business did not run", true));
            throw e;
        }
        if (!ack.hasAccepted()) throw Outcomes.refusal(caller.saga(), "the begin of branch " + branch, ack);
    }

    /** The business has committed. Whatever alpha says or does not say, this returns normally. */
    void ended(Attempt attempt, boolean wait) {
        tally.branch("ENDED");
        EndBranch end = EndBranch.newBuilder()
                .setBranch(attempt.branch())
                .setResult(ByteString.copyFrom(attempt.result()))
                .build();
        report(Input.newBuilder().setSaga(attempt.saga()).setEndBranch(end).build(), wait);
    }

    /** The business has failed. */
    void failed(Attempt attempt, String cause, boolean rolledBack, boolean wait) {
        tally.branch(rolledBack ? "FAILED" : "UNKNOWN");
        report(fail(attempt.saga(), attempt.branch(), cause, rolledBack), wait);
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
        CompletableFuture<Ack> answer = tell(input);
        if (!wait) return;
        Duration patience = properties.ackTimeout();
        try {
            SagaReports.await(answer, patience);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (TimeoutException e) {
            log.info(
                    "Alpha has not answered {} of saga {} within {}; it is sent on in the background.",
                    input.getKindCase(),
                    input.getSaga(),
                    patience);
        } catch (RuntimeException logged) {
            // By tell.
        }
    }

    private CompletableFuture<Ack> tell(Input input) {
        CompletableFuture<Ack> answer;
        try {
            answer = alpha.send(input, properties.resendFor());
        } catch (AlphaUnavailableException e) {
            answer = CompletableFuture.failedFuture(e);
        }
        return answer.whenComplete((ack, failure) -> logAnswer(input, ack, failure));
    }

    private static void logAnswer(Input input, Ack ack, @Nullable Throwable failure) {
        if (failure != null) {
            log.error(
                    "Alpha never answered {} of saga {}; it takes the branch's end for unknown, and aborts at its timeout.",
                    input.getKindCase(),
                    input.getSaga(),
                    failure);
        } else if (ack.hasRejected()) {
            log.warn(
                    "Alpha refused {} of saga {}: {}",
                    input.getKindCase(),
                    input.getSaga(),
                    ack.getRejected().getText());
        }
    }
}
