package io.alphaomega.server.stream;

import io.alphaomega.protocol.v1.Batch;
import io.alphaomega.protocol.v1.Callback;
import io.alphaomega.protocol.v1.CallbackFailure;
import io.alphaomega.protocol.v1.CallbackResult;
import io.alphaomega.protocol.v1.FromAlpha;
import io.alphaomega.protocol.v1.FromOmega;
import io.alphaomega.protocol.v1.GoAway;
import io.alphaomega.protocol.v1.Hello;
import io.alphaomega.protocol.v1.Input;
import io.alphaomega.protocol.v1.Shards;
import io.alphaomega.protocol.v1.StoreMark;
import io.alphaomega.saga.SagaId;
import io.alphaomega.saga.SagaInput;
import io.alphaomega.server.saga.Deliver;
import io.alphaomega.server.saga.SagaReply;
import io.alphaomega.wire.WireAnswers;
import io.alphaomega.wire.WireInputs;
import io.grpc.Status;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.ThreadLocalRandom;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What is said over one stream after its Hello: inputs in, answers and callbacks out. It lives on the stream's event
 * loop; only {@link Replies} come from elsewhere.
 *
 * <p>Nothing here is unbounded. What is read and not answered counts against a window, and everything that the stream
 * holds against the {@link Budget} of the node; while either is full, nothing more is read, and what has been read already
 * is to be sent again. A peer that does not read its answers is not read from, and in the end not waited for.
 *
 * <p>Whoever is not read from is read from again when something of its own is answered, or read by the peer. Both happen
 * within a time limit: so no stream waits for another.
 */
final class Conversation {
    /** Enough for a busy service whose store takes 10 ms: a hundred thousand inputs a second. */
    static final int WINDOW = 1_024;

    /** What the inputs of a full window may hold in memory, however large each is. */
    static final int WINDOW_BYTES = 8 * 1024 * 1024;

    /** Arguments or result of a branch, and 16 KiB for names; the attributes of a saga have up to 25. */
    static final int INPUT_BYTES = 80 * 1024;

    /** What an input holds besides its own bytes: its objects, its place in a mailbox, and a saga that comes to memory. */
    static final int INPUT_OVERHEAD_BYTES = 4 * 1024;

    /** The same of one that waits for the decision: its saga may leave memory meanwhile. */
    static final int WAITING_OVERHEAD_BYTES = 512;

    /** Longer than any load and append take; then the sender is told to send again. */
    static final Duration ANSWER_WITHIN = Duration.ofSeconds(10);

    /** After that the saga has long counted the callback as unanswered, and asks again. */
    static final Duration RESULT_WITHIN = Duration.ofMinutes(1);

    /** What is sent to another node may get lost, also without that the node is; then it is sent again. */
    static final Duration TOLD_AGAIN_AFTER = Duration.ofSeconds(2);

    /** Twice as long as a connection is left open whose peer is gone; an omega always reads. */
    static final Duration READ_WITHIN = Duration.ofSeconds(30);

    private static final Duration LOOK_EVERY = Duration.ofSeconds(1);

    /** Who is refused each time is not read for up to so long: less than half of {@link #ANSWER_WITHIN}. */
    private static final Duration PAUSE_MOST = Duration.ofSeconds(4);

    private static final String FULL =
            "This alpha node has no memory left for inputs that wait for their sagas; send it again.";

    private static final String CROWDED = "This alpha node has more than its share of the streams; connect to another.";

    private static final String STOPPING = "This alpha node stops; connect to another, or later.";

    private static final Logger LOG = LoggerFactory.getLogger(Conversation.class);

    private final Hello hello;
    private final Wire wire;
    private final Connection.Shared shared;
    private final Connection.Address address;
    private final Replies replies;

    private final Unanswered unanswered = new Unanswered();
    private final Budget.Account held;
    private final Budget.Account waiting;
    private final Outbox outbox;
    private final FairShare share;
    private final FairShare.Line line;
    /** When the message was read that is looked at now, of {@link System#nanoTime}. */
    private long arrived;

    private boolean reading;
    private boolean pausing;

    /** For how long, if it has to; zero if all that was read last found memory. */
    private Duration pause = Duration.ZERO;

    private boolean looking;
    private boolean left;
    private boolean closing;
    private boolean over;

    Conversation(Hello hello, Wire wire, Connection.Shared shared, Connection.Address address) {
        this.hello = hello;
        this.wire = wire;
        this.shared = shared;
        this.address = address;
        this.replies = new Replies(this);
        this.held = shared.budget().open(Budget.OWN_BYTES);
        this.waiting = shared.budget().open(Budget.OWN_WAITING_BYTES);
        this.outbox = new Outbox(wire, held);
        this.share = wire.share();
        this.line = share.open(unanswered, this::tellInTurn);
    }

