package io.alphaomega.samples.bank.campaign;

import io.alphaomega.protocol.v1.AlphaGrpc;
import io.alphaomega.protocol.v1.Batch;
import io.alphaomega.protocol.v1.FromAlpha;
import io.alphaomega.protocol.v1.FromOmega;
import io.alphaomega.protocol.v1.Hello;
import io.alphaomega.protocol.v1.Input;
import io.grpc.ManagedChannel;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.StreamObserver;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A stream to one node that is opened again whenever it is lost. Everything happens on one thread. */
final class Lane implements AutoCloseable {
    private static final Duration RECONNECT = Duration.ofMillis(200);

    private final ManagedChannel channel;
    private final String service;
    private final List<String> callbacks;
    private final ScheduledExecutorService thread;
    private final Listener listener;
    private @Nullable StreamObserver<FromOmega> stream;
    private int connection;
    private boolean open;

    /** Hears what comes. */
    interface Listener {
        void received(FromAlpha message);

        /** What was sent last has perhaps not arrived. */
        void lost();
    }

    Lane(String address, String service, List<String> callbacks, ScheduledExecutorService thread, Listener listener) {
        this.channel = NettyChannelBuilder.forTarget(address).usePlaintext().build();
        this.service = service;
        this.callbacks = callbacks;
        this.thread = thread;
        this.listener = listener;
    }

    void connect() {
        int current = ++connection;
        // Or it would wait for up to two minutes by itself.
        channel.resetConnectBackoff();
        stream = AlphaGrpc.newStub(channel).connect(new StreamObserver<>() {
            @Override
            public void onNext(FromAlpha message) {
                later(current, () -> received(message));
            }

            @Override
            public void onError(Throwable broken) {
                later(current, Lane.this::lost);
            }

            @Override
            public void onCompleted() {
                later(current, Lane.this::lost);
            }
        });
        stream.onNext(FromOmega.newBuilder()
                .setHello(Hello.newBuilder()
                        .setService(service)
                        .setInstance(UUID.randomUUID().toString())
                        .setVersion("test")
                        .addAllCallbacks(callbacks))
                .build());
    }

    private void later(int about, Runnable task) {
        if (thread.isShutdown()) return;
        thread.execute(() -> {
            if (about == connection) task.run();
        });
    }

    private void received(FromAlpha message) {
        if (message.hasWelcome()) open = true;
        // It has answered what it has read; nothing new goes there until it is back.
        if (message.hasGoAway()) {
            open = false;
            if (stream != null) stream.onCompleted();
        }
        listener.received(message);
    }

    private void lost() {
        open = false;
        connection++;
        listener.lost();
        var unused = thread.schedule(this::connect, RECONNECT.toMillis(), TimeUnit.MILLISECONDS);
    }

    boolean isOpen() {
        return open;
    }

    void send(Input input) {
        send(FromOmega.newBuilder()
                .setBatch(Batch.newBuilder().addInputs(input))
                .build());
    }

    /** If the stream is broken, gRPC drops it. */
    void send(FromOmega message) {
        if (open && stream != null) stream.onNext(message);
    }

    @Override
    public void close() {
        channel.shutdownNow();
    }
}
