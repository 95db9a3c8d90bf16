package io.alphaomega.server.node;

import akka.actor.NoSerializationVerificationNeeded;
import akka.actor.typed.Behavior;
import akka.actor.typed.javadsl.AbstractBehavior;
import akka.actor.typed.javadsl.ActorContext;
import akka.actor.typed.javadsl.Behaviors;
import akka.actor.typed.javadsl.Receive;
import akka.cluster.MemberStatus;
import akka.cluster.typed.Cluster;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An actor that looks at the cluster again and again, asks whoever can tell more, and acts on what it learns.
 *
 * @param <T> what it learns
 */
abstract class Watch<T> extends AbstractBehavior<Watch.Command<T>> {
    /** What the actor is told. */
    sealed interface Command<T> extends NoSerializationVerificationNeeded {}

    private record Look<T>() implements Command<T> {}

    private record Learned<T>(T what) implements Command<T> {}

    private record Failed<T>(Throwable why) implements Command<T> {}

    private static final Logger LOG = LoggerFactory.getLogger(Watch.class);

    final Cluster cluster;

    Watch(ActorContext<Command<T>> context) {
        super(context);
        this.cluster = Cluster.get(context.getSystem());
    }

    /** Looks at that interval. */
    static <T> Behavior<Command<T>> every(Duration interval, Function<ActorContext<Command<T>>, Watch<T>> watch) {
        return every(interval, interval, watch);
    }

    /** Looks for the first time after so long, and then at that interval. */
    static <T> Behavior<Command<T>> every(
            Duration interval, Duration first, Function<ActorContext<Command<T>>, Watch<T>> watch) {
        return Behaviors.setup(context -> Behaviors.withTimers(timers -> {
            timers.startTimerWithFixedDelay(new Look<>(), first, interval);
            return watch.apply(context);
        }));
    }

    @Override
    public final Receive<Command<T>> createReceive() {
        return newReceiveBuilder().onAnyMessage(this::told).build();
    }

    private Behavior<Command<T>> told(Command<T> command) {
        switch (command) {
            case Look<T> look -> look();
            case Learned<T>(T what) -> learned(what);
            case Failed<T>(Throwable why) ->
                LOG.warn("{} could not look, and will again.", getClass().getSimpleName(), why);
        }
        return this;
    }

    /** Looks, and may {@link #ask}. */
    abstract void look();

    /** Is told each answer, which may come after the next look. */
    abstract void learned(T what);

    final void ask(CompletableFuture<T> answer) {
        getContext()
                .pipeToSelf(answer, (what, failure) -> failure == null ? new Learned<>(what) : new Failed<>(failure));
    }

    /** Whether this node neither comes nor goes. */
    final boolean isUp() {
        return cluster.selfMember().status().equals(MemberStatus.up());
    }
}
