package io.alphaomega.server.saga;

import akka.actor.typed.ActorRef;
import akka.actor.typed.ActorSystem;
import akka.actor.typed.javadsl.Adapter;
import akka.actor.typed.javadsl.Behaviors;
import akka.cluster.sharding.ShardRegion;
import akka.cluster.sharding.typed.ShardingMessageExtractor;
import akka.cluster.sharding.typed.javadsl.ClusterSharding;
import akka.cluster.sharding.typed.javadsl.Entity;
import akka.cluster.sharding.typed.javadsl.EntityTypeKey;
import io.alphaomega.saga.SagaId;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The actors of all sagas behind cluster sharding: this node's share of them, and the way to those of other nodes. */
public final class SagaSharding {
    /**
     * Ten for each of ten nodes, as many as anybody will need. Never to be changed: two nodes that count differently
     * would each take themselves for the owner of a saga.
     */
    public static final int SHARDS = 100;

    private static final EntityTypeKey<SagaCommand> SAGA = EntityTypeKey.create(SagaCommand.class, "saga");

    /** Begins the id of what is no saga: no saga's has a slash. */
    private static final String PLACEHOLDER = "home/";

    /** The path of the actor that says which node has which shard, on the node that has it: the oldest. */
    public static final String COORDINATOR = "/system/sharding/%sCoordinator/singleton".formatted(SAGA.name());

    private final Sagas sagas;
    private final Function<ActorRef<RouterCommand>, SagaActor.Shared> shared;

    /** @param shared what the actors of this node work with, given the node's router of callbacks */
    SagaSharding(Sagas sagas, Function<ActorRef<RouterCommand>, SagaActor.Shared> shared) {
        this.sagas = sagas;
        this.shared = shared;
    }

    /** Takes this node's share of the sagas, and opens the way to all. */
    public void open(ActorSystem<?> system, ActorRef<RouterCommand> router) {
        SagaActor.Shared forAll = shared.apply(router);
        ActorRef<Deliver> region = ClusterSharding.get(system)
                .init(Entity.of(
                                SAGA,
                                entity -> entity.getEntityId().startsWith(PLACEHOLDER)
                                        ? Behaviors.stopped()
                                        : SagaActor.create(new SagaId(entity.getEntityId()), entity.getShard(), forAll))
                        .withStopMessage(SagaCommand.Signal.LEAVE)
                        .withMessageExtractor(new BySaga()))
                .narrow();
        sagas.open(system, region);
    }

    /** From now on no saga is told anything. */
    public void close() {
        sagas.close();
    }

    /** The sagas of this node, to be asked about its shards. */
    public static akka.actor.ActorRef region(ActorSystem<?> system) {
        return akka.cluster.sharding.ClusterSharding.get(Adapter.toClassic(system))
                .shardRegion(SAGA.name());
    }

    /** What is no saga and ends at once, one for each shard, which it is found by: a shard has a home once that was started. */
    public static Map<String, ShardRegion.StartEntity> placeholders() {
        BySaga bySaga = new BySaga();
        Map<String, ShardRegion.StartEntity> byShard = new HashMap<>();
        for (int i = 0; byShard.size() < SHARDS; i++) {
            String id = PLACEHOLDER + i;
            byShard.putIfAbsent(bySaga.shardId(id), new ShardRegion.StartEntity(id));
        }
        return Map.copyOf(byShard);
    }

    /** Sagas by their id, spread over the shards by a hash that every node and every JVM agrees on. */
    static final class BySaga extends ShardingMessageExtractor<SagaCommand, SagaCommand> {
        @Override
        public @Nullable String entityId(SagaCommand message) {
            return message instanceof Deliver deliver ? deliver.saga().value() : null;
        }

        @Override
        public String shardId(String entityId) {
            return Integer.toString(Math.floorMod(entityId.hashCode(), SHARDS));
        }

        @Override
        public SagaCommand unwrapMessage(SagaCommand message) {
            return message;
        }
    }
}