    void open() {
        wire.send(FromAlpha.newBuilder().setWelcome(shared.welcome()).build());
        read();
    }

    /** Tells the peer which sagas are here, when it reads. */
    void shards(Shards shards) {
        outbox.shards(shards);
        flush();
    }

    /** Tells the peer how far the store has come, when it reads. */
    void mark(StoreMark mark) {
        outbox.mark(mark);
        flush();
    }

    // ---- in

    void received(FromOmega message) {
        reading = false;
        if (over) return;
        arrived = System.nanoTime();
        if (message.getSerializedSize() > GrpcServer.MESSAGE_BYTES) {
            refuse(
                    Status.RESOURCE_EXHAUSTED,
                    "A message may have at most %d bytes but had %d; the stream is closed."
                            .formatted(GrpcServer.MESSAGE_BYTES, message.getSerializedSize()));
            return;
        }
        switch (message.getKindCase()) {
            case HELLO ->
                refuse(
                        Status.INVALID_ARGUMENT,
                        "A stream has one Hello, at its beginning, and this is the second; the stream is closed.");
            case BATCH -> batch(message.getBatch());
            case RESULT -> result(message.getResult());
            case DRAINING -> leave();
            case KIND_NOT_SET ->
                LOG.warn(
                        "{} {} sent a message of a kind that this alpha does not know; it is skipped.",
                        hello.getService(),
                        hello.getInstance());
        }
        flush();
    }

    private void batch(Batch batch) {
        if (batch.getInputsCount() > WINDOW) {
            refuse(
                    Status.INVALID_ARGUMENT,
                    "A batch may have at most %d inputs, as many as may be unanswered, but had %d; the stream is closed."
                            .formatted(WINDOW, batch.getInputsCount()));
            return;
        }
        List<Input> inputs = batch.getInputsList();
        long now = shared.clock().millis();
        boolean few = line.isFew(inputs.size());
        int invalid = 0;
        for (int i = 0; i < inputs.size(); i++) {
            Input input = inputs.get(i);
            try {
                requireSize(input);
                if (hasRoom(input)) deliver(input, few, now);
                else refuse(input);
            } catch (IllegalArgumentException e) {
                invalid++;
                outbox.answer(WireAnswers.toInvalid(input.getCorrelation(), String.valueOf(e.getMessage())));
            }
        }
        shared.metrics().inputs(inputs.size() - invalid, invalid);
        if (!pausing) pause = Duration.ZERO;
    }

    /** Here and not where the saga is: what is larger than a message between nodes would get lost on its way. */
    private static void requireSize(Input input) {
        int size = input.getSerializedSize();
        if (size > INPUT_BYTES) {
            throw new IllegalArgumentException(
                    "an input may have %d bytes but has %d: keep the data in the participant's own database and pass its key"
                            .formatted(INPUT_BYTES, size));
        }
    }

    /** It gets no answer; what is wrong with it can only be logged, and the saga asks again in time. */
    private void result(CallbackResult result) {
        if (WireInputs.isNoAnswer(result)) return;
        try {
            SagaId saga = new SagaId(result.getSaga());
            SagaInput said = WireInputs.fromResult(hello, result);
            int bytes = result.getSerializedSize() + INPUT_OVERHEAD_BYTES;
            held.add(bytes); // Nobody would send it again.
            if (said instanceof SagaInput.DeferCallback) shared.metrics().callbackDeferred();
            deliver(0, saga, said, bytes, line.isFew(1), shared.clock().millis());
            shared.metrics().inputs(1, 0);
        } catch (IllegalArgumentException e) {
            shared.metrics().inputs(0, 1);
            LOG.warn(
                    "{} {} sent a callback's result that is none: {}",
                    hello.getService(),
                    hello.getInstance(),
                    e.getMessage());
        }
    }

    private boolean hasRoom(Input input) {
        return account(isPatient(input)).hasRoom(bytes(input));
    }

    private static int bytes(Input input) {
        return input.getSerializedSize() + (isPatient(input) ? WAITING_OVERHEAD_BYTES : INPUT_OVERHEAD_BYTES);
    }

    private static boolean isPatient(Input input) {
        return input.hasEnd() && input.getEnd().getWait();
    }

