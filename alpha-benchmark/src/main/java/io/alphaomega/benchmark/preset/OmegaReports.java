package io.alphaomega.benchmark.preset;

import com.google.protobuf.ByteString;
import io.alphaomega.omega.AlphaUnavailableException;
import io.alphaomega.omega.stream.AlphaClient;
import io.alphaomega.omega.stream.AlphaClientSettings;
import io.alphaomega.omega.stream.CallbackHandler;
import io.alphaomega.protocol.v1.AbortSaga;
import io.alphaomega.protocol.v1.Ack;
import io.alphaomega.protocol.v1.BeginBranch;
import io.alphaomega.protocol.v1.BeginSaga;
import io.alphaomega.protocol.v1.CallbackOffer;
import io.alphaomega.protocol.v1.Carried;
import io.alphaomega.protocol.v1.EndBranch;
import io.alphaomega.protocol.v1.EndSaga;
import io.alphaomega.protocol.v1.FailBranch;
import io.alphaomega.protocol.v1.Hello;
import io.alphaomega.protocol.v1.Input;
import io.alphaomega.protocol.v1.Policy;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * What a service with omega's starter tells alpha, and how long it waits for the answers: with the starter's own client,
 * and its defaults. The begin of a saga travels with its first branch, which waits for alpha; the end of a branch travels
 * with the answer if it is fenced, and waits for a while if not; the end of a saga waits for the decision.
 */
final class OmegaReports implements AutoCloseable {
    /** The callback that the services of this benchmark offer. */
    static final String UNDO = "undo";

    /** As omega.begin-timeout. */
    private static final Duration BEGIN_WITHIN = Duration.ofSeconds(5);

    /** As omega.resend-for. */
    private static final Duration RESEND_FOR = Duration.ofHours(1);

    /** As omega.saga.timeout. */
    private static final Duration SAGA_TIMEOUT = Duration.ofMinutes(5);

    /** Alpha decides at the saga's timeout, then must store that and say so. */
    private static final Duration DECIDED_WITHIN = SAGA_TIMEOUT.plusSeconds(12);

    /** Alpha did not let something happen. The business must not run, or not go on. */
    static final class RefusedException extends RuntimeException {
        private static final long serialVersionUID = 1;

        private RefusedException(String what, Ack ack) {
            super("Alpha answered %s with %s.".formatted(what, ack.getOutcomeCase()));
        }
    }

    private final AlphaClient alpha;
    private final Hello hello;

    /** @param callbacks runs what alpha asks for */
    OmegaReports(List<String> addresses, String service, CallbackHandler callbacks) {
        hello = Hello.newBuilder()
                .setService(service)
                .setInstance(service + "-" + UUID.randomUUID())
                .addCallbacks(UNDO)
                .build();
        alpha = new AlphaClient(AlphaClientSettings.of(addresses.toArray(String[]::new)), () -> hello, callbacks);
        alpha.start();
    }

    /** The begin of a saga, to travel with its first branch. */
    Carried begin(String operation) {
        return Carried.newBuilder()
                .setBegin(BeginSaga.newBuilder()
                        .setOperation(operation)
                        .setPolicy(Policy.newBuilder().setTimeoutMillis(SAGA_TIMEOUT.toMillis())))
                .setService(hello.getService())
                .setInstance(hello.getInstance())
                .build();
    }

    /** Whether alpha has committed it; if not, it is aborted. */
    boolean endSaga(String saga, Carried carried) {
        Input end = Input.newBuilder()
                .setSaga(saga)
                .setCarried(carried)
                .setEnd(EndSaga.newBuilder().setWait(true))
                .build();
        Ack ack = alpha.call(end, DECIDED_WITHIN);
        if (!ack.hasCommitted() && !ack.hasAborted()) throw new RefusedException("the end of saga " + saga, ack);
        return ack.hasCommitted();
    }

    void abortSaga(String saga, Carried carried, String cause) {
        Input abort = Input.newBuilder()
                .setSaga(saga)
                .setCarried(carried)
                .setAbort(AbortSaga.newBuilder().setCause(cause))
                .build();
        Ack ack = alpha.call(abort, BEGIN_WITHIN);
        if (!ack.hasAborted()) throw new RefusedException("the abort of saga " + saga, ack);
    }

    /** Begins a branch; if it is fenced, its end travels with the answer. */
    void beginBranch(String saga, Carried carried, String branch, String operation, boolean fenced, byte[] arguments) {
        BeginBranch begin = BeginBranch.newBuilder()
                .setBranch(branch)
                .setOperation(operation)
                .setCompensation(CallbackOffer.newBuilder().setName(UNDO))
                .setFenced(fenced)
                .setEndTravels(fenced)
                .setArguments(ByteString.copyFrom(arguments))
                .build();
        require(Input.newBuilder()
                .setSaga(saga)
                .setCarried(carried)
                .setBeginBranch(begin)
                .build());
    }

    /** The business has committed. Whatever alpha says or does not say, this returns normally. */
    void endBranch(String saga, String branch) {
        report(Input.newBuilder()
                .setSaga(saga)
                .setEndBranch(EndBranch.newBuilder().setBranch(branch))
                .build());
    }

    /** The business has failed, and nobody knows whether its transaction was committed. */
    void failBranch(String saga, String branch, String cause) {
        report(Input.newBuilder()
                .setSaga(saga)
                .setFailBranch(FailBranch.newBuilder().setBranch(branch).setCause(cause))
                .build());
    }

    private void require(Input input) {
        Ack ack = alpha.call(input, BEGIN_WITHIN);
        if (!ack.hasAccepted()) throw new RefusedException(input.getKindCase() + " of saga " + input.getSaga(), ack);
    }

    private void report(Input input) {
        try {
            CompletableFuture<Ack> answer = alpha.send(input, RESEND_FOR);
            answer.get(AlphaClientSettings.ACK_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException | ExecutionException | AlphaUnavailableException e) {
            // It is sent on in the background; the end of the saga tells what became of it.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        alpha.close();
    }
}
