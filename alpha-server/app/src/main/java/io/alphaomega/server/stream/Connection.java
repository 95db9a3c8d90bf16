package io.alphaomega.server.stream;

import akka.actor.NoSerializationVerificationNeeded;
import akka.actor.typed.ActorRef;
import akka.actor.typed.Behavior;
import akka.actor.typed.PostStop;
import akka.actor.typed.javadsl.AbstractBehavior;
import akka.actor.typed.javadsl.ActorContext;
import akka.actor.typed.javadsl.Behaviors;
import akka.actor.typed.javadsl.Receive;
import akka.actor.typed.javadsl.TimerScheduler;
import akka.actor.typed.receptionist.Receptionist;
import io.alphaomega.protocol.v1.Ack;
import io.alphaomega.protocol.v1.Acks;
import io.alphaomega.protocol.v1.Batch;
import io.alphaomega.protocol.v1.Callback;
import io.alphaomega.protocol.v1.CallbackResult;
import io.alphaomega.protocol.v1.FromAlpha;
import io.alphaomega.protocol.v1.FromOmega;
import io.alphaomega.protocol.v1.GoAway;
import io.alphaomega.protocol.v1.Hello;
import io.alphaomega.protocol.v1.Input;
import io.alphaomega.protocol.v1.Rejected;
import io.alphaomega.protocol.v1.Welcome;
import io.alphaomega.saga.Policy;
import io.alphaomega.saga.SagaId;
import io.alphaomega.saga.SagaInput;
import io.alphaomega.server.saga.SagaReply;
import io.alphaomega.server.saga.Sagas;
import io.alphaomega.server.saga.ToParticipants;
import io.alphaomega.server.wire.WireAnswers;
import io.alphaomega.server.wire.WireInputs;
import io.grpc.Status;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * One stream of one instance of a service, after its Hello: inputs in, answers and callbacks out.
 *
 * <p>Nothing here is unbounded. What is read and not answered, and what is answered and not written, counts against one
 * window; while it is full, nothing more is read. A peer that does not read its answers is not read from.
 */
final class Connection extends AbstractBehavior<Connection.Command> {
    /** Enough for a busy service whose store takes 10 ms: a hundred thousand inputs a second. */
    static final int WINDOW = 1_024;

    /** What the inputs of a full window may hold in memory, however large each is. */
    static final int WINDOW_BYTES = 8 * 1024 * 1024;

    /** Requested ahead of need, so that the next message is there when one is done. */
    static final int AHEAD = 4;

    /** Waiting for a peer that does not read; more only come when the sagas have given these up and ask again. */
    static final int CALLBACKS_MAX = 4 * Participant.WINDOW;

    /** Longer than any load and append take; then the sender is told to send again. */
    static final Duration ANSWER_WITHIN = Duration.ofSeconds(10);

    /** After that the saga has long counted the callback as unanswered, and asks again. */
    static final Duration RESULT_WITHIN = Duration.ofMinutes(1);

    /** Of a saga that cannot be read; it is none of the rules' refusals. */
    static final String JOURNAL_UNREADABLE = "JOURNAL_UNREADABLE";

    private static final Duration LOOK_EVERY = Duration.ofSeconds(1);

    private static final String STOPPING = "This alpha node stops; connect to another, or later.";

    /** What a connection is told. */
    sealed interface Command permits RunCallback, Own {}

    /** What a connection is told on its own node. */
    sealed interface Own extends Command, NoSerializationVerificationNeeded {}

    record Received(FromOmega message) implements Own {}

    private record Replied(SagaReply reply) implements Own {}

    /** What a connection is told without words. */
    enum Signal implements Own {
        /** The peer has said all it had to say. */
        HALF_CLOSED,
        /** The stream is gone. */
        BROKEN,
        /** The peer can be written to again. */
        WRITABLE,
        FLUSH,
        LOOK,
        /** This node stops. */
        DRAIN
    }

    /** What every connection of a node shares. */
    record Shared(
            Sagas sagas,
            ActorRef<ToParticipants> participants,
            Clock clock,
            Policy defaults,
            Welcome welcome,
            StreamMetrics metrics) {}

    private final Hello hello;
    private final Wire wire;
    private final Shared shared;
    private final TimerScheduler<Command> timers;
    private final ActorRef<SagaReply> replies;

    private final Map<Long, Unanswered> unanswered = new LinkedHashMap<>();
    private final List<Ack> acks = new ArrayList<>();
    private final Deque<Callback> callbacks = new ArrayDeque<>();
    private long sequence;
    private int bytes;
    private int requested;
    private boolean flushing;
    private boolean closing;
    private boolean left;

    static Behavior<Command> create(Hello hello, Wire wire, Shared shared) {
        return Behaviors.setup(
                context -> Behaviors.withTimers(timers -> new Connection(context, timers, hello, wire, shared)));
    }

