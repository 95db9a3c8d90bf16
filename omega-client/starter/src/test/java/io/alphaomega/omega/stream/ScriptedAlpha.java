package io.alphaomega.omega.stream;

import io.alphaomega.protocol.v1.Accepted;
import io.alphaomega.protocol.v1.Ack;
import io.alphaomega.protocol.v1.Acks;
import io.alphaomega.protocol.v1.AlphaGrpc;
import io.alphaomega.protocol.v1.Batch;
import io.alphaomega.protocol.v1.Callback;
import io.alphaomega.protocol.v1.CallbackResult;
import io.alphaomega.protocol.v1.FromAlpha;
import io.alphaomega.protocol.v1.FromOmega;
import io.alphaomega.protocol.v1.GoAway;
import io.alphaomega.protocol.v1.Hello;
import io.alphaomega.protocol.v1.Input;
import io.alphaomega.protocol.v1.Limits;
import io.alphaomega.protocol.v1.Shards;
import io.alphaomega.protocol.v1.StoreMark;
import io.alphaomega.protocol.v1.Unavailable;
import io.alphaomega.protocol.v1.Welcome;
import io.grpc.Metadata;
import io.grpc.Server;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** The other end of the conversation, on a real socket: it says what a test has it say. */
public final class ScriptedAlpha extends AlphaGrpc.AlphaImplBase implements AutoCloseable {
    /**
     * Below the ports that systems give to connections, so that a successor finds it free, and those of the other tests:
     * repository-kit's ServerProcess.
     */
    private static final int PORT_MIN = 10_000;

    private static final int PORTS = 2_000;
    private static final AtomicInteger NEXT_PORT =
            new AtomicInteger(ThreadLocalRandom.current().nextInt(PORTS));

    private final String node;
    private final String host;
    private final int port;
    private final Server server;

    public final List<Conversation> conversations = new CopyOnWriteArrayList<>();
    public volatile BiConsumer<Conversation, Input> onInput = Conversation::accept;
    volatile Limits limits = Limits.getDefaultInstance();
    volatile boolean reading = true;

    private volatile @Nullable String authority;

    public ScriptedAlpha(String node) {
        this.node = node;
        this.host = "127.0.0.1";
        this.server = start();
        this.port = server.getPort();
    }

