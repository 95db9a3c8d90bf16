package io.alphaomega.omega.test;

import io.alphaomega.protocol.v1.Ack;
import io.alphaomega.protocol.v1.Acks;
import io.alphaomega.protocol.v1.Callback;
import io.alphaomega.protocol.v1.FromAlpha;
import io.alphaomega.protocol.v1.FromOmega;
import io.alphaomega.protocol.v1.Hello;
import io.alphaomega.protocol.v1.Limits;
import io.alphaomega.protocol.v1.Rejected;
import io.alphaomega.protocol.v1.Welcome;
import io.alphaomega.wire.WireInputs;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;

/** The stream of one omega. What it says is heard by its alpha, which guards it. */
final class MemoryStream implements StreamObserver<FromOmega> {
    private static final int MESSAGE_BYTES = 8 * 1024 * 1024;
    private static final int UNANSWERED_INPUTS = 10_000;

    private final MemoryAlpha alpha;
    private final StreamObserver<FromAlpha> omega;
    private Hello hello = Hello.getDefaultInstance();
    private boolean draining;
    private boolean over;

    MemoryStream(MemoryAlpha alpha, StreamObserver<FromAlpha> omega) {
        this.alpha = alpha;
        this.omega = omega;
    }

    Hello hello() {
        return hello;
    }

    String build() {
        return WireInputs.build(hello);
    }

    boolean takesCallbacks(String service) {
        return !draining && !over && hello.getService().equals(service);
    }

    // ---- in

    @Override
    public void onNext(FromOmega message) {
        alpha.happen(() -> {
            if (over) return;
            switch (message.getKindCase()) {
                case HELLO -> {
                    if (!alpha.welcomes(this)) return;
                    hello = message.getHello();
                    send(FromAlpha.newBuilder().setWelcome(welcome()));
                    alpha.connected(this);
                }
                case BATCH -> message.getBatch().getInputsList().forEach(input -> alpha.input(this, input));
                case RESULT -> alpha.result(this, message.getResult());
                case DRAINING -> draining = true;
                case KIND_NOT_SET -> {} // From another version of omega, which does without it.
            }
        });
    }

    @Override
    public void onError(Throwable gone) {
        alpha.happen(this::end);
    }

    @Override
    public void onCompleted() {
        alpha.happen(() -> {
            if (!over) omega.onCompleted();
            end();
        });
    }

    void end() {
        if (over) return;
        over = true;
        alpha.disconnected(this);
    }

    // ---- out

    void refuse(long correlation, String operation) {
        answer(Ack.newBuilder()
                .setCorrelation(correlation)
                .setRejected(Rejected.newBuilder()
                        .setReason("PLANNED")
                        .setText(operation + " is refused as the test has planned"))
                .build());
    }

    void answer(Ack ack) {
        send(FromAlpha.newBuilder().setAcks(Acks.newBuilder().addAcks(ack)));
    }

    void ask(Callback callback) {
        send(FromAlpha.newBuilder().setCallback(callback));
    }

    void breakOff(String sentence) {
        if (over) return;
        omega.onError(Status.UNAVAILABLE.withDescription(sentence).asRuntimeException());
        end();
    }

    private void send(FromAlpha.Builder message) {
        if (!over) omega.onNext(message.build());
    }

    private static Welcome welcome() {
        return Welcome.newBuilder()
                .setNode("in memory")
                .setVersion("in memory")
                .setLimits(Limits.newBuilder()
                        .setPayloadBytes(io.alphaomega.saga.Limits.PAYLOAD_BYTES)
                        .setBranches(io.alphaomega.saga.Limits.BRANCHES)
                        .setUnansweredInputs(UNANSWERED_INPUTS)
                        .setMessageBytes(MESSAGE_BYTES))
                .build();
    }
}
