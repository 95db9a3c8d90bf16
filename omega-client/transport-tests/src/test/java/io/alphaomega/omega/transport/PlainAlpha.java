package io.alphaomega.omega.transport;

import io.alphaomega.protocol.v1.Accepted;
import io.alphaomega.protocol.v1.Ack;
import io.alphaomega.protocol.v1.Acks;
import io.alphaomega.protocol.v1.AlphaGrpc;
import io.alphaomega.protocol.v1.Committed;
import io.alphaomega.protocol.v1.FromAlpha;
import io.alphaomega.protocol.v1.FromOmega;
import io.alphaomega.protocol.v1.Input;
import io.alphaomega.protocol.v1.Welcome;
import io.grpc.Server;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;

/** An alpha on a real socket that commits every saga: for tests of how alphas are found. */
final class PlainAlpha extends AlphaGrpc.AlphaImplBase implements AutoCloseable {
    private final String node;
    private final Server server;

    PlainAlpha(String node) {
        this.node = node;
        try {
            server = NettyServerBuilder.forAddress(new InetSocketAddress("127.0.0.1", 0))
                    .addService(this)
                    .build()
                    .start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    int port() {
        return server.getPort();
    }

    @Override
    public StreamObserver<FromOmega> connect(StreamObserver<FromAlpha> omega) {
        return new StreamObserver<>() {
            @Override
            public void onNext(FromOmega message) {
                if (message.hasHello()) {
                    omega.onNext(FromAlpha.newBuilder()
                            .setWelcome(Welcome.newBuilder().setNode(node).setVersion("test"))
                            .build());
                }
                if (message.hasBatch()) {
                    Acks.Builder acks = Acks.newBuilder();
                    message.getBatch().getInputsList().forEach(input -> acks.addAcks(answer(input)));
                    omega.onNext(FromAlpha.newBuilder().setAcks(acks).build());
                }
            }

            @Override
            public void onError(Throwable gone) {}

            @Override
            public void onCompleted() {
                omega.onCompleted();
            }
        };
    }

    private static Ack answer(Input input) {
        Ack.Builder answer = Ack.newBuilder().setCorrelation(input.getCorrelation());
        return input.hasEnd()
                ? answer.setCommitted(Committed.getDefaultInstance()).build()
                : answer.setAccepted(Accepted.getDefaultInstance()).build();
    }

    void stop() {
        server.shutdownNow();
    }

    @Override
    public void close() {
        stop();
    }
}
