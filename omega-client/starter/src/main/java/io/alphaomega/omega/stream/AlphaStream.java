package io.alphaomega.omega.stream;

import io.alphaomega.protocol.v1.Ack;
import io.alphaomega.protocol.v1.AlphaGrpc;
import io.alphaomega.protocol.v1.Batch;
import io.alphaomega.protocol.v1.CallbackResult;
import io.alphaomega.protocol.v1.Draining;
import io.alphaomega.protocol.v1.FromAlpha;
import io.alphaomega.protocol.v1.FromOmega;
import io.alphaomega.protocol.v1.Hello;
import io.alphaomega.protocol.v1.Limits;
import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientResponseObserver;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** One stream to one alpha. What gRPC's thread hears is handed to the loop, where everything else happens. */
final class AlphaStream implements ClientResponseObserver<FromOmega, FromAlpha> {
    /** Messages read ahead of the loop; a callback has at most two payloads of 64 KiB. */
    private static final int READ_AHEAD = 16;

    /** A batch is what gathered; this only keeps one from filling a message. */
    private static final int BATCH_INPUTS = 256;

    /** Where alpha states no limit: gRPC's own for a message, and a window that covers any round trip. */
    private static final int MESSAGE_BYTES = 4 * 1024 * 1024;

    private static final int UNANSWERED_INPUTS = 1024;

    /** More than what a message and its batch add to each input: tags and lengths. */
    private static final int INPUT_FRAME_BYTES = 16;

    final Endpoint endpoint;
    private final ClientLoop loop;
    private final AlphaConnections connections;
    private final Inputs inputs;
    private final RunningCallbacks callbacks;
    private final ManagedChannel channel;
    private final @Nullable AlphaTls tls;

    private @Nullable ClientCallStreamObserver<FromOmega> call;
    private final Deque<PendingInput> unsent = new ArrayDeque<>();
    private final Map<Long, PendingInput> written = new LinkedHashMap<>();

    private int patientWritten;

    /** Patient ones whose turn has come while half of the window is taken by others. */
    private final Deque<PendingInput> held = new ArrayDeque<>();

    private final Deque<CallbackResult> results = new ArrayDeque<>();
    private int callbacksRunning;
    private int window = UNANSWERED_INPUTS;
    private int messageBytes = MESSAGE_BYTES;
    private Homes homes = Homes.UNKNOWN;
    private long heardAt;
    private long welcomedAt;
    private boolean silent;
    private boolean welcomed;
    private boolean leaving;
    private boolean halfClosed;
    private boolean ended;

    AlphaStream(
            ClientLoop loop,
            AlphaConnections connections,
            Inputs inputs,
            RunningCallbacks callbacks,
            Endpoint endpoint,
            ManagedChannel channel,
            @Nullable AlphaTls tls) {
        this.loop = loop;
        this.connections = connections;
        this.inputs = inputs;
        this.callbacks = callbacks;
        this.endpoint = endpoint;
        this.channel = channel;
        this.tls = tls;
    }

    void open(Hello hello) {
        AlphaGrpc.newStub(channel).connect(this);
        write(FromOmega.newBuilder().setHello(hello).build());
    }

    // ---- what gRPC's thread hears

    @Override
    public void beforeStart(ClientCallStreamObserver<FromOmega> started) {
        call = started;
        started.disableAutoRequestWithInitial(READ_AHEAD);
        started.setOnReadyHandler(() -> loop.execute(this::flush));
    }

    @Override
    public void onNext(FromAlpha message) {
        loop.execute(() -> {
            if (ended) return;
            heardAt = System.nanoTime();
            silent = false;
            receive(message);
            call().request(1);
        });
    }

    @Override
    public void onError(Throwable problem) {
        loop.execute(() -> {
            Optional<String> trouble = welcomed ? Optional.empty() : TlsTrouble.of(problem, tls);
            end(trouble.orElseGet(() -> sentence(problem)), trouble.isPresent());
        });
    }

