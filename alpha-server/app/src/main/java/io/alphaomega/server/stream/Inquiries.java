package io.alphaomega.server.stream;

import akka.actor.typed.ActorRef;
import io.alphaomega.saga.BranchId;
import io.alphaomega.saga.SagaEffect;
import io.alphaomega.saga.SagaId;
import io.alphaomega.wire.WireAnswers;
import java.time.Duration;
import java.time.Instant;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What the fences of one service are asked about the branches of held sagas: a few at a time, and again until there is an
 * answer, by whichever instance can be asked. While none is connected, all of it waits.
 */
final class Inquiries {
    /** All sagas of a store may be held at once; the service is to have room for its business. */
    static final int UNDER_WAY_MAX = 16;

    /** A page of sagas with a few branches each, some times over. Further sagas ask when there is room. */
    static final int MAX = 1_000;

    /** An instance that cannot read its database answers nothing of use: then another is asked. */
    static final Duration ANSWER_WITHIN = Duration.ofSeconds(10);

    /** Then the saga has to say that it still wants to know: it may have moved to another node, or been released there. */
    private static final int ASKED_MAX = 10;

    /** Names, ids and what remembers it. */
    private static final int OVERHEAD_BYTES = 1_024;

    private record Key(SagaId saga, BranchId branch) {}

    private static final class Inquiry {
        final Key key;
        final SagaEffect.AskFence question;
        int asked;
        Instant askedAt = Instant.MIN;

        Inquiry(Key key, SagaEffect.AskFence question) {
            this.key = key;
            this.question = question;
        }

        int bytes() {
            return OVERHEAD_BYTES + question.arguments().size();
        }
    }

    private final Budget.Account held;
    private final Map<Key, Inquiry> waiting = new LinkedHashMap<>();
    private final Map<Key, Inquiry> underWay = new LinkedHashMap<>();

    /** Whether sagas are being told to ask again. */
    boolean sweeping;

    /** Whether some saga wants to know something of which nothing is known here any more. */
    private boolean missed;

    /** For other threads. */
    private volatile boolean room = true;

    /** @param held of what waits or is under way */
    Inquiries(Budget.Account held) {
        this.held = held;
    }

    void ask(SagaId saga, SagaEffect.AskFence question) {
        Inquiry inquiry = new Inquiry(new Key(saga, question.branch()), question);
        if (waiting.containsKey(inquiry.key) || underWay.containsKey(inquiry.key)) return;
        if (size() < MAX && held.take(inquiry.bytes())) waiting.put(inquiry.key, inquiry);
        else missed = true;
    }

    void withdraw(SagaId saga, SagaEffect.AskFence question) {
        Key key = new Key(saga, question.branch());
        Inquiry known = waiting.remove(key);
        if (known == null) known = underWay.remove(key);
        if (known != null) held.give(known.bytes());
    }

    boolean isEmpty() {
        return size() == 0 && !missed;
    }

    private int size() {
        return waiting.size() + underWay.size();
    }

    /** Sends as many as may be under way. */
    void send(Participant participant, Instant now) {
        while (underWay.size() < UNDER_WAY_MAX && !waiting.isEmpty()) {
            Inquiry next = waiting.values().iterator().next();
            ActorRef<RunCallback> connection =
                    participant.toInquire(next.question.build(), next.key.hashCode() + next.asked);
            if (connection == null) break;
            waiting.remove(next.key);
            underWay.put(next.key, next);
            next.asked++;
            next.askedAt = now;
            connection.tell(new RunCallback(WireAnswers.toInquiry(next.key.saga(), next.question, ANSWER_WITHIN, now)));
        }
        boolean more = size() < MAX / 2 && held.hasRoom();
        if (room != more) room = more;
    }

    /** Moves inquiries without an answer behind the others, and drops those that were asked often enough. */
    void look(Instant now) {
        for (Iterator<Inquiry> each = underWay.values().iterator(); each.hasNext(); ) {
            Inquiry inquiry = each.next();
            if (now.isBefore(inquiry.askedAt.plus(ANSWER_WITHIN))) continue;
            each.remove();
            if (inquiry.asked < ASKED_MAX) {
                waiting.put(inquiry.key, inquiry);
            } else {
                held.give(inquiry.bytes());
                missed = true;
            }
        }
    }

    /** Whether there is room for further ones; from any thread, as of the last {@link #send}. */
    boolean hasRoom() {
        return room;
    }

    /** Whether the sagas are to be told now to ask again, once. */
    boolean takeMissed() {
        if (!missed || sweeping || !room) return false;
        missed = false;
        sweeping = true;
        return true;
    }
}
