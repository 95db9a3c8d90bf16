package io.alphaomega.server.stream;

import io.alphaomega.protocol.v1.Batch;
import io.alphaomega.protocol.v1.Callback;
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
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What is said over one stream after its Hello: inputs in, answers and callbacks out. It lives on the stream's event
 * loop; only {@link Replies} come from elsewhere.
 *
 * <p>Nothing here is unbounded: {@link Admission} says what is let in. A peer that does not read its answers is not read
 * from, and in the end not waited for.
 *
 * <p>A stream is paused only while it holds something that will be answered, or read by its peer, within a time limit. So no
 * stream can block another.
 */
final class Conversation {
    /** Twice as long as a connection is left open whose peer is gone; an omega always reads. */
    static final Duration READ_WITHIN = Duration.ofSeconds(30);

    private static final String FULL =
            "This alpha node has no memory left for inputs that wait for their sagas; send it again.";

    private static final String CROWDED = "This alpha node has more than its share of the streams; connect to another.";

    private static final String STOPPING = "This alpha node stops; connect to another, or later.";

    private static final Logger LOG = LoggerFactory.getLogger(Conversation.class);

    private final Hello hello;
    private final OmegaCall wire;
    private final Connection.Shared shared;
    private final Connection.Address address;
    private final Replies replies;

    private final Unanswered unanswered = new Unanswered();
    private final Admission admission;
    private final Outbox outbox;
    private final FairShare share;
    private final FairShare.Line line;
    /** When the message was read that is looked at now, of {@link System#nanoTime}. */
    private long arrived;

    private boolean reading;
    private boolean looking;
    private boolean left;
    private boolean closing;
    private boolean over;

    Conversation(Hello hello, OmegaCall wire, Connection.Shared shared, Connection.Address address) {
        this.hello = hello;
        this.wire = wire;
        this.shared = shared;
        this.address = address;
        this.replies = new Replies(this);
        this.admission = new Admission(shared.budget(), wire, unanswered, this::flush);
        this.outbox = new Outbox(wire, admission.held());
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
        Status refused = Admission.refusal(message);
        if (refused != null) {
            fail(refused);
            return;
        }
        switch (message.getKindCase()) {
            case HELLO ->
                fail(Status.INVALID_ARGUMENT.withDescription(
                        "A stream has one Hello, at its beginning, and this is the second; the stream is closed."));
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
        List<Input> inputs = batch.getInputsList();
        long now = shared.clock().millis();
        boolean few = line.isFew(inputs.size());
        int invalid = 0;
        for (int i = 0; i < inputs.size(); i++) {
            Input input = inputs.get(i);
            try {
                Admission.requireSize(input);
                if (admission.hasRoom(input)) deliver(input, few, now);
                else refuse(input);
            } catch (IllegalArgumentException e) {
                invalid++;
                outbox.answer(WireAnswers.toInvalid(input.getCorrelation(), String.valueOf(e.getMessage())));
            }
        }
        shared.metrics().inputs(inputs.size() - invalid, invalid);
        admission.messageRead();
    }

    /** It gets no answer; what is wrong with it can only be logged, and the saga asks again in time. */
    private void result(CallbackResult result) {
        if (WireInputs.isNoAnswer(result)) return;
        try {
            SagaId saga = new SagaId(result.getSaga());
            SagaInput said = WireInputs.fromResult(hello, result);
            int bytes = admission.admit(result);
            if (said instanceof SagaInput.DeferCallback) shared.metrics().callbackDeferred();
            enter(0, saga, said, bytes, line.isFew(1), shared.clock().millis());
            shared.metrics().inputs(1, 0);
        } catch (IllegalArgumentException e) {
            shared.metrics().inputs(0, 1);
            LOG.warn(
                    "{} {} sent an invalid result of a callback: {}",
                    hello.getService(),
                    hello.getInstance(),
                    e.getMessage());
        }
    }

    private void deliver(Input input, boolean few, long now) {
        SagaId saga = new SagaId(input.getSaga());
        SagaInput said = shared.rehearsal().of(saga, WireInputs.fromOmega(hello, input, shared.defaults()));
        enter(input.getCorrelation(), saga, said, admission.admit(input, said), few, now);
    }

    private void refuse(Input input) {
        shared.metrics().inputRefused();
        outbox.answer(WireAnswers.toUnavailable(input.getCorrelation(), admission.refuse(input), FULL));
    }

    private void enter(long correlation, SagaId saga, SagaInput input, int bytes, boolean few, long now) {
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
        admission.release(entry);
        unanswered.remove(entry);
    }

    private void lookLater() {
        if (looking) return;
        looking = true;
        wire.schedule(this::look, Unanswered.LOOK_EVERY.toMillis());
    }

    /** Replies may get lost between nodes: who waits is told again, or tells again, but nobody waits for ever. */
    private void look() {
        looking = false;
        OptionalLong unreadSince = outbox.unreadSince();
        if (over || (unanswered.isEmpty() && unreadSince.isEmpty())) return;
        long now = shared.clock().millis();
        if (unreadSince.isPresent() && now - unreadSince.getAsLong() >= READ_WITHIN.toMillis()) {
            shared.metrics().unread();
            fail(Status.RESOURCE_EXHAUSTED.withDescription(
                    "%s %s has not read for %s what this alpha node has for it; the stream is closed."
                            .formatted(hello.getService(), hello.getInstance(), READ_WITHIN)));
            return;
        }
        unanswered.forEach(entry -> lookAt(entry, now));
        handOn();
        lookLater();
        flush();
    }

    private void lookAt(Unanswered.Entry entry, long now) {
        if (entry.isOverdue(now)) giveUp(entry);
        else if (entry.isDueAgain(now)) tellAgain(entry, now);
    }

    private void tellAgain(Unanswered.Entry entry, long now) {
        entry.asked(now);
        tell(entry, Deliver.UNTIMED);
    }

    /** A node was lost: what may have been told a saga there is told the one that takes its place. */
    void nodeLost() {
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
        dismiss(
                entry,
                "Saga %s gave no answer within %s; what becomes of the input is unknown, send it again."
                        .formatted(entry.saga(), Unanswered.ANSWER_WITHIN));
    }

    private void dismiss(Unanswered.Entry entry, String text) {
        outbox.answer(WireAnswers.toUnavailable(entry.correlation(), Unanswered.LOOK_EVERY, text));
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
            result(Outbox.busy(callback));
        }
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
        if (closing || reading || outbox.owesAnswers() || line.isWaiting() || !admission.isOpen()) return;
        reading = true;
        wire.request();
    }

    // ---- the end

    private void fail(Status status) {
        wire.fail(status);
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
                .setGoAway(GoAway.newBuilder()
                        .setReason(STOPPING)
                        .setReconnectAfterMillis(Unanswered.LOOK_EVERY.toMillis()))
                .build());
        unanswered.forEach(entry -> {
            if (entry.isPatient()) dismiss(entry, STOPPING);
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
        admission.close();
        line.close();
        handOn();
        replies.cutOff();
        address.end();
    }
}