    private Connection(
            ActorContext<Command> context, TimerScheduler<Command> timers, Hello hello, Wire wire, Shared shared) {
        super(context);
        this.hello = hello;
        this.wire = wire;
        this.shared = shared;
        this.timers = timers;
        this.replies = context.messageAdapter(SagaReply.class, Replied::new);
        shared.metrics().connected();
        wire.attach(context.getSelf());
        wire.send(FromAlpha.newBuilder().setWelcome(shared.welcome()).build());
        ActorRef<RunCallback> self = context.getSelf().narrow();
        shared.participants().tell(new Participants.Connected(hello.getService(), self));
        context.getSystem().receptionist().tell(Receptionist.register(Participants.key(hello.getService()), self));
        read();
    }

    @Override
    public Receive<Command> createReceive() {
        return newReceiveBuilder()
                .onMessage(Received.class, received -> received(received.message()))
                .onMessage(Replied.class, replied -> replied(replied.reply()))
                .onMessage(RunCallback.class, run -> {
                    if (callbacks.size() == CALLBACKS_MAX) callbacks.removeFirst(); // Its time is nearly over.
                    callbacks.addLast(run.callback());
                    return flushSoon();
                })
                .onMessage(Signal.class, this::signalled)
                .onSignal(PostStop.class, stopped -> {
                    shared.metrics().disconnected();
                    return this;
                })
                .build();
    }

    private Behavior<Command> signalled(Signal signal) {
        return switch (signal) {
            case HALF_CLOSED -> {
                leave();
                closing = true;
                yield flush();
            }
            case BROKEN -> Behaviors.stopped();
            case WRITABLE, FLUSH -> flush();
            case LOOK -> look();
            case DRAIN -> drain();
        };
    }

    // ---- in

    private Behavior<Command> received(FromOmega message) {
        requested--;
        if (message.getSerializedSize() > GrpcServer.MESSAGE_BYTES) {
            return refuse(
                    Status.RESOURCE_EXHAUSTED,
                    "A message may have at most %d bytes but had %d; the stream is closed."
                            .formatted(GrpcServer.MESSAGE_BYTES, message.getSerializedSize()));
        }
        return switch (message.getKindCase()) {
            case HELLO ->
                refuse(
                        Status.INVALID_ARGUMENT,
                        "A stream has one Hello, at its beginning, and this is the second; the stream is closed.");
            case BATCH -> batch(message.getBatch());
            case RESULT -> {
                result(message.getResult());
                yield flushSoon();
            }
            case DRAINING -> {
                leave();
                yield flushSoon();
            }
            case KIND_NOT_SET -> {
                getContext()
                        .getLog()
                        .warn(
                                "{} {} sent a message of a kind that this alpha does not know; it is skipped.",
                                hello.getService(),
                                hello.getInstance());
                yield flushSoon();
            }
        };
    }

    private Behavior<Command> batch(Batch batch) {
        if (batch.getInputsCount() > WINDOW) {
            return refuse(
                    Status.INVALID_ARGUMENT,
                    "A batch may have at most %d inputs, as many as may be unanswered, but had %d; the stream is closed."
                            .formatted(WINDOW, batch.getInputsCount()));
        }
        batch.getInputsList().forEach(this::input);
        return flushSoon();
    }

    private void input(Input input) {
        try {
            SagaId saga = new SagaId(input.getSaga());
            deliver(
                    input.getCorrelation(),
                    saga,
                    WireInputs.fromOmega(hello, input, shared.defaults()),
                    input.getSerializedSize());
            shared.metrics().input();
        } catch (IllegalArgumentException e) {
            shared.metrics().invalid();
            acks.add(WireAnswers.toInvalid(input.getCorrelation(), String.valueOf(e.getMessage())));
        }
    }

    /** It gets no answer; what is wrong with it can only be logged, and the saga asks again in time. */
    private void result(CallbackResult result) {
        try {
            deliver(0, new SagaId(result.getSaga()), WireInputs.fromResult(result), result.getSerializedSize());
            shared.metrics().input();
        } catch (IllegalArgumentException e) {
            shared.metrics().invalid();
            getContext()
                    .getLog()
                    .warn(
                            "{} {} sent a callback's result that is none: {}",
                            hello.getService(),
                            hello.getInstance(),
                            e.getMessage());
        }
    }

    /** The saga sees a number of this connection instead of the sender's, which may come again while it decides. */
    private void deliver(long correlation, SagaId saga, SagaInput input, int size) {
        Instant now = shared.clock().instant();
        Unanswered entry = new Unanswered(correlation, saga, input, size, now, now);
        if (unanswered.isEmpty()) timers.startTimerWithFixedDelay(Signal.LOOK, LOOK_EVERY);
        unanswered.put(++sequence, entry);
        bytes += size;
        shared.sagas().tell(saga, input, sequence, replies);
    }

    // ---- answers