    private void deliver(Input input, boolean few, long now) {
        SagaId saga = new SagaId(input.getSaga());
        SagaInput said = shared.rehearsal().of(saga, WireInputs.fromOmega(hello, input, shared.defaults()));
        int bytes = bytes(input);
        account(Unanswered.isPatient(said)).add(bytes);
        deliver(input.getCorrelation(), saga, said, bytes, few, now);
    }

    /** Before anything is made of it: what there is no room for is to cost as little as it can. */
    private void refuse(Input input) {
        boolean patient = isPatient(input);
        shared.metrics().inputRefused();
        if (!patient) pause();
        outbox.answer(WireAnswers.toUnavailable(input.getCorrelation(), patient ? LOOK_EVERY : pause, FULL));
    }

    /**
     * Nothing more is read until what was refused may come again: to refuse is work, too, that others wait for. So who is
     * refused each time waits longer each time; and not all come again at the same moment.
     */
    private void pause() {
        share.crowded();
        if (pausing) return;
        pausing = true;
        pause = pause.isZero() ? LOOK_EVERY : pause.compareTo(PAUSE_MOST) < 0 ? pause.multipliedBy(2) : PAUSE_MOST;
        wire.schedule(
                () -> {
                    pausing = false;
                    flush();
                },
                ThreadLocalRandom.current().nextLong(pause.toMillis() / 2, pause.toMillis()));
    }

    private Budget.Account account(boolean patient) {
        return patient ? waiting : held;
    }

    private void deliver(long correlation, SagaId saga, SagaInput input, int bytes, boolean few, long now) {
        Unanswered.Entry entry = unanswered.add(correlation, saga, input, bytes, now, arrived);
        lookLater();
        if (line.add(entry, few)) tell(entry, arrived);
    }

    private void tellInTurn(Unanswered.Entry entry) {
        entry.asked(shared.clock().millis());
        tell(entry, entry.arrived());
    }

    private void tell(Unanswered.Entry entry, long since) {
        boolean detour = unanswered.anyOnDetour(entry.saga());
        Deliver deliver = new Deliver(entry.saga(), entry.input(), entry.number(), address.replies(), replies, since);
        if (shared.sagas().tell(deliver, detour)) unanswered.onDetour(entry);
    }

    // ---- answers

    /** Where the sagas of this node answer. */
    Replies replies() {
        return replies;
    }

    /** From any thread: does it on the event loop. */
    void run(Runnable task) {
        wire.run(task);
    }

    /** Some have gathered. */
    void takeReplies() {
        if (over) return;
        long now = System.nanoTime();
        for (SagaReply reply = replies.poll(); reply != null; reply = replies.poll()) replied(reply, now);
        handOn();
        flush();
    }

    private void replied(SagaReply reply, long now) {
        Unanswered.Entry entry = unanswered.get(reply.correlation());
        if (entry == null) return; // Answered meanwhile, because the saga took too long.
        boolean decided = reply.outcome() instanceof SagaReply.Outcome.Decided;
        boolean wanted = !entry.isResult();
        if (!decided && !wanted && !closing) return; // Told again by look().
        if (decided) {
            shared.metrics().answered(entry.input(), now - entry.arrived());
            line.decided(entry, now - entry.arrived());
        }
        remove(entry);
        if (wanted) outbox.answer(entry.correlation(), reply.outcome());
    }

    /** Something is answered, so there is room for others. Not in a turn of this thread, which has few things to do first. */
    private void handOn() {
        share.handOn();
    }

    private void remove(Unanswered.Entry entry) {
        line.done(entry);
        account(entry.isPatient()).give(entry.bytes());
        unanswered.remove(entry);
    }

    private void lookLater() {
        if (looking) return;
        looking = true;
        wire.schedule(this::look, LOOK_EVERY.toMillis());
    }

    /** Replies may get lost between nodes: who waits is told again, or tells again, but nobody waits for ever. */
    private void look() {
        looking = false;
        OptionalLong unreadSince = outbox.unreadSince();
        if (over || (unanswered.isEmpty() && unreadSince.isEmpty())) return;
        long now = shared.clock().millis();
        if (unreadSince.isPresent() && now - unreadSince.getAsLong() >= READ_WITHIN.toMillis()) {
            shared.metrics().unread();
            refuse(
                    Status.RESOURCE_EXHAUSTED,
                    "%s %s has not read for %s what this alpha node has for it; the stream is closed."
                            .formatted(hello.getService(), hello.getInstance(), READ_WITHIN));
            return;
        }
        unanswered.forEach(entry -> lookAt(entry, now));
        handOn();
        lookLater();
        flush();
    }

