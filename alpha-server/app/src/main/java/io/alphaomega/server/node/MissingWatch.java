package io.alphaomega.server.node;

import akka.actor.typed.Behavior;
import akka.actor.typed.javadsl.Behaviors;
import akka.cluster.ClusterEvent.MemberEvent;
import akka.cluster.ClusterEvent.MemberRemoved;
import akka.cluster.ClusterEvent.MemberUp;
import akka.cluster.Member;
import akka.cluster.MemberStatus;
import akka.cluster.typed.Cluster;
import akka.cluster.typed.Subscribe;

/** The actor that follows which nodes are missing. It hears of all that are members already when it begins. */
final class MissingWatch {
    private MissingWatch() {}

    static Behavior<MemberEvent> create(MissingNodes missing) {
        return Behaviors.setup(context -> {
            missing.open();
            Cluster.get(context.getSystem())
                    .subscriptions()
                    .tell(Subscribe.create(context.getSelf(), MemberEvent.class));
            return Behaviors.receive(MemberEvent.class)
                    .onMessage(MemberUp.class, up -> {
                        missing.up(name(up.member()));
                        return Behaviors.same();
                    })
                    .onMessage(MemberRemoved.class, removed -> {
                        boolean isLost = removed.previousStatus().equals(MemberStatus.down());
                        if (isLost) missing.lost(name(removed.member()));
                        else missing.left(name(removed.member()));
                        return Behaviors.same();
                    })
                    .onAnyMessage(other -> Behaviors.same())
                    .build();
        });
    }

    private static String name(Member member) {
        return Nodes.hostAndPort(member.address());
    }
}
