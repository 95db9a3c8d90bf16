package io.alphaomega.benchmark.load;

import io.alphaomega.protocol.v1.Ack;
import io.alphaomega.protocol.v1.AlphaGrpc;
import io.alphaomega.protocol.v1.Batch;
import io.alphaomega.protocol.v1.CallbackResult;
import io.alphaomega.protocol.v1.FromAlpha;
import io.alphaomega.protocol.v1.FromOmega;
import io.alphaomega.protocol.v1.Hello;
import io.alphaomega.protocol.v1.Input;
import io.alphaomega.protocol.v1.Limits;
import io.alphaomega.protocol.v1.Shards;
import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientResponseObserver;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * One simulated omega: its stream to an alpha, which is opened again when it breaks, each time to the next address. It
 * belongs to its lane's thread, on which gRPC calls it as well.
 */
final class SimulatedOmega {
    /** A batch is what gathered; this only keeps one far below the largest message. */
    private static final int BATCH_INPUTS = 256;

    /** Of payloads, until a batch is full; the last may be of 64 KiB, and alpha takes messages of 128. */
    private static final int BATCH_BYTES = 16 * 1024;

    /** Where alpha states none. */
    private static final int WINDOW = 1024;

    /** An alpha that states more may mean it; a table of this many places is what a stream is worth here. */
    private static final int WINDOW_MAX = 65_536;

    private static final Duration WELCOME_WITHIN = Duration.ofSeconds(10);
    private static final Duration RECONNECT_FIRST = Duration.ofMillis(50);
    private static final Duration RECONNECT_MAX = Duration.ofSeconds(1);

    final int service;
    private final LoadLane lane;
    private final Hello hello;
    private final List<String> addresses;
    private int attempts;
    private int failures;
    private @Nullable Stream stream;
    private String trouble = "";
    private final ArrayDeque<UnacknowledgedInput> unsent = new ArrayDeque<>();
    private boolean dirty;
    private boolean closed;

    /** @param first which of the addresses is tried first */
    SimulatedOmega(LoadLane lane, int service, String serviceName, String instance, List<String> addresses, int first) {
        this.lane = lane;
        this.service = service;
        this.addresses = addresses;
        this.attempts = first;
        this.hello = Hello.newBuilder()
                .setService(serviceName)
                .setInstance(instance)
                .setVersion("alpha-benchmark")
                .addAllCallbacks(Messages.CALLBACKS)
                .build();
    }

    boolean isUp() {
        return stream != null && stream.welcomed;
    }

    /** Whether its alpha has said that it has the saga itself, as an omega looks. */
    boolean isHome(String saga) {
        return stream != null && stream.shardsHere.get(Math.floorMod(saga.hashCode(), stream.shardCount));
    }

    /** Why it is not up. */
    String trouble() {
        return trouble;
    }

    void connect() {
        if (closed || stream != null) return;
        String address = addresses.get(attempts++ % addresses.size());
        Stream opening = new Stream(address, lane.channel(address));
        stream = opening;
        opening.open();
        lane.after(WELCOME_WITHIN, () -> {
            if (!opening.welcomed) opening.end("no welcome within " + WELCOME_WITHIN.toSeconds() + " s");
        });
    }

    void add(UnacknowledgedInput pending) {
        unsent.add(pending);
        soon();
    }

    void answer(CallbackResult result) {
        if (isUp()) stream().write(FromOmega.newBuilder().setResult(result).build());
        // Otherwise alpha asks again.
    }

    /** After everything that has arrived by now, so that the next inputs travel together; nothing waits for company. */
    private void soon() {
        if (dirty || !isUp()) return;
        dirty = true;
        lane.flushSoon(this);
    }

    void flush() {
        dirty = false;
        if (isUp()) stream().flush();
    }

    void close() {
        closed = true;
        if (stream != null) stream.close();
    }

    private Stream stream() {
        return Objects.requireNonNull(stream, "the omega is connected");
    }

    private void lost(Stream lost, String reason) {
        if (stream != lost) return;
        stream = null;
        if (closed) return;
        trouble = lost.address + ": " + reason;
        List<UnacknowledgedInput> left = new ArrayList<>(lost.written.drain());
        left.addAll(unsent);
        unsent.clear();
        failures = lost.welcomed ? 0 : failures + 1;
        long most = Math.min(RECONNECT_MAX.toMillis(), RECONNECT_FIRST.toMillis() << Math.min(failures, 10));
        lane.lost(this, lost.welcomed, lost.sentAway, left);
        lane.after(Duration.ofMillis(ThreadLocalRandom.current().nextLong(most) + 1), this::connect);
    }

