package io.alphaomega.server.node;

import akka.actor.ActorIdentity;
import akka.actor.ActorSelection;
import akka.actor.Identify;
import akka.actor.typed.Behavior;
import akka.actor.typed.javadsl.ActorContext;
import akka.actor.typed.javadsl.Adapter;
import akka.pattern.Patterns;
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
final class SingletonWatch extends Watch<List<String>> {
    static final Duration LOOK_EVERY = Duration.ofSeconds(2);

    /** Looks that must all have missed something: to take all that up takes a second. */
    private static final int SURE = 5;

    private static final Logger LOG = LoggerFactory.getLogger(SingletonWatch.class);

    /** @param ends what to do when one is missing */
    record Settings(Duration lookEvery, Runnable ends) {}

    private final List<String> paths;
    private final Settings settings;
    private int looks;

    /** @param paths of the singletons, on the node that has them */
    static Behavior<Command<List<String>>> create(List<String> paths, Settings settings) {
        return every(settings.lookEvery(), context -> new SingletonWatch(context, paths, settings));
    }

    private SingletonWatch(ActorContext<Command<List<String>>> context, List<String> paths, Settings settings) {
        super(context);
        this.paths = paths;
        this.settings = settings;
    }

    @Override
    void look() {
        if (!isOldest()) {
            looks = 0;
            return;
        }
        List<CompletableFuture<List<String>>> missing =
                paths.stream().map(this::missing).toList();
        ask(CompletableFuture.allOf(missing.toArray(CompletableFuture[]::new))
                .thenApply(done ->
                        missing.stream().flatMap(path -> path.join().stream()).toList()));
    }

    /** The path, if no actor has it: one that has it and does not answer in time is busy. */
    private CompletableFuture<List<String>> missing(String path) {
        ActorSelection singleton = Adapter.toClassic(getContext().getSystem()).actorSelection(path);
        return Patterns.ask(singleton, new Identify(path), Nodes.ANSWER_WITHIN)
                .toCompletableFuture()
                .handle((answer, late) -> answer instanceof ActorIdentity identity
                                && identity.getActorRef().isEmpty()
                        ? List.of(path)
                        : List.of());
    }

    @Override
    void learned(List<String> missed) {
        looks = !missed.isEmpty() && isOldest() ? looks + 1 : 0;
        if (looks == SURE) {
            LOG.warn(
                    "This node is the oldest of the cluster, and what must run there has not for {} s: {}. It ends, so that"
                            + " the next oldest takes that up.",
                    settings.lookEvery().multipliedBy(SURE).toSeconds(),
                    String.join(", ", missed));
            settings.ends().run();
        }
    }

    /** Of all members: an older one that is about to leave has what it has until it is gone. */
    private boolean isOldest() {
        return isUp() && Nodes.byAge(cluster.state()).getFirst().equals(cluster.selfMember());
    }
}
