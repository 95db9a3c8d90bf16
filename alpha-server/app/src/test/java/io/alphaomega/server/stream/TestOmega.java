package io.alphaomega.server.stream;

import static org.assertj.core.api.Assertions.assertThat;

import io.alphaomega.protocol.v1.AbortSaga;
import io.alphaomega.protocol.v1.Ack;
import io.alphaomega.protocol.v1.AlphaGrpc;
import io.alphaomega.protocol.v1.Batch;
import io.alphaomega.protocol.v1.BeginBranch;
import io.alphaomega.protocol.v1.BeginSaga;
import io.alphaomega.protocol.v1.Callback;
import io.alphaomega.protocol.v1.CallbackFailure;
import io.alphaomega.protocol.v1.CallbackKind;
import io.alphaomega.protocol.v1.CallbackOffer;
import io.alphaomega.protocol.v1.CallbackResult;
import io.alphaomega.protocol.v1.Draining;
import io.alphaomega.protocol.v1.EndBranch;
import io.alphaomega.protocol.v1.EndSaga;
import io.alphaomega.protocol.v1.FenceFinding;
import io.alphaomega.protocol.v1.FenceFinding.Finding;
import io.alphaomega.protocol.v1.FromAlpha;
import io.alphaomega.protocol.v1.FromOmega;
import io.alphaomega.protocol.v1.Hello;
import io.alphaomega.protocol.v1.Input;
import io.alphaomega.protocol.v1.StoreMark;
import io.alphaomega.protocol.v1.Welcome;
import io.alphaomega.repository.servers.Patience;
import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientResponseObserver;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** An omega that says exactly what a test wants it to say. */
public final class TestOmega implements AutoCloseable {

    /** Small, so that it shows soon when somebody does not read. */
    private static final int FLOW_CONTROL_BYTES = 64 * 1024;

    /** Answers and callbacks overtake each other; each kind keeps its order. */
    final BlockingQueue<FromAlpha> acks = new LinkedBlockingQueue<>();

    final BlockingQueue<FromAlpha> callbacks = new LinkedBlockingQueue<>();
    final BlockingQueue<FromAlpha> others = new LinkedBlockingQueue<>();

    /** How far the store had come when it was told so last, by the run of the node that said so. */
    public final Map<String, StoreMark> marks = new ConcurrentHashMap<>();

    /** What its fence has, by saga; null for an older omega, which cannot be asked. */
    private volatile @Nullable Map<String, Finding> fence;

    final CompletableFuture<Status> ended = new CompletableFuture<>();
    final ClientCallStreamObserver<FromOmega> out;
    private final ManagedChannel channel;

    /** An instance that has been welcomed. */
    public static TestOmega welcomed(int port, String service, String instance) {
        TestOmega omega = new TestOmega(port, true);
        omega.hello(service, instance);
        assertThat(omega.welcome().getNode()).isNotEmpty();
        return omega;
    }

    /** The same, of a build of the service. */
    public static TestOmega welcomed(int port, String service, String instance, String build) {
        return offering(port, service, instance, build, "cancel");
    }

    /** The same, which can run these callbacks. */
    public static TestOmega offering(int port, String service, String instance, String build, String... callbacks) {
        TestOmega omega = new TestOmega(port, true);
        omega.out.onNext(FromOmega.newBuilder()
                .setHello(Hello.newBuilder()
                        .setService(service)
                        .setInstance(instance)
                        .setBuild(build)
                        .addAllCallbacks(List.of(callbacks)))
                .build());
        assertThat(omega.welcome().getNode()).isNotEmpty();
        return omega;
    }

    /**
     * One that can be asked what its fence has, and remembers what it was told when it was welcomed before.
     *
     * @param fence what it has of the sagas' branches, where it has anything
     */
    public static TestOmega welcomedAgain(
            int port, String service, String instance, Collection<StoreMark> seen, Map<String, Finding> fence) {
        TestOmega omega = new TestOmega(port, true);
        omega.fence = fence;
        omega.hello(service, instance, seen);
        assertThat(omega.welcome().getNode()).isNotEmpty();
        return omega;
    }

    /** @param reads whether it reads what alpha says without being told to */
    TestOmega(int port, boolean reads) {
        this(
                NettyChannelBuilder.forAddress("127.0.0.1", port)
                        .usePlaintext()
                        .flowControlWindow(FLOW_CONTROL_BYTES)
                        .build(),
                reads);
    }

    /** @param channel is closed with it */
    TestOmega(ManagedChannel channel, boolean reads) {
        this.channel = channel;
        out = (ClientCallStreamObserver<FromOmega>) AlphaGrpc.newStub(channel).connect(new Reader(reads));
    }

    private final class Reader implements ClientResponseObserver<FromOmega, FromAlpha> {
        private final boolean reads;

        Reader(boolean reads) {
            this.reads = reads;
        }

        @Override
        public void beforeStart(ClientCallStreamObserver<FromOmega> stream) {
            if (!reads) stream.disableAutoRequestWithInitial(0);
        }

        @Override
        public void onNext(FromAlpha message) {
            if (message.hasMark()) {
                marks.put(message.getMark().getRun(), message.getMark());
                return;
            }
            if (message.getCallback().getKind() == CallbackKind.INQUIRY && fence != null) {
                say(FromOmega.newBuilder().setResult(found(message.getCallback(), fence)));
                return;
            }
            (message.hasAcks() ? acks : message.hasCallback() ? callbacks : others).add(message);
        }