    /** One stream of the life of this omega. */
    private final class Stream implements ClientResponseObserver<FromOmega, FromAlpha> {
        final String address;
        private final ManagedChannel channel;
        private @Nullable ClientCallStreamObserver<FromOmega> call;
        private UnacknowledgedInputs written = new UnacknowledgedInputs(1);
        private BitSet shardsHere = new BitSet();
        private int shardCount = 1;
        boolean welcomed;

        /** Whether alpha asked it to go. */
        boolean sentAway;

        private boolean ended;

        Stream(String address, ManagedChannel channel) {
            this.address = address;
            this.channel = channel;
        }

        void open() {
            AlphaGrpc.newStub(channel).connect(this);
            write(FromOmega.newBuilder().setHello(hello).build());
        }

        @Override
        public void beforeStart(ClientCallStreamObserver<FromOmega> started) {
            call = started;
            // Whatever has come is dealt with at once, so nothing piles up here.
            started.disableAutoRequestWithInitial(Integer.MAX_VALUE);
            started.setOnReadyHandler(() -> lane.run(SimulatedOmega.this::soon));
        }

        @Override
        public void onNext(FromAlpha message) {
            lane.run(() -> receive(message));
        }

        private void receive(FromAlpha message) {
            if (ended) return;
            switch (message.getKindCase()) {
                case WELCOME -> welcome(message.getWelcome().getLimits());
                case ACKS -> acks(message);
                case CALLBACK -> lane.called(SimulatedOmega.this, message.getCallback());
                case GO_AWAY -> {
                    sentAway = true;
                    end("alpha said: " + message.getGoAway().getReason());
                }
                case SHARDS -> shards(message.getShards());
                case MARK -> {} // What was measured on a store that is set back is worth nothing anyway.
                case KIND_NOT_SET -> {} // From a newer alpha, which does without it.
            }
        }

        private void welcome(Limits limits) {
            int window = limits.getUnansweredInputs() > 0 ? limits.getUnansweredInputs() : WINDOW;
            written = new UnacknowledgedInputs(Math.min(window, WINDOW_MAX));
            welcomed = true;
            trouble = "";
            lane.welcomed(SimulatedOmega.this);
            soon();
        }

        private void shards(Shards said) {
            BitSet here = new BitSet();
            said.getHereList().forEach(here::set);
            shardsHere = here;
            shardCount = Math.max(1, said.getCount());
        }

        private void acks(FromAlpha message) {
            long now = System.nanoTime();
            List<Ack> acks = message.getAcks().getAcksList();
            for (int i = 0; i < acks.size(); i++) {
                Ack ack = acks.get(i);
                UnacknowledgedInput pending = written.remove(ack.getCorrelation());
                if (pending != null) lane.answered(pending, ack, now);
            }
            if (!unsent.isEmpty()) soon();
        }

        void flush() {
            while (!unsent.isEmpty() && written.hasRoom() && call().isReady()) {
                Batch.Builder batch = Batch.newBuilder();
                int bytes = 0;
                while (!unsent.isEmpty()
                        && written.hasRoom()
                        && batch.getInputsCount() < BATCH_INPUTS
                        && bytes < BATCH_BYTES) {
                    UnacknowledgedInput next = unsent.remove();
                    if (next.saga.over) continue;
                    written.add(next);
                    Input input = lane.input(next);
                    bytes += lane.payloadBytes();
                    batch.addInputs(input);
                }
                if (batch.getInputsCount() > 0) {
                    write(FromOmega.newBuilder().setBatch(batch).build());
                }
            }
        }

        void write(FromOmega message) {
            call().onNext(message);
        }

        private ClientCallStreamObserver<FromOmega> call() {
            return Objects.requireNonNull(call, "the stream is open");
        }

        @Override
        public void onError(Throwable problem) {
            lane.run(() -> ended(sentence(problem)));
        }

        @Override
        public void onCompleted() {
            lane.run(() -> ended("alpha closed the stream"));
        }

        /** Ends it from this side. */
        void end(String reason) {
            if (ended) return;
            call().cancel(reason, null);
            ended(reason);
        }

        void close() {
            if (ended) return;
            ended = true;
            call().onCompleted();
            channel.shutdown();
            lane.after(Duration.ofMillis(200), channel::shutdownNow);
        }

        private void ended(String reason) {
            if (ended) return;
            ended = true;
            channel.shutdownNow();
            lost(this, reason);
        }
    }

    /** What gRPC says, and the cause beneath, which tells more: "UNAVAILABLE: io exception: Connection refused". */
    private static String sentence(Throwable problem) {
        Status status = Status.fromThrowable(problem);
        Throwable root = problem;
        while (root.getCause() != null) root = root.getCause();
        if (problem.getCause() != null && root.getMessage() != null) return root.getMessage();
        return status.getCode() + (status.getDescription() == null ? "" : ": " + status.getDescription());
    }
}
