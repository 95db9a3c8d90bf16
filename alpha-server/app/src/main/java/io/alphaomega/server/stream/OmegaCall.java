package io.alphaomega.server.stream;

import io.alphaomega.protocol.v1.FromAlpha;
import io.alphaomega.protocol.v1.FromOmega;
import io.alphaomega.protocol.v1.Hello;
import io.alphaomega.saga.Limits;
import io.alphaomega.server.turn.Turn;
import io.alphaomega.server.wire.AckBuffer;
import io.grpc.Status;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import io.netty.channel.EventLoop;
import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The gRPC side of one stream. It checks the Hello itself; from then on whatever the peer does is passed to the stream's
 * {@link Conversation}. Everything happens on the event loop of the stream's connection, where reading and writing cost
 * no change of thread; {@link #run} leads there.
 */
final class OmegaCall implements StreamObserver<FromOmega> {
    private final ServerCallStreamObserver<ToOmega> out;
    /** A peer that reads has heard of the end within less; one that does not would keep the stream's buffers for ever. */
    private static final Duration END_HEARD_WITHIN = Duration.ofSeconds(5);

    private final EventLoop loop;
    private final FairShare share;
    private final Runnable drop = Droppable.current();
    private final BiConsumer<Hello, OmegaCall> onHello;
    private final Runnable onEnd;
    private boolean begun;
    private boolean ended;
    private boolean halfClosed;
    private @Nullable Conversation conversation;

    /**
     * @param loop where this is called, and gRPC calls everything else
     * @param share of the streams of that loop
     * @param onHello what to do once the peer has said who it is; then somebody has to {@link #attach}
     * @param onEnd runs once, when the stream is over
     */
    OmegaCall(
            ServerCallStreamObserver<ToOmega> out,
            EventLoop loop,
            FairShare share,
            BiConsumer<Hello, OmegaCall> onHello,
            Runnable onEnd) {
        this.out = out;
        this.loop = loop;
        this.share = share;
        this.onHello = onHello;
        this.onEnd = onEnd;
        out.disableAutoRequest();
        out.setOnReadyHandler(this::ready);
        out.setOnCancelHandler(this::over);
        out.setOnCloseHandler(this::over);
        out.request(1);
    }

    /** What the streams of its event loop share. */
    FairShare share() {
        return share;
    }

    // ---- from any thread

    /** Does it on the event loop, soon; never if alpha has stopped, and the stream with it. */
    void run(Runnable task) {
        try {
            loop.execute(task);
        } catch (RejectedExecutionException e) {
            // Nobody is there to be told.
        }
    }

    /** From now on {@code conversation} reads and writes, and is told if the stream ends. */
    void attach(Conversation conversation) {
        run(() -> {
            this.conversation = conversation;
            if (ended) {
                conversation.broken();
                return;
            }
            conversation.open();
            if (halfClosed) conversation.halfClosed();
        });
    }

    // ---- what the peer does

    @Override
    public void onNext(FromOmega message) {
        Conversation known = conversation;
        if (known != null) {
            Turn.take(() -> known.received(message));
        } else if (!begun) {
            begun = true;
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
        if (conversation != null) {
            conversation.halfClosed();
        } else if (!begun) {
            begun = true;
            complete();
        } else {
            halfClosed = true; // Whoever is to be attached is told then.
        }
    }

    private void ready() {
        if (conversation != null) conversation.flush();
    }

    private void over() {
        if (ended) return;
        ended = true;
        onEnd.run();
        if (conversation != null) conversation.broken();
    }

    private static @Nullable String refusal(FromOmega message) {
        if (!message.hasHello()) {
            return "The first message of a stream must be Hello but was %s; the stream is closed."
                    .formatted(message.getKindCase());
        }
        String wrong = wrong("service", message.getHello().getService());
        if (wrong == null) wrong = wrong("instance", message.getHello().getInstance());
        if (wrong != null || message.getHello().getBuild().length() <= Limits.ID_CHARS) return wrong;
        return "The build of a Hello must have at most %d characters but has %d; the stream is closed."
                .formatted(Limits.ID_CHARS, message.getHello().getBuild().length());
    }

    private static @Nullable String wrong(String what, String name) {
        if (!name.isBlank() && name.length() <= Limits.NAME_CHARS) return null;
        return "The %s of a Hello must have 1 to %d characters but has %d; the stream is closed."
                .formatted(what, Limits.NAME_CHARS, name.isBlank() ? 0 : name.length());
    }

    // ---- what alpha does

    /** Reads a message more; it may come before this returns. */
    void request() {
        out.request(1);
    }

    boolean isReady() {
        return out.isReady();
    }

    void send(FromAlpha message) {
        if (!ended) out.onNext(new ToOmega.Said(message));
    }

    void send(AckBuffer.Message acks) {
        if (!ended) out.onNext(new ToOmega.Answered(acks));
    }

    void complete() {
        if (ended) return;
        out.onCompleted();
        endLater();
    }

    void fail(Status status) {
        if (ended) return;
        out.onError(status.asRuntimeException());
        endLater();
    }

    /** What ends a stream waits behind what was written before, until the peer reads that. */
    private void endLater() {
        if (!ended) schedule(this::cut, END_HEARD_WITHIN.toMillis());
    }

    private void cut() {
        if (!ended) drop.run();
    }

    /** Ends a stream whose peer has not said who it is; nothing happens if it has. */
    void expire(Status status) {
        if (begun) return;
        begun = true;
        fail(status);
    }

    /** Does it on the event loop, later; never if alpha has stopped. */
    void schedule(Runnable task, long millis) {
        schedule(loop, task, millis);
    }

    /** The same for what is not of one stream. */
    static void schedule(EventLoop loop, Runnable task, long millis) {
        try {
            Future<?> unused = loop.schedule(task, millis, TimeUnit.MILLISECONDS); // Nobody calls it off.
        } catch (RejectedExecutionException e) {
            // The streams end now, whatever was to be looked at later.
        }
    }
}