    private void lookAt(Unanswered.Entry entry, long now) {
        if (!entry.isPatient() && now - entry.readAt() >= patience(entry).toMillis()) {
            giveUp(entry);
        } else if (!entry.isWaiting() && now - entry.askedAt() >= pause(entry).toMillis()) {
            tellAgain(entry, now);
        }
    }

    private static Duration patience(Unanswered.Entry entry) {
        return entry.isResult() ? RESULT_WITHIN : ANSWER_WITHIN;
    }

    private static Duration pause(Unanswered.Entry entry) {
        if (entry.isResult()) return LOOK_EVERY;
        if (!entry.isOnDetour() || entry.isPatient()) return ANSWER_WITHIN;
        // Each time after as long as it has taken so far: a node that has too much to do shall not get more for it.
        Duration soFar = Duration.ofMillis(entry.askedAt() - entry.readAt());
        return soFar.compareTo(TOLD_AGAIN_AFTER) > 0 ? soFar : TOLD_AGAIN_AFTER;
    }

    private void tellAgain(Unanswered.Entry entry, long now) {
        entry.asked(now);
        tell(entry, Deliver.UNTIMED);
    }

    /** A node was lost: what may have been told a saga there is told the one that takes its place. */
    void tellAgain() {
        if (over) return;
        long now = shared.clock().millis();
        unanswered.forEach(entry -> {
            if (entry.isOnDetour()) tellAgain(entry, now);
        });
    }

    private void giveUp(Unanswered.Entry entry) {
        if (entry.isResult()) {
            remove(entry); // Its sender waits for nothing.
            return;
        }
        shared.metrics().unanswered();
        giveUp(
                entry,
                "Saga %s gave no answer within %s; what becomes of the input is unknown, send it again."
                        .formatted(entry.saga(), ANSWER_WITHIN));
    }

    private void giveUp(Unanswered.Entry entry, String text) {
        outbox.answer(WireAnswers.toUnavailable(entry.correlation(), LOOK_EVERY, text));
        remove(entry);
    }

    // ---- out

    void callback(Callback callback) {
        if (over) return;
        if (outbox.callback(callback)) {
            flush();
        } else {
            shared.metrics().callbackRefused();
            arrived = System.nanoTime();
            result(busy(callback));
        }
    }

    private static CallbackResult busy(Callback callback) {
        return CallbackResult.newBuilder()
                .setSaga(callback.getSaga())
                .setBranch(callback.getBranch())
                .setKind(callback.getKind())
                .setAttempt(callback.getAttempt())
                .setFailure(CallbackFailure.newBuilder().setCode(CallbackFailure.Code.BUSY))
                .build();
    }

    /** Writes what the peer is ready for, and reads on if there is room. */
    void flush() {
        if (over) return;
        outbox.write(shared.clock().millis());
        if (outbox.unreadSince().isPresent()) lookLater();
        if (closing && unanswered.isEmpty() && !outbox.owesAnswers()) {
            wire.complete();
            end();
        } else {
            read();
        }
    }

    /** Always last: what is there already is received before this returns. */
    private void read() {
        if (closing || reading || pausing || outbox.owesAnswers() || line.isWaiting()) return;
        if (unanswered.size() >= WINDOW || unanswered.bytes() >= WINDOW_BYTES || !held.hasRoom()) return;
        reading = true;
        wire.request();
    }

    // ---- the end

    private void refuse(Status status, String sentence) {
        wire.fail(status.withDescription(sentence));
        end();
    }

    /** The peer has said all it had to say. */
    void halfClosed() {
        if (over) return;
        leave();
        closing = true;
        flush();
    }

    /** The peer is better off elsewhere. It ends the stream itself, once it has what it is owed. */
    void move() {
        if (over || closing) return;
        leave();
        wire.send(FromAlpha.newBuilder()
                .setGoAway(GoAway.newBuilder().setReason(CROWDED))
                .build());
    }

    /** This node stops. What is read is answered; who waits for a decision waits elsewhere. */
    void drain() {
        if (over || closing) return;
        leave();
        closing = true;
        wire.send(FromAlpha.newBuilder()
                .setGoAway(GoAway.newBuilder().setReason(STOPPING).setReconnectAfterMillis(LOOK_EVERY.toMillis()))
                .build());
        unanswered.forEach(entry -> {
            if (entry.isPatient()) giveUp(entry, STOPPING);
        });
        flush();
    }

    /** The stream is gone. */
    void broken() {
        end();
    }

    /** No new callbacks. */
    private void leave() {
        if (left) return;
        left = true;
        address.leave();
    }

    private void end() {
        if (over) return;
        over = true;
        held.close();
        waiting.close();
        line.close();
        handOn();
        replies.cutOff();
        address.end();
    }
}
