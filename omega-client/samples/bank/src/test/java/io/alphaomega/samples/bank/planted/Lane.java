package io.alphaomega.samples.bank.planted;

import io.alphaomega.protocol.v1.AlphaGrpc;
import io.alphaomega.protocol.v1.FromAlpha;
import io.alphaomega.protocol.v1.FromOmega;
import io.alphaomega.protocol.v1.Hello;
import io.grpc.ManagedChannel;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.StreamObserver;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** The stream of one service to one alpha, opened again whenever it breaks. Everything happens on one thread. */
final class Lane implements AutoCloseable {
    private static final Duration RECONNECT = Duration.ofMillis(100);

    final String service;
    private final List<String> callbacks;
    private final ManagedChannel channel;
    private final ScheduledExecutorService thread;
    private final BiConsumer<Lane, FromAlpha> listener;
    private @Nullable StreamObserver<FromOmega> stream;
    private int connection;
    private boolean open;

    Lane(
            String address,
            String service,
            List<String> callbacks,
            ScheduledExecutorService thread,
            BiConsumer<Lane, FromAlpha> listener) {
        this.service = service;
        this.callbacks = callbacks;
        this.thread = thread;
        this.listener = listener;
        channel = NettyChannelBuilder.forTarget(address).usePlaintext().build();
    }

    void connect() {
        int current = ++connection;
        stream = AlphaGrpc.newStub(channel).connect(new StreamObserver<>() {
            @Override
            public void onNext(FromAlpha message) {
                later(() -> {
                    if (current != connection) return;
                    open |= message.hasWelcome();
                    listener.accept(Lane.this, message);
                });
            }

            @Override
            public void onError(Throwable broken) {
                later(() -> lost(current));
            }

            @Override
            public void onCompleted() {
                later(() -> lost(current));
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

    private void lost(int which) {
        if (which != connection) return;
        open = false;
        var unused = thread.schedule(this::connect, RECONNECT.toMillis(), TimeUnit.MILLISECONDS);
    }

    private void later(Runnable task) {
        try {
            thread.execute(task);
        } catch (RejectedExecutionException closed) {
            // What comes after the end is of no interest.
        }
    }

    boolean isOpen() {
        return open;
    }

    /** If the stream is broken, gRPC drops it. */
    void send(FromOmega message) {
        if (stream != null && open) stream.onNext(message);
    }

    @Override
    public void close() {
        channel.shutdownNow();
    }
}