        @Override
        public void onError(Throwable failure) {
            ended.complete(Status.fromThrowable(failure));
        }

        @Override
        public void onCompleted() {
            ended.complete(Status.OK);
        }
    }

    // ---- what it says

    private void say(FromOmega.Builder message) {
        synchronized (out) {
            out.onNext(message.build());
        }
    }

    void hello(String service, String instance) {
        hello(service, instance, List.of());
    }

    private void hello(String service, String instance, Collection<StoreMark> seen) {
        say(FromOmega.newBuilder()
                .setHello(Hello.newBuilder()
                        .setService(service)
                        .setInstance(instance)
                        .addCallbacks("cancel")
                        .setAnswersInquiries(fence != null)
                        .addAllSeen(seen)));
    }

    void send(Input... inputs) {
        say(FromOmega.newBuilder().setBatch(Batch.newBuilder().addAllInputs(List.of(inputs))));
    }

    public void succeed(Callback callback) {
        say(FromOmega.newBuilder()
                .setResult(CallbackResult.newBuilder()
                        .setSaga(callback.getSaga())
                        .setBranch(callback.getBranch())
                        .setKind(callback.getKind())
                        .setAttempt(callback.getAttempt())));
    }

    private static CallbackResult found(Callback inquiry, Map<String, Finding> fence) {
        return CallbackResult.newBuilder()
                .setSaga(inquiry.getSaga())
                .setBranch(inquiry.getBranch())
                .setKind(inquiry.getKind())
                .setAttempt(inquiry.getAttempt())
                .setFound(FenceFinding.newBuilder().setFinding(fence.getOrDefault(inquiry.getSaga(), Finding.NO_ROW)))
                .build();
    }

    public void fail(Callback callback, CallbackFailure.Code code) {
        say(FromOmega.newBuilder()
                .setResult(CallbackResult.newBuilder()
                        .setSaga(callback.getSaga())
                        .setBranch(callback.getBranch())
                        .setKind(callback.getKind())
                        .setAttempt(callback.getAttempt())
                        .setFailure(CallbackFailure.newBuilder().setCode(code))));
    }

    void drain() {
        say(FromOmega.newBuilder().setDraining(Draining.getDefaultInstance()));
    }

    public static Input begin(long correlation, String saga) {
        return input(correlation, saga)
                .setBegin(BeginSaga.newBuilder().setOperation("Trips.book"))
                .build();
    }

    public static Input end(long correlation, String saga, boolean wait) {
        return input(correlation, saga)
                .setEnd(EndSaga.newBuilder().setWait(wait))
                .build();
    }

    public static Input abort(long correlation, String saga) {
        return input(correlation, saga)
                .setAbort(AbortSaga.newBuilder().setCause("changed my mind"))
                .build();
    }

    public static Input beginBranch(long correlation, String saga, String branch) {
        return input(correlation, saga)
                .setBeginBranch(BeginBranch.newBuilder()
                        .setBranch(branch)
                        .setOperation("Hotels.reserve")
                        .setCompensation(CallbackOffer.newBuilder().setName("cancel"))
                        .setFenced(true))
                .build();
    }

    public static Input endBranch(long correlation, String saga, String branch) {
        return input(correlation, saga)
                .setEndBranch(EndBranch.newBuilder().setBranch(branch))
                .build();
    }

    static Input.Builder input(long correlation, String saga) {
        return Input.newBuilder().setCorrelation(correlation).setSaga(saga);
    }

    // ---- what it hears

    /** The next of a kind. */
    static FromAlpha next(BlockingQueue<FromAlpha> kind) {
        try {
            FromAlpha message = kind.poll(Patience.LIMIT.toMillis(), TimeUnit.MILLISECONDS);
            if (message != null) return message;
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
        throw new AssertionError("alpha says nothing within " + Patience.LIMIT);
    }

    /** The next so many answers. */
    List<Ack> acks(int count) {
        List<Ack> answers = new ArrayList<>();
        while (answers.size() < count) answers.addAll(next(acks).getAcks().getAcksList());
        return answers;
    }

    public Ack ask(Input input) {
        send(input);
        return acks(1).getFirst();
    }

    public Callback callback() {
        return next(callbacks).getCallback();
    }

    Welcome welcome() {
        return next(others).getWelcome();
    }

    Status status() {
        return ended.orTimeout(Patience.LIMIT.toMillis(), TimeUnit.MILLISECONDS).join();
    }

    /** Runs a branch of this service to its end. */
    public void run(String saga, String branch) {
        assertThat(ask(beginBranch(1, saga, branch)).hasAccepted()).isTrue();
        assertThat(ask(endBranch(2, saga, branch)).hasAccepted()).isTrue();
    }

    /** A callback that is there already, if any is. */
    public Optional<Callback> callbackAtHand() {
        return Optional.ofNullable(callbacks.poll()).map(FromAlpha::getCallback);
    }

    /** The process is gone. */
    public void vanish() {
        channel.shutdownNow();
    }

    @Override
    public void close() {
        channel.shutdownNow();
    }
}
