package io.alphaomega.omega.test;

import io.alphaomega.omega.transport.BootUnderTest;
import io.alphaomega.protocol.v1.AlphaGrpc;
import io.alphaomega.protocol.v1.FromAlpha;
import io.alphaomega.protocol.v1.FromOmega;
import io.alphaomega.repository.servers.ServerProcess;
import io.grpc.ManagedChannel;
import io.grpc.Server;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;

/** A node of the alpha in memory that is reached as a real one is: by a socket of its own. It may stop and come back. */
public final class SocketAlpha extends AlphaGrpc.AlphaImplBase implements AutoCloseable {
    private final int port = ServerProcess.freePort();
    private final ManagedChannel alpha;
    private Server server;

    /** One of the nodes of that alpha, listening. */
    public SocketAlpha(TestAlpha alpha) {
        this.alpha = alpha.channel();
        server = listening();
    }

    /** Its gRPC port on 127.0.0.1. */
    public int port() {
        return port;
    }

    @Override
    public StreamObserver<FromOmega> connect(StreamObserver<FromAlpha> omega) {
        return AlphaGrpc.newStub(alpha).connect(omega);
    }

    /** Breaks every stream and listens no more. */
    public void stop() {
        server.shutdownNow();
        try {
            server.awaitTermination();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** At the port that it had. */
    public void comeBack() {
        server = listening();
    }

    private Server listening() {
        try {
            return BootUnderTest.grpcServerAt(new InetSocketAddress(InetAddress.getLoopbackAddress(), port))
                    .directExecutor()
                    .addService(this)
                    .build()
                    .start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        stop();
        alpha.shutdownNow();
    }
}
