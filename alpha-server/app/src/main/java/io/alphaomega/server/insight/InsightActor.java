package io.alphaomega.server.insight;

import akka.actor.NoSerializationVerificationNeeded;
import akka.actor.typed.Behavior;
import akka.actor.typed.javadsl.Behaviors;
import io.alphaomega.server.bulk.BulkOrders;
import io.alphaomega.server.saga.SagaMetrics;
import io.alphaomega.server.stream.Instances;
import io.alphaomega.server.sweep.StuckBoard;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;

/** The one actor of each node that answers for what people want to see of it. */
final class InsightActor {
    /** Fixed, because neighbouring versions ask each other. */
    static final String NAME = "insight";

    private static final Duration SECOND = Duration.ofSeconds(1);

    /** What the actor is told. */
    sealed interface Command permits AskInsight, Signal {}

    enum Signal implements Command, NoSerializationVerificationNeeded {
        NOTE
    }

    /** What it looks at. */
    record Sources(SagaMetrics sagas, Instances instances, StuckBoard stuck, BulkOrders bulk, Clock clock) {}

    private InsightActor() {}

    static Behavior<Command> create(Sources sources) {
        return Behaviors.withTimers(timers -> {
            RateHistory history =
                    new RateHistory(sources.clock().instant(), sources.sagas().totals());
            timers.startTimerAtFixedRate(Signal.NOTE, SECOND);
            return Behaviors.receive(Command.class)
                    .onMessageEquals(Signal.NOTE, () -> {
                        history.note(sources.clock().instant(), sources.sagas().totals());
                        return Behaviors.same();
                    })
                    .onMessage(AskInsight.class, ask -> {
                        ask.put().ifPresent(sources.bulk()::learn);
                        ask.replyTo().tell(insight(sources, history, ask.stuck()));
                        return Behaviors.same();
                    })
                    .build();
        });
    }

    private static Insight insight(Sources sources, RateHistory history, StuckFilter filter) {
        Instant now = sources.clock().instant();
        return Insight.of(
                sources.instances().all(now),
                history.rates(),
                sources.stuck().latest().map(all -> StuckView.of(all, filter)),
                sources.bulk().all());
    }
}
