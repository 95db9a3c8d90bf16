package io.alphaomega.server.cluster;

import akka.actor.typed.Behavior;
import akka.actor.typed.javadsl.Behaviors;
import akka.cluster.ClusterEvent;
import akka.cluster.Member;
import akka.cluster.MemberStatus;
import akka.cluster.typed.Cluster;
import akka.cluster.typed.Subscribe;
import io.alphaomega.server.saga.Ownership;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The actor that follows which nodes there are. */
final class Membership {
    private static final Logger LOG = LoggerFactory.getLogger(Membership.class);

    /** What follows from a loss, such as that sharding forgets the node, happens at the same moment, in no order. */
    private static final Duration SETTLED_AFTER = Duration.ofMillis(200);

    /** What was sent while the sagas of a node that is gone had no new place is told again then. */
    private static final Duration TOLD_AGAIN_AFTER = Duration.ofMillis(1_200);

    private Membership() {}

    /**
     * @param ownership hears of every change
     * @param onDeparture runs when a node is gone, after a moment and again when its sagas surely have a new place
     */
    static Behavior<ClusterEvent.MemberEvent> following(Ownership ownership, Runnable onDeparture) {
        return Behaviors.setup(context -> {
            Cluster cluster = Cluster.get(context.getSystem());
            cluster.subscriptions().tell(Subscribe.create(context.getSelf(), ClusterEvent.MemberEvent.class));
            return Behaviors.receive(ClusterEvent.MemberEvent.class)
                    .onMessage(ClusterEvent.MemberUp.class, up -> {
                        ownership.changed();
                        LOG.info("Node {} is a member of the cluster.", name(up.member()));
                        return Behaviors.same();
                    })
                    .onMessage(ClusterEvent.MemberRemoved.class, removed -> {
                        // If this node is gone, all others are to it.
                        if (cluster.isTerminated()) return Behaviors.same();
                        String node = name(removed.member());
                        if (removed.previousStatus().equals(MemberStatus.down())) {
                            ownership.lost();
                            LOG.warn("Node {} was lost; the others continue its sagas.", node);
                        } else {
                            // It may have died while it left.
                            ownership.departed();
                            LOG.info("Node {} has left the cluster.", node);
                        }
                        var later = context.getSystem().scheduler();
                        var unused = later.scheduleOnce(SETTLED_AFTER, onDeparture, context.getExecutionContext());
                        var unused2 = later.scheduleOnce(TOLD_AGAIN_AFTER, onDeparture, context.getExecutionContext());
                        return Behaviors.same();
                    })
                    .onAnyMessage(other -> Behaviors.same())
                    .build();
        });
    }

    /** As a person writes it in alpha.cluster.seed-nodes. */
    private static String name(Member member) {
        return member.address().host().get() + ":" + member.address().port().get();
    }
}
