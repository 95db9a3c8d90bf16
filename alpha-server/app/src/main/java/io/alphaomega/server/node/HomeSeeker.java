package io.alphaomega.server.node;

import akka.actor.ActorRef;
import akka.actor.typed.Behavior;
import akka.actor.typed.javadsl.ActorContext;
import akka.cluster.Member;
import akka.cluster.UniqueAddress;
import akka.cluster.sharding.ShardRegion;
import akka.pattern.Patterns;
import io.alphaomega.server.saga.SagaSharding;
import java.time.Duration;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;

/**
 * The actor that finds homes for the shards of the sagas before somebody needs one: for all when the node starts, for those
 * that it has given away, and for those of a node that is gone. Nobody else looks for these until one of their sagas is
 * asked for.
 */
final class HomeSeeker extends Watch<Set<String>> {
    /** Longer than it takes to find all where nothing is amiss. */
    static final Duration LOOK_EVERY = Duration.ofSeconds(1);

    private final Map<String, ShardRegion.StartEntity> placeholders = SagaSharding.placeholders();
    private final ActorRef region;
    private final ShardHomes homes;
    private final Duration lookEvery;
    private final Set<String> missing = new HashSet<>(placeholders.keySet());
    private boolean again;

    /** As of the last look. */
    private Set<UniqueAddress> members = Set.of();

    static Behavior<Command<Set<String>>> create(ShardHomes homes, Duration lookEvery) {
        return every(lookEvery, Duration.ZERO, context -> new HomeSeeker(context, homes, lookEvery));
    }

    private HomeSeeker(ActorContext<Command<Set<String>>> context, ShardHomes homes, Duration lookEvery) {
        super(context);
        this.region = SagaSharding.region(context.getSystem());
        this.homes = homes;
        this.lookEvery = lookEvery;
    }

    @Override
    void look() {
        for (String shard : homes.given()) region.tell(placeholders.get(shard), ActorRef.noSender());
        if (isMemberGone()) missing.addAll(placeholders.keySet());
        else if (missing.isEmpty()) return;
        missing.forEach(shard -> ask(found(shard)));
        if (again && !homes.isSettled()) ask(settledElsewhere());
        again = true;
    }

    /** Whether one has gone since the last look: which shards it had only the coordinator knows, and what it has found. */
    private boolean isMemberGone() {
        Set<UniqueAddress> now = StreamSupport.stream(
                        cluster.state().getMembers().spliterator(), false)
                .map(Member::uniqueAddress)
                .collect(Collectors.toSet());
        boolean isGone = !now.containsAll(members);
        members = now;
        return isGone;
    }

    private CompletableFuture<Set<String>> found(String shard) {
        return Patterns.ask(region, placeholders.get(shard), lookEvery)
                .toCompletableFuture()
                .handle((started, late) -> late == null ? Set.of(shard) : Set.<String>of());
    }

    /**
     * All, if a node has found them before: those that have lost theirs since, because they move or a node was lost, find
     * another without this one.
     */
    private CompletableFuture<Set<String>> settledElsewhere() {
        return Nodes.ask(Nodes.others(cluster), getContext().getSystem())
                .thenApply(reports -> reports.stream().flatMap(Optional::stream).anyMatch(NodeReport::settled)
                        ? placeholders.keySet()
                        : Set.of());
    }

    @Override
    void learned(Set<String> found) {
        if (missing.removeAll(found)) homes.missing(missing.size());
    }
}