    @Override
    public void onCompleted() {
        loop.execute(() -> end("alpha closed the stream"));
    }

    // ---- on the loop

    private void receive(FromAlpha message) {
        switch (message.getKindCase()) {
            case WELCOME -> {
                limit(message.getWelcome().getLimits());
                welcomed = true;
                welcomedAt = heardAt;
                connections.welcomed(this, message.getWelcome());
            }
            case ACKS -> {
                for (Ack ack : message.getAcks().getAcksList()) {
                    PendingInput acknowledged = written.remove(ack.getCorrelation());
                    if (acknowledged != null && acknowledged.isPatient()) patientWritten--;
                    inputs.answered(this, ack);
                }
                flush();
                finishLeaving();
            }
            case CALLBACK -> callbacks.asked(this, message.getCallback());
            case GO_AWAY -> connections.goAway(this, message.getGoAway());
            case MARK -> connections.seen().heard(message.getMark());
            case SHARDS -> homes = Homes.of(message.getShards());
            case KIND_NOT_SET -> {} // From a newer alpha, which does without it.
        }
    }

    private void limit(Limits limits) {
        if (limits.getUnansweredInputs() > 0) window = limits.getUnansweredInputs();
        if (limits.getMessageBytes() > 0) messageBytes = limits.getMessageBytes();
    }

    boolean isWelcomed() {
        return welcomed;
    }

    boolean isEnded() {
        return ended;
    }

    /** For how long it has been of use. */
    long livedNanos(long now) {
        return welcomed ? now - welcomedAt : 0;
    }

    /** Takes an input, to be written by the next {@link #flush}. */
    void add(PendingInput pending) {
        pending.stream = this;
        unsent.add(pending);
    }

    void remove(PendingInput pending) {
        if (!unsent.remove(pending)) held.remove(pending);
    }

    /** Answers a callback, over another stream if this one has ended. */
    void send(CallbackResult result) {
        if (ended) {
            connections.sendElsewhere(result);
            return;
        }
        results.add(result);
        flush();
    }

    void drain() {
        if (!halfClosed && !ended) {
            write(FromOmega.newBuilder()
                    .setDraining(Draining.getDefaultInstance())
                    .build());
        }
    }

    /** Writes what there is, as far as alpha reads and answers. */
    void flush() {
        while (canWrite() && !results.isEmpty()) {
            write(FromOmega.newBuilder().setResult(results.remove()).build());
        }
        while (canWrite() && written.size() < window && headOfUnsent() != null) {
            Batch batch = nextBatch();
            if (batch.getInputsCount() > 0) {
                write(FromOmega.newBuilder().setBatch(batch).build());
            }
        }
        finishLeaving();
    }

    private boolean canWrite() {
        return welcomed && !halfClosed && !ended && call().isReady();
    }

    private Batch nextBatch() {
        Batch.Builder batch = Batch.newBuilder();
        long now = System.nanoTime();
        int room = messageBytes;
        while (written.size() < window && batch.getInputsCount() < BATCH_INPUTS) {
            PendingInput next = headOfUnsent();
            if (next == null) break;
            int bytes = next.input.getSerializedSize() + INPUT_FRAME_BYTES;
            if (batch.getInputsCount() > 0 && bytes > room) break;
            unsent.remove();
            if (next.isAnswered()) continue;
            if (bytes > messageBytes) {
                inputs.refuse(next, bytes, messageBytes);
                continue;
            }
            if (next.isPatient()) {
                if (!hasRoomForPatient()) {
                    held.add(next);
                    continue;
                }
                patientWritten++;
            }
            room -= bytes;
            next.writtenAt = now;
            written.put(next.input.getCorrelation(), next);
            batch.addInputs(next.input);
        }
        return batch.build();
    }

    /** What is written next, left where it is. What was held and need not be any more comes back before others first. */
    private @Nullable PendingInput headOfUnsent() {
        PendingInput first = unsent.peek();
        if (held.isEmpty() || !hasRoomForPatient() || (first != null && first.isPatient())) return first;
        unsent.addFirst(held.remove());
        return unsent.peek();
    }

