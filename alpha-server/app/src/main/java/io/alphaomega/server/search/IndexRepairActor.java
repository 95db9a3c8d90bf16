package io.alphaomega.server.search;

import akka.actor.NoSerializationVerificationNeeded;
import akka.actor.typed.ActorSystem;
import akka.actor.typed.Behavior;
import akka.actor.typed.javadsl.Behaviors;
import akka.cluster.Member;
import akka.cluster.UniqueAddress;
import akka.cluster.typed.Cluster;
import akka.cluster.typed.SingletonActor;
import io.alphaomega.repository.RepositoryUnavailableException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;

/** The one actor of the cluster that runs an {@link IndexRepair} at intervals. */
final class IndexRepairActor {
    static final Duration LOOK_EVERY = Duration.ofSeconds(5);

    /** What the actor is told. */
    private sealed interface Command extends NoSerializationVerificationNeeded {}

    private enum Signal implements Command {
        LOOK,
        STOP
    }

    private record Looked(Throwable failure) implements Command {}

    private enum Fine implements Command {
        LOOKED
    }

    private IndexRepairActor() {}

    /** @param repairs one for each time that this node has to look after the index */
    static SingletonActor<?> singleton(Supplier<IndexRepair> repairs, Executor virtualThreads) {
        return SingletonActor.of(create(repairs, virtualThreads), "search-repair")
                .withStopMessage(Signal.STOP);
    }

    private static Behavior<Command> create(Supplier<IndexRepair> repairs, Executor virtualThreads) {
        return Behaviors.setup(context -> Behaviors.withTimers(timers -> {
            context.setLoggerName(IndexRepair.class);
            IndexRepair repair = repairs.get();
            timers.startSingleTimer(Signal.LOOK, Duration.ofSeconds(1));
            return Behaviors.receiveMessage(command -> switch (command) {
                case Signal.LOOK -> {
                    Set<String> members = members(context.getSystem());
                    context.pipeToSelf(
                            CompletableFuture.runAsync(() -> repair.look(members), virtualThreads),
                            (done, failure) -> failure == null ? Fine.LOOKED : new Looked(failure));
                    yield Behaviors.same();
                }
                case Signal.STOP -> {
                    repair.stop();
                    yield Behaviors.stopped();
                }
                case Looked(Throwable thrown) -> {
                    Throwable failure = thrown instanceof CompletionException ? thrown.getCause() : thrown;
                    if (!(failure instanceof RepositoryUnavailableException)) {
                        context.getLog().error("Looking after the search index failed: this is a bug.", failure);
                    }
                    timers.startSingleTimer(Signal.LOOK, LOOK_EVERY);
                    yield Behaviors.same();
                }
                case Fine.LOOKED -> {
                    timers.startSingleTimer(Signal.LOOK, LOOK_EVERY);
                    yield Behaviors.same();
                }
            });
        }));
    }

    /** Every node that may have something to tell, also one that is not reached just now. */
    private static Set<String> members(ActorSystem<?> system) {
        return StreamSupport.stream(Cluster.get(system).state().getMembers().spliterator(), false)
                .map(Member::uniqueAddress)
                .map(IndexRepairActor::name)
                .collect(Collectors.toSet());
    }

    /** The name of this run of this node: no other run has it. */
    static String nameOf(ActorSystem<?> system) {
        return name(Cluster.get(system).selfMember().uniqueAddress());
    }

    private static String name(UniqueAddress node) {
        return node.address().hostPort() + "#" + node.longUid();
    }
}