    private Behavior<Command> replied(SagaReply reply) {
        Unanswered entry = unanswered.get(reply.correlation());
        if (entry == null) return this; // Answered meanwhile, because the saga took too long.
        boolean undecided = !(reply.outcome() instanceof SagaReply.Outcome.Decided);
        if (undecided && entry.isResult() && !closing) return this; // Told again by look().
        settle(reply.correlation(), ack(entry.correlation(), reply.outcome()));
        return flushSoon();
    }

    private static Ack ack(long correlation, SagaReply.Outcome outcome) {
        return switch (outcome) {
            case SagaReply.Outcome.Decided decided -> WireAnswers.toAck(correlation, decided.reply());
            case SagaReply.Outcome.Unavailable(Duration retryAfter, String text) ->
                WireAnswers.toUnavailable(correlation, retryAfter, text);
            case SagaReply.Outcome.Unreadable(String text) ->
                Ack.newBuilder()
                        .setCorrelation(correlation)
                        .setRejected(Rejected.newBuilder()
                                .setReason(JOURNAL_UNREADABLE)
                                .setText(text))
                        .build();
        };
    }

    private void settle(long number, Ack ack) {
        Unanswered entry = unanswered.remove(number);
        if (entry == null) return;
        bytes -= entry.bytes();
        if (!entry.isResult()) acks.add(ack);
        if (unanswered.isEmpty()) timers.cancel(Signal.LOOK);
    }

    /** Replies may get lost between nodes: who waits is told again, or tells again, but nobody waits for ever. */
    private Behavior<Command> look() {
        Instant now = shared.clock().instant();
        for (Map.Entry<Long, Unanswered> each : List.copyOf(unanswered.entrySet())) {
            Unanswered entry = each.getValue();
            boolean asksAgain = entry.isPatient() || entry.isResult();
            Duration pause = entry.isResult() ? LOOK_EVERY : ANSWER_WITHIN;
            boolean overdue = !entry.askedAt().plus(pause).isAfter(now);
            if (entry.isResult() && entry.readAt().plus(RESULT_WITHIN).isBefore(now)) {
                settle(each.getKey(), Ack.getDefaultInstance());
            } else if (overdue && asksAgain) {
                unanswered.replace(each.getKey(), entry.askedAgain(now));
                shared.sagas().tell(entry.saga(), entry.input(), each.getKey(), replies);
            } else if (overdue) {
                shared.metrics().unanswered();
                String text = "Saga %s gave no answer within %s; what becomes of the input is unknown, send it again."
                        .formatted(entry.saga(), ANSWER_WITHIN);
                settle(each.getKey(), WireAnswers.toUnavailable(entry.correlation(), LOOK_EVERY, text));
            }
        }
        return flushSoon();
    }

    // ---- out

    /** After everything that has arrived by now, so that the answers to it travel together; nothing waits for company. */
    private Behavior<Command> flushSoon() {
        if (!flushing) getContext().getSelf().tell(Signal.FLUSH);
        flushing = true;
        return this;
    }

    private Behavior<Command> flush() {
        flushing = false;
        if (!acks.isEmpty() && wire.isReady()) {
            wire.send(FromAlpha.newBuilder()
                    .setAcks(Acks.newBuilder().addAllAcks(acks))
                    .build());
            acks.clear();
        }
        while (!callbacks.isEmpty() && wire.isReady()) {
            wire.send(
                    FromAlpha.newBuilder().setCallback(callbacks.removeFirst()).build());
        }
        if (closing && unanswered.isEmpty() && acks.isEmpty()) {
            wire.complete();
            return Behaviors.stopped();
        }
        read();
        return this;
    }

    private void read() {
        if (closing) return;
        boolean room = unanswered.size() + acks.size() < WINDOW && bytes < WINDOW_BYTES;
        int wanted = room ? AHEAD - requested : 0;
        if (wanted > 0) {
            requested += wanted;
            wire.request(wanted);
        }
    }

    // ---- the end

    private Behavior<Command> refuse(Status status, String sentence) {
        wire.fail(status.withDescription(sentence));
        return Behaviors.stopped();
    }

    /** What is read is answered; who waits for a decision waits elsewhere. */
    private Behavior<Command> drain() {
        if (closing) return this;
        leave();
        closing = true;
        wire.send(FromAlpha.newBuilder()
                .setGoAway(GoAway.newBuilder().setReason(STOPPING).setReconnectAfterMillis(LOOK_EVERY.toMillis()))
                .build());
        for (Map.Entry<Long, Unanswered> each : List.copyOf(unanswered.entrySet())) {
            Unanswered entry = each.getValue();
            if (entry.isPatient()) {
                settle(each.getKey(), WireAnswers.toUnavailable(entry.correlation(), LOOK_EVERY, STOPPING));
            }
        }
        return flushSoon();
    }

    /** No new callbacks. */
    private void leave() {
        if (left) return;
        left = true;
        ActorRef<RunCallback> self = getContext().getSelf().narrow();
        shared.participants().tell(new Participants.Leaving(hello.getService(), self));
        getContext()
                .getSystem()
                .receptionist()
                .tell(Receptionist.deregister(Participants.key(hello.getService()), self));
    }
}
