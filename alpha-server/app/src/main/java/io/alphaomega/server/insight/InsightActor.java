package io.alphaomega.server.insight;

import akka.actor.NoSerializationVerificationNeeded;
import akka.actor.typed.Behavior;
import akka.actor.typed.javadsl.Behaviors;
import io.alphaomega.server.bulk.BulkOrders;
import io.alphaomega.server.saga.SagaMetrics;
import io.alphaomega.server.stream.CallbackNeeds;
import io.alphaomega.server.stream.Instances;
import io.alphaomega.server.stream.StreamMetrics;
import io.alphaomega.server.sweep.StuckBoard;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.function.Supplier;

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
    record Sources(
            SagaMetrics sagas,
            StreamMetrics streams,
            Instances instances,
            CallbackNeeds needs,
            StuckBoard stuck,
            BulkOrders bulk,
            Supplier<Standing> standing,
            Clock clock) {}

    /** What it notes each second. */
    private record Notes(RateHistory rates, RecentWaits acknowledged, RecentWaits stored) {
        static Notes of(Sources sources) {
            return new Notes(
                    new RateHistory(sources.clock().instant(), sources.sagas().totals()),
                    new RecentWaits(sources.streams()::acknowledged),
                    new RecentWaits(sources.sagas()::appendWaits));
        }

        void note(Sources sources) {
            rates.note(sources.clock().instant(), sources.sagas().totals());
            acknowledged.note();
            stored.note();
        }
    }

    private InsightActor() {}

    static Behavior<Command> create(Sources sources) {
        return Behaviors.withTimers(timers -> {
            Notes notes = Notes.of(sources);
            timers.startTimerAtFixedRate(Signal.NOTE, SECOND);
            return Behaviors.receive(Command.class)
                    .onMessageEquals(Signal.NOTE, () -> {
                        notes.note(sources);
                        return Behaviors.same();
                    })
                    .onMessage(AskInsight.class, ask -> {
                        ask.put().ifPresent(sources.bulk()::learn);
                        ask.replyTo().tell(insight(sources, notes, ask.stuck()));
                        return Behaviors.same();
                    })
                    .build();
        });
    }

    private static Insight insight(Sources sources, Notes notes, StuckFilter filter) {
        Instant now = sources.clock().instant();
        return Insight.of(
                sources.instances().all(now),
                sources.needs()::of,
                notes.rates().rates(),
                notes.acknowledged().waits(),
                notes.stored().waits(),
                sources.stuck()
                        .latest()
                        .map(all -> StuckView.of(all, sources.stuck().isStale(), filter)),
                sources.bulk().all(),
                sources.standing().get());
    }
}
