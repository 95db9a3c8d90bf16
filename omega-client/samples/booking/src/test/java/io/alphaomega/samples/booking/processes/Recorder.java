package io.alphaomega.samples.booking.processes;

import io.alphaomega.protocol.v1.Ack;
import io.alphaomega.protocol.v1.AlphaGrpc;
import io.alphaomega.protocol.v1.Batch;
import io.alphaomega.protocol.v1.BeginBranch;
import io.alphaomega.protocol.v1.BeginSaga;
import io.alphaomega.protocol.v1.Callback;
import io.alphaomega.protocol.v1.CallbackOffer;
import io.alphaomega.protocol.v1.CallbackResult;
import io.alphaomega.protocol.v1.EndBranch;
import io.alphaomega.protocol.v1.EndSaga;
import io.alphaomega.protocol.v1.FailBranch;
import io.alphaomega.protocol.v1.FromAlpha;
import io.alphaomega.protocol.v1.FromOmega;
import io.alphaomega.protocol.v1.Hello;
import io.alphaomega.protocol.v1.Input;
import io.alphaomega.protocol.v1.Policy;
import io.grpc.ManagedChannel;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.StreamObserver;
import java.time.Duration;
import java.util.Map;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * An omega that writes down every promise that alpha makes. It speaks {@code alpha.v1} by itself, runs many small sagas
 * at once, sends again what was not answered when a stream broke, and keeps each acknowledged input as the event that
 * must be in the saga's history for ever after.
 */
final class Recorder implements AutoCloseable {
    private static final int SAGAS_AT_ONCE = 32;

    /** Each third saga fails its last branch. */
    private static final int FAILING = 3;

    private static final Duration RECONNECT = Duration.ofMillis(100);
    private static final String UNDO = "undo";

    /** Something that alpha acknowledged: the history of the saga must have the event, of that branch if it is about one. */
    record Promise(String saga, String event) {}

    /** A saga under way: its next input is sent when the last one is answered. */
    private static final class Script {
        final String saga = UUID.randomUUID().toString();
        final boolean failing;
        int step;

        Script(boolean failing) {
            this.failing = failing;
        }
    }

    private record Unanswered(Input input, Script script) {}

