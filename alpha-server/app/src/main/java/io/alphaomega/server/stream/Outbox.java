package io.alphaomega.server.stream;

import io.alphaomega.protocol.v1.Ack;
import io.alphaomega.protocol.v1.Callback;
import io.alphaomega.protocol.v1.CallbackFailure;
import io.alphaomega.protocol.v1.CallbackResult;
import io.alphaomega.protocol.v1.FromAlpha;
import io.alphaomega.protocol.v1.Shards;
import io.alphaomega.protocol.v1.StoreMark;
import io.alphaomega.saga.Reply;
import io.alphaomega.server.saga.SagaReply;
import io.alphaomega.server.wire.AckBuffer;
import io.alphaomega.wire.WireAnswers;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** What is to be said over one stream, and what of it the peer has not read. It lives on the stream's event loop. */
final class Outbox {
    /** Waiting for a peer that does not read; a further one finds it busy. */
    static final int CALLBACKS_MAX = 256;

    private final OmegaCall wire;
    private final Budget.Account held;
    private final AckBuffer acks = new AckBuffer();
    private final Deque<Callback> callbacks = new ArrayDeque<>();
    private @Nullable Shards news;
    private @Nullable StoreMark mark;
    private int unread;
    private OptionalLong unreadSince = OptionalLong.empty();

    /** @param held what the stream holds, of which this is a part */
    Outbox(OmegaCall wire, Budget.Account held) {
        this.wire = wire;
        this.held = held;
    }

    void answer(long correlation, SagaReply.Outcome outcome) {
        switch (outcome) {
            case SagaReply.Outcome.Decided(Reply reply) -> {
                int before = acks.bytes();
                acks.add(correlation, reply);
                held.add(acks.bytes() - before);
            }
            case SagaReply.Outcome.Unavailable(Duration retryAfter, String text) ->
                answer(WireAnswers.toUnavailable(correlation, retryAfter, text));
            case SagaReply.Outcome.Unreadable(String text) -> answer(WireAnswers.toUnreadable(correlation, text));
        }
    }

    void answer(Ack ack) {
        int before = acks.bytes();
        acks.add(ack);
        held.add(acks.bytes() - before);
    }

    /** Whether there are answers that the peer was not ready for. */
    boolean owesAnswers() {
        return !acks.isEmpty();
    }

    /** Takes it, unless the peer reads too slowly: then it says false. */
    boolean callback(Callback callback) {
        int bytes = callback.getSerializedSize();
        if (wire.isReady()) held.add(bytes);
        else if (callbacks.size() >= CALLBACKS_MAX || !held.take(bytes)) return false;
        callbacks.addLast(callback);
        return true;
    }

    /** Of several news the last is told. */
    void shards(Shards shards) {
        news = shards;
    }

    /** The last one is told. */
    void mark(StoreMark latest) {
        mark = latest;
    }

    /** Writes what the peer is ready for. */
    void write(long now) {
        noteRead(now);
        if (!acks.isEmpty() && wire.isReady()) {
            unread += acks.bytes();
            wire.send(acks.take());
        }
        if (mark != null && wire.isReady()) {
            wire.send(FromAlpha.newBuilder().setMark(mark).build());
            mark = null;
        }
        if (news != null && wire.isReady()) {
            wire.send(FromAlpha.newBuilder().setShards(news).build());
            news = null;
        }
        while (!callbacks.isEmpty() && wire.isReady()) {
            Callback next = callbacks.removeFirst();
            unread += next.getSerializedSize();
            wire.send(FromAlpha.newBuilder().setCallback(next).build());
        }
        noteRead(now);
    }

    /** What is on its way counts until gRPC is ready for more: then the peer, or the network, has nearly all of it. */
    private void noteRead(long now) {
        if (wire.isReady()) {
            held.give(unread);
            unread = 0;
            unreadSince = OptionalLong.empty();
        } else if (unreadSince.isEmpty()) {
            unreadSince = OptionalLong.of(now);
        }
    }

    /** Since when the peer has not read what there is for it; empty if it has. */
    OptionalLong unreadSince() {
        return unreadSince;
    }

    /** What is said in place of a peer that reads too slowly to be sent a callback. */
    static CallbackResult busy(Callback callback) {
        return CallbackResult.newBuilder()
                .setSaga(callback.getSaga())
                .setBranch(callback.getBranch())
                .setKind(callback.getKind())
                .setAttempt(callback.getAttempt())
                .setFailure(CallbackFailure.newBuilder().setCode(CallbackFailure.Code.BUSY))
                .build();
    }
}
