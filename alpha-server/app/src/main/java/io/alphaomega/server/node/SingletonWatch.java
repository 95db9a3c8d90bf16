package io.alphaomega.server.node;

import akka.actor.NoSerializationVerificationNeeded;
import akka.actor.typed.Behavior;
import akka.actor.typed.javadsl.AbstractBehavior;
import akka.actor.typed.javadsl.ActorContext;
import akka.actor.typed.javadsl.Adapter;
import akka.actor.typed.javadsl.Behaviors;
import akka.actor.typed.javadsl.Receive;
import akka.cluster.Member;
import akka.cluster.typed.Cluster;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The actor that ends the oldest node of a cluster if what the cluster has one of does not run there: the coordinator of
 * the shards, the scanner and the like. Without them sagas find no place, and those that are due are not woken.
 *
 * <p>Akka's manager of singletons gives them up to whoever asks, and never takes them up again. A part of a cluster that
 * has taken the rest for dead asks so when it is alone, and the rest is left without. The next oldest node takes them up
 * when this one has ended.
 */
final class SingletonWatch extends AbstractBehavior<SingletonWatch.Command> {
    static final Duration LOOK_EVERY = Duration.ofSeconds(5);

    /** Looks that must all have missed something: a node that leaves gets 15 s for all it has to hand over. */
    private static final int SURE = 5;

    private static final Logger LOG = LoggerFactory.getLogger(SingletonWatch.class);

    /** What the actor is told. */
    sealed interface Command extends NoSerializationVerificationNeeded {}

    private enum Signal implements Command {
        LOOK
    }

    private record Missed(List<String> paths) implements Command {}

    /** @param ends what to do when one is missing */
    record Settings(Duration lookEvery, Runnable ends) {}

    private final List<String> paths;
    private final Settings settings;
    private final Cluster cluster;
    private int looks;

    /** @param paths of the singletons, on the node that has them */
    static Behavior<Command> create(List<String> paths, Settings settings) {
        return Behaviors.setup(context -> Behaviors.withTimers(timers -> {
            timers.startTimerWithFixedDelay(Signal.LOOK, settings.lookEvery());
            return new SingletonWatch(context, paths, settings);
        }));
    }

    private SingletonWatch(ActorContext<Command> context, List<String> paths, Settings settings) {
        super(context);
        this.paths = paths;
        this.settings = settings;
        this.cluster = Cluster.get(context.getSystem());
    }

    @Override
    public Receive<Command> createReceive() {
        return newReceiveBuilder()
                .onMessageEquals(Signal.LOOK, this::look)
                .onMessage(Missed.class, this::missed)
                .build();
    }

    private Behavior<Command> look() {
        if (!isOldest()) {
            looks = 0;
            return this;
        }
        List<CompletableFuture<List<String>>> missing =
                paths.stream().map(this::missing).toList();
        CompletableFuture<List<String>> all = CompletableFuture.allOf(missing.toArray(CompletableFuture[]::new))
                .thenApply(done ->
                        missing.stream().flatMap(path -> path.join().stream()).toList());
        getContext().pipeToSelf(all, (paths, failure) -> new Missed(paths));
        return this;
    }

    /** The path, if no actor has it. */
    private CompletableFuture<List<String>> missing(String path) {
        return Adapter.toClassic(getContext().getSystem())
                .actorSelection(path)
                .resolveOne(Nodes.ANSWER_WITHIN)
                .toCompletableFuture()
                .handle((actor, none) -> actor == null ? List.of(path) : List.of());
    }

    private Behavior<Command> missed(Missed missed) {
        looks = !missed.paths().isEmpty() && isOldest() ? looks + 1 : 0;
        if (looks == SURE) {
            LOG.warn(
                    "This node is the oldest of the cluster, and what must run there has not for {} s: {}. It ends, so that"
                            + " the next oldest takes that up.",
                    settings.lookEvery().multipliedBy(SURE).toSeconds(),
                    String.join(", ", missed.paths()));
            settings.ends().run();
        }
        return this;
    }

    private boolean isOldest() {
        return Nodes.oldest(cluster.state())
                .map(Member::uniqueAddress)
                .filter(cluster.selfMember().uniqueAddress()::equals)
                .isPresent();
    }
}
