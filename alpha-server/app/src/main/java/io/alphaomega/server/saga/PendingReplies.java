package io.alphaomega.server.saga;

import io.alphaomega.saga.Reply;
import io.alphaomega.saga.SagaId;
import io.alphaomega.saga.SagaRules;
import io.alphaomega.saga.SagaState;
import io.alphaomega.server.repository.RepositoryBusyException;
import io.alphaomega.wire.WireAnswers;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;

/** Who waits for an answer of one saga: its turn, or the saga's decision. Both are bounded. */
final class PendingReplies {
    /** A saga has a few callers at a time; who comes on top of this many is told to come back. */
    static final int GATHERED_MAX = 256;

    /** One initiator and its resends wait for the decision; more than this is a mistake. */
    static final int PARKED_MAX = 32;

    /** A store that was away is asked again at this pace. */
    static final Duration RETRY_AFTER = Duration.ofSeconds(1);

    private final SagaId id;
    private final SagaMetrics metrics;
    /** There are as many of these as sagas in memory, and hardly ever more than one caller in each. */
    private final Deque<Deliver> gathered = new ArrayDeque<>(2);

    private final List<Deliver> parked = new ArrayList<>(0);

    PendingReplies(SagaId id, SagaMetrics metrics) {
        this.id = id;
        this.metrics = metrics;
    }

    // ---- those whose turn comes

    void gather(Deliver deliver) {
        if (gathered.size() < GATHERED_MAX) gathered.addLast(deliver);
        else refuse(deliver, RETRY_AFTER, "Saga %s has %d inputs waiting; send it again.".formatted(id, GATHERED_MAX));
    }

    int gathered() {
        return gathered.size();
    }

    /** The first {@code count}, in order. */
    List<Deliver> take(int count) {
        if (count == 1) return List.of(gathered.removeFirst());
        List<Deliver> taken = new ArrayList<>(count);
        for (int i = 0; i < count; i++) taken.add(gathered.removeFirst());
        return taken;
    }

    /** They come first again. */
    void putBack(List<Deliver> taken) {
        for (Deliver deliver : taken.reversed()) gathered.addFirst(deliver);
    }

    // ---- those who wait for the decision

    boolean anyParked() {
        return !parked.isEmpty();
    }

    /** Answers what was decided. Who wants to wait for more does, and is answered once the saga is decided. */
    void answer(DecisionBatch batch) {
        for (DecisionBatch.Answer answer : batch.answers()) {
            if (answer.reply() instanceof Reply.Pending && answer.deliver().awaitsDecision()) park(answer.deliver());
            else answer.deliver().answer(outcome(answer.reply()));
        }
        if (parked.isEmpty() || !(batch.after() instanceof SagaState.Known known)) return;
        Reply end = SagaRules.answerToEnd(known);
        if (!(end instanceof Reply.Pending)) tellDecision(end);
    }

    /** A sender that asks again, because it got no answer for a while, still waits only once. */
    private void park(Deliver waiter) {
        parked.removeIf(earlier -> earlier.correlation() == waiter.correlation()
                && earlier.replyTo().equals(waiter.replyTo()));
        if (parked.size() < PARKED_MAX) parked.add(waiter);
        else refuse(waiter, RETRY_AFTER, "%d others wait for saga %s already.".formatted(PARKED_MAX, id));
    }

    private void tellDecision(Reply standing) {
        for (Iterator<Deliver> each = parked.iterator(); each.hasNext(); each.remove()) {
            each.next().answer(outcome(standing));
        }
    }

    private static SagaReply.Outcome outcome(Reply reply) {
        return reply instanceof Reply.NotNow(String text)
                ? new SagaReply.Outcome.Unavailable(WireAnswers.NOT_NOW, text)
                : new SagaReply.Outcome.Decided(reply);
    }

    // ---- refusals

    /** Everybody, for whatever they wait. {@code text} has a place for the saga's id, here and below. */
    void refuseAll(String text) {
        takeAll().forEach(deliver -> refuse(deliver, RETRY_AFTER, text.formatted(id)));
    }

    /** Those whose inputs were decided and are not stored. */
    void refuse(DecisionBatch batch, String text) {
        batch.inputs().forEach(deliver -> refuse(deliver, RETRY_AFTER, text.formatted(id)));
    }

    /** The repository has not even tried to store what was decided. */
    void refuseBusy(DecisionBatch batch, RepositoryBusyException busy) {
        batch.inputs().forEach(deliver -> refuse(deliver, busy.retryAfter(), String.valueOf(busy.getMessage())));
    }

    private void refuse(Deliver deliver, Duration retryAfter, String text) {
        metrics.unavailable();
        deliver.answer(new SagaReply.Outcome.Unavailable(retryAfter, text));
    }

    /** Everybody, for whatever they wait. */
    List<Deliver> takeAll() {
        List<Deliver> all = new ArrayList<>(take(gathered.size()));
        all.addAll(parked);
        parked.clear();
        return all;
    }
}
