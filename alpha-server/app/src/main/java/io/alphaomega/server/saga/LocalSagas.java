package io.alphaomega.server.saga;

import akka.actor.typed.ActorRef;
import io.alphaomega.saga.SagaId;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The sagas in this node's memory that can be told something directly. The way through sharding, with its two further
 * actors, is for those that are not here.
 *
 * <p>What is told is in the saga's mailbox before {@link #leave} returns or not at all: a saga that leaves misses nothing
 * if it reads its mailbox to the end. Safe for use by many threads.
 */
final class LocalSagas {
    private final Map<SagaId, ActorRef<SagaCommand>> actors = new ConcurrentHashMap<>();

    void enter(SagaId saga, ActorRef<SagaCommand> actor) {
        actors.put(saga, actor);
    }

    /** Whether it was still here. */
    boolean leave(SagaId saga, ActorRef<SagaCommand> actor) {
        return actors.remove(saga, actor);
    }

    /** Whether the saga is here and was told. */
    boolean tell(Deliver deliver) {
        // Inside the map's own lock for that entry, so that leave() waits for it.
        return actors.computeIfPresent(deliver.saga(), (saga, actor) -> {
                    actor.tell(deliver);
                    return actor;
                })
                != null;
    }
}