    private final ManagedChannel channel;
    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().name("recorder").factory());
    private final Queue<Promise> promises = new ConcurrentLinkedQueue<>();
    private final Queue<String> surprises = new ConcurrentLinkedQueue<>();
    private final AtomicLong acks = new AtomicLong();
    private final Map<Long, Unanswered> unanswered = new ConcurrentHashMap<>();
    private final String instance = UUID.randomUUID().toString();

    // All of the following is touched by the one thread only.
    private @Nullable StreamObserver<FromOmega> stream;
    private int connection;
    private long correlation;
    private int sagas;
    private boolean stopping;

    Recorder(String address) {
        channel = NettyChannelBuilder.forTarget(address).usePlaintext().build();
    }

    void start() {
        thread.execute(() -> {
            connect();
            for (int i = 0; i < SAGAS_AT_ONCE; i++) begin();
        });
    }

    /** How many inputs alpha has acknowledged so far. */
    long acks() {
        return acks.get();
    }

    /** Begins no further saga. */
    void stop() {
        thread.execute(() -> stopping = true);
    }

    boolean isIdle() {
        return unanswered.isEmpty();
    }

    /** Answers that alpha should never have given. */
    Queue<String> surprises() {
        return surprises;
    }

    Queue<Promise> promises() {
        return promises;
    }

    private void connect() {
        int current = ++connection;
        stream = AlphaGrpc.newStub(channel).connect(new StreamObserver<>() {
            @Override
            public void onNext(FromAlpha message) {
                thread.execute(() -> received(message));
            }

            @Override
            public void onError(Throwable broken) {
                reconnect(current);
            }

            @Override
            public void onCompleted() {
                reconnect(current);
            }
        });
        stream.onNext(FromOmega.newBuilder()
                .setHello(Hello.newBuilder()
                        .setService("recorder")
                        .setInstance(instance)
                        .setVersion("test")
                        .addCallbacks(UNDO))
                .build());
        Batch.Builder again = Batch.newBuilder();
        unanswered.values().forEach(each -> again.addInputs(each.input()));
        if (again.getInputsCount() > 0) {
            stream.onNext(FromOmega.newBuilder().setBatch(again).build());
        }
    }

    private void reconnect(int broken) {
        if (thread.isShutdown()) return;
        var unused = thread.schedule(
                () -> {
                    if (broken == connection) connect();
                },
                RECONNECT.toMillis(),
                TimeUnit.MILLISECONDS);
    }

    private void received(FromAlpha message) {
        switch (message.getKindCase()) {
            case ACKS -> message.getAcks().getAcksList().forEach(this::answered);
            case CALLBACK -> undo(message.getCallback());
            case WELCOME, SHARDS, MARK, GO_AWAY, KIND_NOT_SET -> {}
        }
    }

    private void undo(Callback callback) {
        send(FromOmega.newBuilder()
                .setResult(CallbackResult.newBuilder()
                        .setSaga(callback.getSaga())
                        .setBranch(callback.getBranch())
                        .setKind(callback.getKind())
                        .setAttempt(callback.getAttempt()))
                .build());
    }

    private void answered(Ack ack) {
        Unanswered answered = unanswered.remove(ack.getCorrelation());
        if (answered == null) return;
        switch (ack.getOutcomeCase()) {
            case UNAVAILABLE -> {
                unanswered.put(ack.getCorrelation(), answered);
                var unused = thread.schedule(
                        () -> send(answered.input()),
                        Math.max(1, ack.getUnavailable().getRetryAfterMillis()),
                        TimeUnit.MILLISECONDS);
            }
            case ACCEPTED, COMMITTED -> {
                acks.incrementAndGet();
                promises.add(new Promise(answered.input().getSaga(), event(answered.input(), ack)));
                next(answered.script());
            }
            // The deadline was faster, while alpha was away: an end like another.
            case ABORTED -> {
                acks.incrementAndGet();
                promises.add(new Promise(answered.input().getSaga(), "saga.aborted.v1"));
                begin();
            }
            case PENDING, REJECTED, OUTCOME_NOT_SET -> {
                surprises.add("Alpha answers " + ack + " to " + answered.input());
                begin();
            }
        }
    }

    private static String event(Input input, Ack ack) {
        if (ack.hasCommitted()) return "saga.committed.v1";
        return switch (input.getKindCase()) {
            case BEGIN, BEGIN_ONCE, BEGIN_NESTED -> "saga.begun.v1";
            case BEGIN_BRANCH -> "branch.began.v1 " + input.getBeginBranch().getBranch();
            case END_BRANCH -> "branch.ended.v1 " + input.getEndBranch().getBranch();
            case FAIL_BRANCH -> "branch.failed.v1 " + input.getFailBranch().getBranch();
            case BEGIN_NESTED_BRANCH, END, ABORT, ASK_OUTCOME, KIND_NOT_SET ->
                throw new IllegalStateException("Alpha accepts " + input);
        };
    }

    private void begin() {
        if (!stopping) next(new Script(sagas++ % FAILING == 0));
    }

    /** Begin, two branches that begin and end, the end; or the second branch fails, which is the end as well. */
    private void next(Script script) {
        Input.Builder input = Input.newBuilder().setSaga(script.saga).setCorrelation(++correlation);
        switch (script.step++) {
            case 0 ->
                input.setBegin(BeginSaga.newBuilder()
                        .setOperation("record")
                        .setPolicy(Policy.newBuilder().setTimeoutMillis(Stage.SAGA_TIMEOUT.toMillis())));
            case 1 -> input.setBeginBranch(branch("first"));
            case 2 -> input.setEndBranch(EndBranch.newBuilder().setBranch("first"));
            case 3 -> input.setBeginBranch(branch("second"));
            case 4 -> {
                if (script.failing)
                    input.setFailBranch(FailBranch.newBuilder()
                            .setBranch("second")
                            .setCause("full")
                            .setRolledBack(true));
                else input.setEndBranch(EndBranch.newBuilder().setBranch("second"));
            }
            default -> {
                if (script.failing || script.step > 6) {
                    begin();
                    return;
                }
                input.setEnd(EndSaga.newBuilder().setWait(true));
            }
        }
        Input next = input.build();
        unanswered.put(next.getCorrelation(), new Unanswered(next, script));
        send(next);
    }

    private static BeginBranch branch(String id) {
        return BeginBranch.newBuilder()
                .setBranch(id)
                .setOperation(id)
                .setFenced(true)
                .setCompensation(CallbackOffer.newBuilder().setName(UNDO))
                .build();
    }

    private void send(Input input) {
        send(FromOmega.newBuilder()
                .setBatch(Batch.newBuilder().addInputs(input))
                .build());
    }

    /** If the stream is broken, gRPC drops it; what is unanswered is sent on the next. */
    private void send(FromOmega message) {
        if (stream != null) stream.onNext(message);
    }

    @Override
    public void close() {
        thread.shutdownNow();
        channel.shutdownNow();
    }
}
