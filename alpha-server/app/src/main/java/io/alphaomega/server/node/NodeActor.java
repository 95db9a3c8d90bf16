package io.alphaomega.server.node;

import akka.actor.ActorRef;
import akka.actor.NoSerializationVerificationNeeded;
import akka.actor.typed.Behavior;
import akka.actor.typed.javadsl.Adapter;
import akka.actor.typed.javadsl.Behaviors;
import akka.cluster.sharding.ShardRegion;
import io.alphaomega.server.saga.StoreThreads;
import java.time.Duration;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;

/** The one actor of each node that answers for it, and that watches which shards of the sagas it has. */
final class NodeActor {
    /** What the actor is told. */
    sealed interface Command permits AskNode, Own {}

    /** From its timer and from this node's shards. */
    private sealed interface Own extends Command, NoSerializationVerificationNeeded {}

    private enum Signal implements Own {
        COUNT
    }

    private record Counted(Set<String> shards) implements Own {}

    private NodeActor() {}

    /**
     * @param region of the sagas of this node
     * @param counted hears which shards there are
     * @param countEvery how often they are counted
     * @param report of this node, now; waits for the store if it was asked for
     */
    static Behavior<Command> create(
            ActorRef region, Consumer<Set<String>> counted, Duration countEvery, Function<AskNode, NodeReport> report) {
        return Behaviors.setup(context -> Behaviors.withTimers(timers -> {
            ActorRef answer = Adapter.toClassic(context.messageAdapter(
                    ShardRegion.ShardRegionStats.class,
                    stats -> new Counted(Set.copyOf(stats.getStats().keySet()))));
            timers.startTimerWithFixedDelay(Signal.COUNT, Duration.ZERO, countEvery);
            return Behaviors.receive(Command.class)
                    .onMessage(AskNode.class, ask -> {
                        if (ask.ofStore())
                            new StoreThreads().execute(() -> ask.replyTo().tell(report.apply(ask)));
                        else ask.replyTo().tell(report.apply(ask));
                        return Behaviors.same();
                    })
                    .onMessageEquals(Signal.COUNT, () -> {
                        region.tell(ShardRegion.getRegionStatsInstance(), answer);
                        return Behaviors.same();
                    })
                    .onMessage(Counted.class, now -> {
                        counted.accept(now.shards());
                        return Behaviors.same();
                    })
                    .build();
        }));
    }
}