    /** What the end of a saga waits for must find room. */
    private boolean hasRoomForPatient() {
        return patientWritten < Math.max(1, window / 2);
    }

    /** Takes note if alpha has said nothing for so long although it owes a prompt answer for so long. */
    void listen(long now, Duration silence) {
        if (now - heardAt < silence.toNanos()) return;
        for (PendingInput each : written.values()) {
            silent |= !each.isAnswered() && !each.isPatient() && now - each.writtenAt >= silence.toNanos();
        }
    }

    /** Whether alpha owes an answer and has said nothing for too long. */
    boolean isSilent() {
        return silent;
    }

    /** Whether alpha has said that the saga is at its own node. */
    boolean hasHome(String saga) {
        return homes.have(saga);
    }

    /** How many inputs are this stream's, written or not. */
    int unanswered() {
        long open = written.values().stream()
                .filter(each -> !each.isAnswered() && each.stream == this)
                .count();
        return (int) open + unsent.size() + held.size();
    }

    int callbacksRunning() {
        return callbacksRunning;
    }

    boolean owesAnswers() {
        return !written.isEmpty();
    }

    /** Gives back what alpha has not seen; with {@code prompt} also what it should have answered at once. */
    List<PendingInput> takeBack(boolean prompt) {
        List<PendingInput> taken = new ArrayList<>();
        if (prompt) {
            for (PendingInput each : written.values()) {
                if (!each.isAnswered() && !each.isPatient() && each.stream == this) taken.add(each);
            }
        }
        takeUnwritten(taken);
        return taken;
    }

    private void takeUnwritten(List<PendingInput> to) {
        to.addAll(held);
        to.addAll(unsent);
        held.clear();
        unsent.clear();
    }

    void callbackBegan() {
        callbacksRunning++;
    }

    void callbackEnded() {
        callbacksRunning--;
        finishLeaving();
    }

    /** Takes nothing new; closes once what it owes, and what it is owed, is done. */
    void leave() {
        leaving = true;
        finishLeaving();
    }

    private void finishLeaving() {
        if (!leaving || halfClosed || ended || callbacksRunning > 0 || !results.isEmpty()) return;
        for (PendingInput each : written.values()) {
            if (!each.isAnswered()) return;
        }
        halfClose();
    }

    void halfClose() {
        if (halfClosed || ended) return;
        halfClosed = true;
        call().onCompleted();
    }

    /** Ends it from this side. */
    void abandon(String reason) {
        if (ended) return;
        call().cancel(reason, null);
        end(reason);
    }

    private void end(String reason) {
        end(reason, false);
    }

    /** @param lasting whether it will be so until somebody changes something */
    private void end(String reason, boolean lasting) {
        if (ended) return;
        ended = true;
        channel.shutdownNow();
        List<PendingInput> left = new ArrayList<>();
        for (PendingInput each : written.values()) {
            // One that was moved to another stream meanwhile is that one's.
            if (each.stream == this) left.add(each);
        }
        takeUnwritten(left);
        written.clear();
        connections.lost(this, leaving && halfClosed, reason, lasting);
        inputs.giveBack(left);
    }

    private void write(FromOmega message) {
        call().onNext(message);
    }

    private ClientCallStreamObserver<FromOmega> call() {
        return Objects.requireNonNull(call, "the stream is not open");
    }

    /** What gRPC says, and the cause beneath, which tells more: "UNAVAILABLE: io exception: Connection refused". */
    private static String sentence(Throwable problem) {
        Status status = Status.fromThrowable(problem);
        Throwable root = problem;
        while (root.getCause() != null) root = root.getCause();
        String text = status.getCode() + (status.getDescription() == null ? "" : ": " + status.getDescription());
        return problem.getCause() == null || root.getMessage() == null ? text : text + ": " + root.getMessage();
    }
}
