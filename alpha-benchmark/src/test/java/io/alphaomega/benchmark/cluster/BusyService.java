package io.alphaomega.benchmark.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.alphaomega.omega.stream.AlphaClient;
import io.alphaomega.omega.stream.AlphaClientSettings;
import io.alphaomega.omega.stream.AlphaStatus;
import io.alphaomega.protocol.v1.AbortSaga;
import io.alphaomega.protocol.v1.Ack;
import io.alphaomega.protocol.v1.BeginBranch;
import io.alphaomega.protocol.v1.BeginSaga;
import io.alphaomega.protocol.v1.Callback;
import io.alphaomega.protocol.v1.CallbackOffer;
import io.alphaomega.protocol.v1.CallbackPolicy;
import io.alphaomega.protocol.v1.CallbackResult;
import io.alphaomega.protocol.v1.EndBranch;
import io.alphaomega.protocol.v1.Hello;
import io.alphaomega.protocol.v1.Input;
import io.alphaomega.protocol.v1.Policy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/** One instance of a service with omega's own client and its defaults, whose compensations take long. */
final class BusyService implements AutoCloseable {
    /** As omega.callback.threads. */
    static final int THREADS = AlphaClientSettings.CALLBACK_THREADS;

    private static final String UNDO = "undo";
    private static final String BRANCH = "branch";

    /** A busy machine stores thousands of inputs within that time. */
    private static final Duration ANSWERED_WITHIN = Duration.ofMinutes(2);

    private final Plan plan;
    private final AlphaClient alpha;
    private final Queue<Integer> compensated = new ConcurrentLinkedQueue<>();
    private volatile long firstBegan;
    private volatile long lastEnded;

    /**
     * What there is to compensate.
     *
     * @param work what one compensation takes
     * @param attempts at a compensation that may fail
     * @param timeout of an attempt: so short that some are put off at alpha, after half of it, and others by the service,
     *     after half of what is left; the last quarter is for the work
     */
    record Plan(int sagas, Duration work, int attempts, Duration timeout) {
        /** What the threads can do at most. */
        double perSecond() {
            return THREADS / seconds(work);
        }
    }

    BusyService(Plan plan, List<String> addresses) {
        this.plan = plan;
        Hello hello = Hello.newBuilder()
                .setService("busy")
                .setInstance("busy-1")
                .addCallbacks(UNDO)
                .build();
        alpha = new AlphaClient(
                AlphaClientSettings.of(addresses.toArray(String[]::new)), () -> hello, this::compensate);
        alpha.start();
    }

    long connections() {
        return alpha.status().stream()
                .filter(one -> one.state() == AlphaStatus.State.CONNECTED)
                .count();
    }

    private CallbackResult compensate(Callback callback) {
        long began = System.nanoTime();
        if (firstBegan == 0) firstBegan = began;
        long end = began + plan.work().toNanos();
        for (long left = plan.work().toNanos(); left > 0; left = end - System.nanoTime()) LockSupport.parkNanos(left);
        compensated.add(Integer.valueOf(callback.getSaga().substring(saga(0).length() - 1)));
        lastEnded = System.nanoTime();
        return CallbackResult.getDefaultInstance();
    }

    static String saga(int number) {
        return "busy-" + number;
    }

    /** Begins all of them with a branch each, which ends. */
    void begin() {
        BeginSaga saga = BeginSaga.newBuilder()
                .setOperation("Busy.order")
                .setPolicy(Policy.newBuilder()
                        .setTimeoutMillis(Duration.ofHours(1).toMillis())
                        .setCallbacks(CallbackPolicy.newBuilder()
                                .setAttempts(plan.attempts())
                                .setTimeoutMillis(plan.timeout().toMillis())))
                .build();
        BeginBranch branch = BeginBranch.newBuilder()
                .setBranch(BRANCH)
                .setOperation("Busy.take")
                .setCompensation(CallbackOffer.newBuilder().setName(UNDO))
                .setFenced(true)
                .build();
        EndBranch end = EndBranch.newBuilder().setBranch(BRANCH).build();
        ofEach(Ack.OutcomeCase.ACCEPTED, input -> input.setBegin(saga));
        ofEach(Ack.OutcomeCase.ACCEPTED, input -> input.setBeginBranch(branch));
        ofEach(Ack.OutcomeCase.ACCEPTED, input -> input.setEndBranch(end));
    }

    /** In the order of their numbers, as fast as alpha takes it. */
    void abort() {
        ofEach(
                Ack.OutcomeCase.ABORTED,
                input -> input.setAbort(AbortSaga.newBuilder().setCause("changed our minds")));
    }

    /** What the client has unanswered at a time is bounded. */
    private void ofEach(Ack.OutcomeCase outcome, Consumer<Input.Builder> kind) {
        List<CompletableFuture<Ack>> acks = new ArrayList<>();
        for (int number = 0; number < plan.sagas(); number++) {
            Input.Builder input = Input.newBuilder().setSaga(saga(number));
            kind.accept(input);
            acks.add(alpha.send(input.build(), ANSWERED_WITHIN, ANSWERED_WITHIN));
        }
        assertThat(acks).extracting(ack -> ack.join().getOutcomeCase()).containsOnly(outcome);
    }

    /** The numbers of sagas, one for each compensation that has run, as they ended. */
    List<Integer> compensated() {
        return List.copyOf(compensated);
    }

    /** Compensations from the begin of the first one to the end of the last. */
    double perSecond() {
        return compensated.size() / seconds(Duration.ofNanos(lastEnded - firstBegan));
    }

    private static double seconds(Duration time) {
        return time.toNanos() / 1e9;
    }

    @Override
    public void close() {
        alpha.close();
    }
}
