package io.alphaomega.server.saga;

import akka.actor.typed.ActorRef;
import akka.cluster.sharding.typed.javadsl.ClusterSharding;
import io.alphaomega.saga.SagaId;

/** Whether one saga's actor can be told something directly, wants to go, and may. */
final class Passivation {
    private final SagaId id;
    private final ActorRef<SagaCommand> self;
    private final ActorRef<ClusterSharding.ShardCommand> shard;
    private final LocalSagas localSagas;
    private boolean resident;
    private boolean passivating;
    private boolean departing;
    private boolean leaving;

    Passivation(
            SagaId id,
            ActorRef<SagaCommand> self,
            ActorRef<ClusterSharding.ShardCommand> shard,
            LocalSagas localSagas) {
        this.id = id;
        this.self = self;
        this.shard = shard;
        this.localSagas = localSagas;
    }

    /** From now on it is told directly; what came before, through the shard, has been answered already. */
    void enter() {
        if (resident || passivating || departing) return;
        resident = true;
        localSagas.enter(id, self);
    }

    /** The shard keeps what comes from now on for the next actor of this saga, and answers with a LEAVE. */
    void passivate() {
        if (passivating) return;
        passivating = true;
        gone();
        shard.tell(new ClusterSharding.Passivate<>(self));
    }

    /** Whether it is about to go already, asked for by itself or by its shard. */
    boolean isGoing() {
        return passivating || departing;
    }

    /** It was told to leave: it may once it has nothing under way, and has read what was told to it directly until now. */
    void leave() {
        departing = true;
        if (gone()) self.tell(SagaCommand.Signal.LEAVE); // Comes behind all that.
        else leaving = true;
    }

    boolean isLeaving() {
        return leaving;
    }

    /** Whether it was here until now. */
    boolean gone() {
        boolean was = resident && localSagas.leave(id, self);
        resident = false;
        return was;
    }
}
