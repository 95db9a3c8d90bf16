package io.alphaomega.server.stream;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.awaitility.Awaitility.await;

import com.google.protobuf.ByteString;
import io.alphaomega.protocol.v1.AlphaGrpc;
import io.alphaomega.protocol.v1.Batch;
import io.alphaomega.protocol.v1.BeginBranch;
import io.alphaomega.protocol.v1.FromAlpha;
import io.alphaomega.protocol.v1.FromOmega;
import io.alphaomega.protocol.v1.Hello;
import io.alphaomega.repository.servers.Patience;
import io.grpc.ManagedChannel;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientResponseObserver;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioSocketChannel;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** Many streams over as few connections as alpha allows. Each sends whenever it may, reads nothing, and comes again. */
final class HostileClient implements AutoCloseable {
    private static final ByteString ARGUMENTS = ByteString.copyFrom(new byte[60 * 1024]);

    private final EventLoopGroup loop = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
    private final List<ManagedChannel> channels = new ArrayList<>();
    private final AtomicLong sent = new AtomicLong();
    private final AtomicInteger begun = new AtomicInteger();
    private final int streams;
    private volatile boolean closed;

    /**
     * Takes the port and how many streams. Says {@code full} when all have begun, then for each line that it reads how many
     * bytes it has sent.
     */
    public static void main(String[] arguments) throws IOException {
        try (HostileClient client = new HostileClient(Integer.parseInt(arguments[0]), Integer.parseInt(arguments[1]))) {
            client.awaitFull();
            System.out.println("full");
            BufferedReader asked = new BufferedReader(new InputStreamReader(System.in, UTF_8));
            while (asked.readLine() != null) System.out.println(client.sent.get());
        }
    }

    private HostileClient(int port, int streams) {
        this.streams = streams;
        for (int i = 0; i < streams; i++) {
            if (i % GrpcServer.CONNECTION_STREAMS == 0) {
                channels.add(NettyChannelBuilder.forAddress("127.0.0.1", port)
                        .usePlaintext()
                        .eventLoopGroup(loop)
                        .channelType(NioSocketChannel.class)
                        .directExecutor()
                        .build());
            }
            AlphaGrpc.newStub(channels.getLast()).connect(new Stream(channels.getLast(), "hostile-" + i, true));
        }
    }

    private final class Stream implements ClientResponseObserver<FromOmega, FromAlpha> {
        private final ManagedChannel channel;
        private final String service;
        private boolean greeted;
        private boolean first;

        /** @param first whether it is the first of its name */
        Stream(ManagedChannel channel, String service, boolean first) {
            this.channel = channel;
            this.service = service;
            this.first = first;
        }

        @Override
        public void beforeStart(ClientCallStreamObserver<FromOmega> out) {
            out.disableAutoRequestWithInitial(0);
            out.setOnReadyHandler(() -> send(out));
        }

        private void send(ClientCallStreamObserver<FromOmega> out) {
            if (!greeted && out.isReady()) {
                greeted = true;
                counted();
                out.onNext(FromOmega.newBuilder()
                        .setHello(Hello.newBuilder().setService(service).setInstance("i"))
                        .build());
            }
            while (!closed && out.isReady()) {
                FromOmega message = message();
                sent.addAndGet(message.getSerializedSize());
                out.onNext(message);
            }
        }

        private void counted() {
            if (first) begun.incrementAndGet();
            first = false;
        }

        /** One with the largest arguments, and many small ones. */
        private FromOmega message() {
            Batch.Builder batch = Batch.newBuilder()
                    .addInputs(TestOmega.input(0, UUID.randomUUID().toString())
                            .setBeginBranch(
                                    BeginBranch.newBuilder().setBranch("b").setArguments(ARGUMENTS)));
            for (int i = 1; i <= 200; i++) {
                batch.addInputs(TestOmega.begin(i, UUID.randomUUID().toString()));
            }
            return FromOmega.newBuilder().setBatch(batch).build();
        }

        @Override
        public void onNext(FromAlpha message) {}

        @Override
        public void onError(Throwable failure) {
            counted();
            if (closed) return;
            Future<?> unused = loop.schedule( // Nobody calls it off.
                    () -> {
                        if (!closed) AlphaGrpc.newStub(channel).connect(new Stream(channel, service, false));
                    },
                    1,
                    TimeUnit.SECONDS);
        }

        @Override
        public void onCompleted() {}
    }

    /** Until every stream has begun to send or was refused. */
    private void awaitFull() {
        await().atMost(Patience.LIMIT).until(() -> begun.get() >= streams);
    }

    @Override
    public void close() {
        closed = true;
        channels.forEach(ManagedChannel::shutdownNow);
        loop.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly();
    }
}
