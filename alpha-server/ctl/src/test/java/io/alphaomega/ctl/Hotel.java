package io.alphaomega.ctl;

import io.alphaomega.protocol.v1.AbortSaga;
import io.alphaomega.protocol.v1.AlphaGrpc;
import io.alphaomega.protocol.v1.Batch;
import io.alphaomega.protocol.v1.BeginBranch;
import io.alphaomega.protocol.v1.BeginNested;
import io.alphaomega.protocol.v1.BeginNestedBranch;
import io.alphaomega.protocol.v1.BeginSaga;
import io.alphaomega.protocol.v1.Callback;
import io.alphaomega.protocol.v1.CallbackFailure;
import io.alphaomega.protocol.v1.CallbackKind;
import io.alphaomega.protocol.v1.CallbackOffer;
import io.alphaomega.protocol.v1.CallbackResult;
import io.alphaomega.protocol.v1.EndBranch;
import io.alphaomega.protocol.v1.EndSaga;
import io.alphaomega.protocol.v1.FenceFinding;
import io.alphaomega.protocol.v1.FromAlpha;
import io.alphaomega.protocol.v1.FromOmega;
import io.alphaomega.protocol.v1.Hello;
import io.alphaomega.protocol.v1.Input;
import io.alphaomega.protocol.v1.StoreMark;
import io.grpc.ManagedChannel;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.StreamObserver;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** A service that begins sagas and aborts them, and cannot read what it shall undo until it is mended. */
final class Hotel implements AutoCloseable {
    private final ManagedChannel channel;
    private final StreamObserver<FromOmega> out;
    private final CountDownLatch welcomed = new CountDownLatch(1);
    private volatile boolean mended;
    private long correlation;

    private final BlockingQueue<StoreMark> marks = new LinkedBlockingQueue<>();

    Hotel(int port) throws InterruptedException {
        this(port, "hotel-1", "1.0-aaaa");
    }

    /** @param seen how far it has seen alpha's store come before */
    Hotel(int port, String instance, String build, StoreMark... seen) throws InterruptedException {
        channel =
                NettyChannelBuilder.forAddress("127.0.0.1", port).usePlaintext().build();
        out = AlphaGrpc.newStub(channel).connect(new StreamObserver<>() {
            @Override
            public void onNext(FromAlpha message) {
                if (message.hasWelcome()) welcomed.countDown();
                if (message.hasCallback()) answer(message.getCallback());
                if (message.hasMark()) marks.add(message.getMark());
            }

            @Override
            public void onError(Throwable end) {}

            @Override
            public void onCompleted() {}
        });
        say(FromOmega.newBuilder()
                .setHello(Hello.newBuilder()
                        .setService("hotel")
                        .setInstance(instance)
                        .setBuild(build)
                        .setVersion("test")
                        .setAnswersInquiries(true)
                        .addAllSeen(List.of(seen))
                        .addCallbacks("Rooms.cancel")));
        if (!welcomed.await(2, TimeUnit.MINUTES)) throw new IllegalStateException("Alpha has not welcomed the hotel.");
    }

    /** How far alpha's store has come, once it has been told. */
    StoreMark mark() throws InterruptedException {
        return Objects.requireNonNull(marks.poll(2, TimeUnit.MINUTES), "alpha has told no mark");
    }

    void mend() {
        mended = true;
    }

    /** A saga whose compensation fails for good until the hotel is mended. */
    void aborted(String saga) {
        booked(saga);
        send(saga, Input.newBuilder().setAbort(AbortSaga.newBuilder().setCause("none left")));
    }

    /** A saga that wants to commit. */
    void committed(String saga) {
        booked(saga);
        send(saga, Input.newBuilder().setEnd(EndSaga.newBuilder().setWait(true)));
    }

    /** A saga in which another has begun. */
    void nested(String saga, String nested) {
        booked(saga);
        send(
                saga,
                Input.newBuilder()
                        .setBeginNestedBranch(BeginNestedBranch.newBuilder()
                                .setBranch(BeginBranch.newBuilder()
                                        .setBranch("ride")
                                        .setOperation("Rides.book"))
                                .setSaga(nested)));
        send(
                nested,
                Input.newBuilder()
                        .setBeginNested(BeginNested.newBuilder()
                                .setBegin(BeginSaga.newBuilder().setOperation("Rides.book"))
                                .setParentSaga(saga)
                                .setParentBranch("ride")));
    }

    /** A saga that has done something and is open. */
    void booked(String saga) {
        send(
                saga,
                Input.newBuilder()
                        .setBegin(BeginSaga.newBuilder()
                                .setOperation("Trips.book")
                                .setBusinessKey("trip 17")));
        send(
                saga,
                Input.newBuilder()
                        .setBeginBranch(BeginBranch.newBuilder()
                                .setBranch(saga + "-hotel")
                                .setOperation("Rooms.reserve")
                                .setFenced(true)
                                .setCompensation(CallbackOffer.newBuilder().setName("Rooms.cancel"))));
        send(saga, Input.newBuilder().setEndBranch(EndBranch.newBuilder().setBranch(saga + "-hotel")));
    }

    private void send(String saga, Input.Builder input) {
        say(FromOmega.newBuilder()
                .setBatch(Batch.newBuilder().addInputs(input.setSaga(saga).setCorrelation(++correlation))));
    }

    private void answer(Callback callback) {
        CallbackResult.Builder result = CallbackResult.newBuilder()
                .setSaga(callback.getSaga())
                .setBranch(callback.getBranch())
                .setKind(callback.getKind())
                .setAttempt(callback.getAttempt());
        if (callback.getKind() == CallbackKind.INQUIRY) {
            result.setFound(FenceFinding.newBuilder().setFinding(FenceFinding.Finding.RAN));
        } else if (!mended) {
            result.setFailure(CallbackFailure.newBuilder()
                    .setCode(CallbackFailure.Code.UNDECODABLE)
                    .setCause("no such field: room\n\u001b[31mred\u202e"));
        }
        say(FromOmega.newBuilder().setResult(result));
    }

    private synchronized void say(FromOmega.Builder message) {
        out.onNext(message.build());
    }

    @Override
    public void close() {
        channel.shutdownNow();
    }
}
