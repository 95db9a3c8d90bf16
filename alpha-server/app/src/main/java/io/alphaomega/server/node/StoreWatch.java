package io.alphaomega.server.node;

import akka.actor.typed.Behavior;
import akka.actor.typed.javadsl.ActorContext;
import akka.actor.typed.javadsl.Behaviors;
import akka.cluster.Member;
import akka.cluster.MemberStatus;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The actor that ends a node which has lost the store when most others have not. The others hear its heartbeat, so they
 * would leave it its sagas, and each of them would be answered "not now" until the node reaches the store again.
 *
 * <p>That the store is there is proven by what it has stored for other nodes meanwhile, and by nothing less: when it is
 * away for all, or refuses to write, no node ends. It must be proven by more than half of the cluster: a node that ends
 * is lost to the others, and those that are left go on only if they are the larger part, even if all others end as well.
 */
final class StoreWatch extends Watch<Boolean> {
    /** Most outages of a network are over by then. */
    static final Duration LOOK_EVERY = Duration.ofSeconds(5);

    /** Looks that must have seen the same, each with something new that was stored elsewhere. */
    private static final int SURE = 2;

    private static final Logger LOG = LoggerFactory.getLogger(StoreWatch.class);

    /**
     * What it works with.
     *
     * @param awayFor how long the store has been away; zero while it is there
     * @param storedAgo how long ago it last stored something for this node
     * @param survived whether the others go on when a node is lost, if they are the larger part
     * @param ends what to do when it is away for this node and not for most others
     */
    record Settings(
            Supplier<Duration> awayFor,
            Supplier<Duration> storedAgo,
            Duration lookEvery,
            boolean survived,
            Runnable ends) {}

    private final Settings settings;
    private int looks;

    static Behavior<Command<Boolean>> create(Settings settings) {
        if (!settings.survived()) return Behaviors.empty();
        return every(settings.lookEvery(), context -> new StoreWatch(context, settings));
    }

    private StoreWatch(ActorContext<Command<Boolean>> context, Settings settings) {
        super(context);
        this.settings = settings;
    }

    @Override
    void look() {
        if (isStillThere()) {
            looks = 0;
            return;
        }
        List<Member> others = Nodes.others(cluster);
        List<Member> up = others.stream()
                .filter(member -> member.status().equals(MemberStatus.up()))
                .toList();
        ask(Nodes.ask(up, getContext().getSystem())
                .thenApply(answers -> haveStored(answers) > (others.size() + 1) / 2));
    }

    /** @param storedElsewhere whether more than half of all nodes have stored something a short while ago */
    @Override
    void learned(Boolean storedElsewhere) {
        looks = storedElsewhere && !isStillThere() ? looks + 1 : 0;
        if (looks == SURE) {
            LOG.warn(
                    "This node has not reached the store for {} s, and most others do: it ends, so that its sagas continue there.",
                    settings.awayFor().get().toSeconds());
            settings.ends().run();
        }
    }

    /** Or has been away for a moment only. */
    private boolean isStillThere() {
        return settings.awayFor().get().compareTo(settings.lookEvery()) < 0;
    }

    /** How many have since the last look, when the store was away for this node already. */
    private long haveStored(List<Optional<NodeReport>> reports) {
        return reports.stream()
                .flatMap(Optional::stream)
                .flatMap(report -> report.storedAgo().stream())
                .filter(ago -> ago.compareTo(settings.lookEvery()) < 0)
                .count();
    }
}