    private ScriptedAlpha(String node, String host, int port) {
        this.node = node;
        this.host = host;
        this.port = port;
        try {
            server = start(port);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** On any port. */
    private Server start() {
        for (int tries = 0; tries < PORTS; tries++) {
            try {
                return start(PORT_MIN + NEXT_PORT.getAndIncrement() % PORTS);
            } catch (IOException taken) {
                // The next one.
            }
        }
        throw new IllegalStateException("No port is free between " + PORT_MIN + " and " + (PORT_MIN + PORTS) + ".");
    }

    /** It answers on threads of gRPC's pool: tests have it wait, which nothing may do on those of the network. */
    private Server start(int port) throws IOException {
        return NettyServers.at(new InetSocketAddress(host, port))
                .addService(this)
                .intercept(new Authorities())
                .build()
                .start();
    }

    /** Remembers whom the last connection wanted to speak to. */
    private final class Authorities implements ServerInterceptor {
        @Override
        public <Q, A> ServerCall.Listener<Q> interceptCall(
                ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
            authority = call.getAuthority();
            return next.startCall(call, headers);
        }
    }

    @Nullable
    String authority() {
        return authority;
    }

    public String address() {
        return host + ":" + port;
    }

    int port() {
        return port;
    }

    /** How many streams there are at this moment. */
    public long open() {
        return conversations.stream()
                .filter(each -> !each.halfClosed && !each.broken)
                .count();
    }

    /** All inputs, in the order of their arrival. */
    public List<Input> inputs() {
        return conversations.stream()
                .flatMap(each -> each.batches.stream())
                .flatMap(batch -> batch.getInputsList().stream())
                .toList();
    }

    /** Breaks every connection and stops to listen. */
    public void stop() {
        server.shutdownNow();
        try {
            server.awaitTermination();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Another alpha at the same address. */
    public ScriptedAlpha successor() {
        return new ScriptedAlpha(node + "'", host, port);
    }

    /** Another alpha at the same port of another address of this machine. */
    ScriptedAlpha neighbour(String name, String otherHost) {
        return new ScriptedAlpha(name, otherHost, port);
    }

    @Override
    public void close() {
        stop();
    }

    @Override
    public StreamObserver<FromOmega> connect(StreamObserver<FromAlpha> responses) {
        Conversation conversation = new Conversation((ServerCallStreamObserver<FromAlpha>) responses);
        conversations.add(conversation);
        return conversation;
    }

    /** One stream. */
    public final class Conversation implements StreamObserver<FromOmega> {
        private final ServerCallStreamObserver<FromAlpha> responses;
        public final List<Hello> hellos = new CopyOnWriteArrayList<>();
        final List<Batch> batches = new CopyOnWriteArrayList<>();
        public final List<CallbackResult> results = new CopyOnWriteArrayList<>();
        public volatile boolean draining;
        volatile boolean halfClosed;
        volatile boolean broken;

        Conversation(ServerCallStreamObserver<FromAlpha> responses) {
            this.responses = responses;
            responses.disableAutoRequest();
            responses.request(1);
        }

        @Override
        public void onNext(FromOmega message) {
            switch (message.getKindCase()) {
                case HELLO -> {
                    hellos.add(message.getHello());
                    say(FromAlpha.newBuilder()
                            .setWelcome(Welcome.newBuilder()
                                    .setNode(node)
                                    .setVersion("test")
                                    .setLimits(limits)));
                }
                case BATCH -> {
                    batches.add(message.getBatch());
                    message.getBatch().getInputsList().forEach(input -> onInput.accept(this, input));
                }
                case RESULT -> results.add(message.getResult());
                case DRAINING -> draining = true;
                case KIND_NOT_SET -> throw new AssertionError("a message of no kind");
            }
            if (reading) readOn();
        }

        void readOn() {
            responses.request(1);
        }

        @Override
        public void onError(Throwable problem) {
            broken = true;
        }

        @Override
        public void onCompleted() {
            halfClosed = true;
            synchronized (responses) {
                responses.onCompleted();
            }
        }

        List<Input> inputs() {
            return batches.stream()
                    .flatMap(batch -> batch.getInputsList().stream())
                    .toList();
        }

        public void accept(Input input) {
            ack(Ack.newBuilder()
                    .setCorrelation(input.getCorrelation())
                    .setAccepted(Accepted.getDefaultInstance())
                    .build());
        }

        void unavailable(Input input, int retryAfterMillis) {
            ack(Ack.newBuilder()
                    .setCorrelation(input.getCorrelation())
                    .setUnavailable(Unavailable.newBuilder().setRetryAfterMillis(retryAfterMillis))
                    .build());
        }

        public void ack(Ack... acks) {
            say(FromAlpha.newBuilder().setAcks(Acks.newBuilder().addAllAcks(List.of(acks))));
        }

        public void call(Callback callback) {
            say(FromAlpha.newBuilder().setCallback(callback));
        }

        void has(Shards shards) {
            say(FromAlpha.newBuilder().setShards(shards));
        }

        public void marks(StoreMark mark) {
            say(FromAlpha.newBuilder().setMark(mark));
        }

        void goAway(int reconnectAfterMillis) {
            say(FromAlpha.newBuilder()
                    .setGoAway(GoAway.newBuilder()
                            .setReason("maintenance")
                            .setReconnectAfterMillis(reconnectAfterMillis)));
        }

        void breakOff() {
            synchronized (responses) {
                responses.onError(
                        Status.UNAVAILABLE.withDescription("broken off").asRuntimeException());
            }
        }

        private void say(FromAlpha.Builder message) {
            synchronized (responses) {
                responses.onNext(message.build());
            }
        }
    }
}
