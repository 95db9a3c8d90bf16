package io.alphaomega.server.stream;

import akka.actor.typed.ActorRef;
import io.alphaomega.saga.SagaInput;
import io.alphaomega.server.saga.Deliver;
import io.alphaomega.server.saga.SagaReply;
import io.alphaomega.server.saga.Sagas;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * What a router reports to sagas of callbacks that nobody runs. A saga that cannot store it now, or is on its way to
 * another node, is told again until it has decided; to one that has decided, whose answer was lost, it comes too late and
 * does nothing. For one thread.
 */
final class Reports {
    /** An append that is waited for takes longer only while the store is in trouble. */
    private static final Duration TOLD_AGAIN_AFTER = Duration.ofSeconds(2);

    private record Report(CallbackRequest ask, SagaInput input, Instant toldAt) {}

    private final Sagas sagas;
    private final ActorRef<SagaReply> replies;
    private final Consumer<SagaReply> here;
    private final Map<Long, Report> undecided = new LinkedHashMap<>();
    private final Map<CallbackRequest.Key, Long> numbers = new HashMap<>();
    private long last;

    /**
     * @param replies of sagas on other nodes; whoever gets them hands them to {@link #answered}
     * @param here gets those of this node's, on any thread
     */
    Reports(Sagas sagas, ActorRef<SagaReply> replies, Consumer<SagaReply> here) {
        this.sagas = sagas;
        this.replies = replies;
        this.here = here;
    }

    void report(CallbackRequest ask, SagaInput input, Instant now) {
        dropped(ask);
        tell(++last, new Report(ask, input, now));
        numbers.put(ask.key(), last);
    }

    /** The saga asks for it again, so somebody runs it. */
    void dropped(CallbackRequest ask) {
        Long number = numbers.remove(ask.key());
        if (number != null) undecided.remove(number);
    }

    void answered(SagaReply reply) {
        if (reply.outcome() instanceof SagaReply.Outcome.Unavailable) return;
        Report decided = undecided.remove(reply.correlation());
        if (decided != null) numbers.remove(decided.ask().key());
    }

    void tellAgain(Instant now) {
        for (Map.Entry<Long, Report> each : List.copyOf(undecided.entrySet())) {
            Report report = each.getValue();
            if (report.ask().call().answerBy().isBefore(now)) {
                dropped(report.ask()); // The saga has counted it as unanswered by itself.
            } else if (!report.toldAt().plus(TOLD_AGAIN_AFTER).isAfter(now)) {
                tell(each.getKey(), new Report(report.ask(), report.input(), now));
            }
        }
    }

    private void tell(long number, Report report) {
        undecided.put(number, report);
        sagas.tell(new Deliver(report.ask().saga(), report.input(), number, replies, here, Deliver.UNTIMED), false);
    }
}
