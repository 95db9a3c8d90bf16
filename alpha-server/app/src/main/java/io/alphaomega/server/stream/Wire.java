package io.alphaomega.server.stream;

import akka.actor.typed.ActorRef;
import io.alphaomega.protocol.v1.FromAlpha;
import io.alphaomega.protocol.v1.FromOmega;
import io.alphaomega.protocol.v1.Hello;
import io.alphaomega.saga.Limits;
import io.grpc.Status;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The gRPC side of one stream. It checks the Hello itself; from then on whatever netty's threads bring is passed to the
 * stream's {@link Connection}, the only one that writes.
 */
final class Wire implements StreamObserver<FromOmega> {
    private final ServerCallStreamObserver<FromAlpha> out;
    private final BiConsumer<Hello, Wire> onHello;
    private final Runnable onEnd;
    private final AtomicBoolean begun = new AtomicBoolean();
    private final AtomicBoolean ended = new AtomicBoolean();
    private volatile @Nullable ActorRef<Connection.Command> connection;

    /**
     * @param onHello what to do once the peer has said who it is; then somebody has to {@link #attach}
     * @param onEnd runs once, when the stream is over
     */
    Wire(ServerCallStreamObserver<FromAlpha> out, BiConsumer<Hello, Wire> onHello, Runnable onEnd) {
        this.out = out;
        this.onHello = onHello;
        this.onEnd = onEnd;
        out.disableAutoRequest();
        out.setOnReadyHandler(() -> tell(Connection.Signal.WRITABLE));
        out.setOnCancelHandler(this::over);
        out.setOnCloseHandler(this::over);
        out.request(1);
    }

    // ---- what the peer does, on netty's threads

    @Override
    public void onNext(FromOmega message) {
        if (connection != null) {
            tell(new Connection.Received(message));
        } else if (begun.compareAndSet(false, true)) {
            String refusal = refusal(message);
            if (refusal == null) onHello.accept(message.getHello(), this);
            else fail(Status.INVALID_ARGUMENT.withDescription(refusal));
        }
    }

    @Override
    public void onError(Throwable broken) {
        over();
    }

    @Override
    public void onCompleted() {
        if (connection != null) tell(Connection.Signal.HALF_CLOSED);
        else if (begun.compareAndSet(false, true)) complete();
    }

    private void over() {
        if (ended.compareAndSet(false, true)) onEnd.run();
        tell(Connection.Signal.BROKEN);
    }

    private void tell(Connection.Command command) {
        ActorRef<Connection.Command> to = connection;
        if (to != null) to.tell(command);
    }

    private static @Nullable String refusal(FromOmega message) {
        if (!message.hasHello()) {
            return "The first message of a stream must be Hello but was %s; the stream is closed."
                    .formatted(message.getKindCase());
        }
        String wrong = wrong("service", message.getHello().getService());
        return wrong != null ? wrong : wrong("instance", message.getHello().getInstance());
    }

    private static @Nullable String wrong(String what, String name) {
        if (!name.isBlank() && name.length() <= Limits.NAME_CHARS) return null;
        return "The %s of a Hello must have 1 to %d characters but has %d; the stream is closed."
                .formatted(what, Limits.NAME_CHARS, name.isBlank() ? 0 : name.length());
    }

    // ---- what alpha does, on the connection's thread

    /** From now on {@code connection} reads and writes, and is told if the stream ends. */
    void attach(ActorRef<Connection.Command> connection) {
        this.connection = connection;
        if (ended.get()) connection.tell(Connection.Signal.BROKEN);
    }

    void request(int messages) {
        out.request(messages);
    }

    boolean isReady() {
        return out.isReady();
    }

    void send(FromAlpha message) {
        if (!ended.get()) out.onNext(message);
    }

    void complete() {
        out.onCompleted();
    }

    void fail(Status status) {
        out.onError(status.asRuntimeException());
    }

    /** Ends a stream whose peer has not said who it is; nothing happens if it has. */
    void expire(Status status) {
        if (begun.compareAndSet(false, true)) fail(status);
    }
}
