package io.alphaomega.server.node;

import akka.actor.Address;
import akka.actor.NoSerializationVerificationNeeded;
import akka.actor.typed.Behavior;
import akka.actor.typed.javadsl.AbstractBehavior;
import akka.actor.typed.javadsl.ActorContext;
import akka.actor.typed.javadsl.Behaviors;
import akka.actor.typed.javadsl.Receive;
import akka.cluster.Member;
import akka.cluster.MemberStatus;
import akka.cluster.typed.Cluster;
import io.alphaomega.server.AlphaProperties.Cluster.Resolver;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The actor that ends a node which the others have given up while it counts itself among them.
 *
 * <p>A node that was out of their reach for just so long finds them in reach again before it has decided that it must end.
 * Nobody tells it what they have decided: a removed node gets no gossip. Left alone it stays on its own, gives up who is
 * slow to be heard again, and ends as a cluster of one beside theirs. So every node asks the others of whom they know.
 */
final class RemovalWatch extends AbstractBehavior<RemovalWatch.Command> {
    /** As often as the split brain resolver looks, which would give up the next within two of its looks. */
    static final Duration LOOK_EVERY = Duration.ofSeconds(1);

    /** Looks that must have seen the same: the first may have met a node that comes or goes. */
    private static final int SURE = 2;

    /** Looks that are left out at first: not everybody has heard yet that this node has come. */
    private static final int PATIENCE = 10;

    private static final Logger LOG = LoggerFactory.getLogger(RemovalWatch.class);

    /** What the actor is told. */
    sealed interface Command extends NoSerializationVerificationNeeded {}

    private enum Signal implements Command {
        LOOK
    }

    private record Answered(List<Member> others, List<Optional<NodeReport>> reports) implements Command {}

    /**
     * What it works with.
     *
     * @param resolver who goes on after a cut
     * @param ends what to do when this node does not
     */
    record Settings(Resolver resolver, Duration lookEvery, Runnable ends) {}

    private final Settings settings;
    private final Cluster cluster;
    private int looks;

    static Behavior<Command> create(Settings settings) {
        return Behaviors.setup(context -> Behaviors.withTimers(timers -> {
            timers.startTimerWithFixedDelay(
                    Signal.LOOK, settings.lookEvery().multipliedBy(PATIENCE), settings.lookEvery());
            return new RemovalWatch(context, settings);
        }));
    }

    private RemovalWatch(ActorContext<Command> context, Settings settings) {
        super(context);
        this.settings = settings;
        this.cluster = Cluster.get(context.getSystem());
    }

    @Override
    public Receive<Command> createReceive() {
        return newReceiveBuilder()
                .onMessageEquals(Signal.LOOK, this::look)
                .onMessage(Answered.class, this::answered)
                .build();
    }

    private Behavior<Command> look() {
        if (!isUp()) return this; // About to come, or to go.
        List<Member> others = Nodes.others(cluster);
        getContext()
                .pipeToSelf(
                        Nodes.ask(others, getContext().getSystem()),
                        (reports, failure) -> new Answered(others, reports));
        return this;
    }

    private Behavior<Command> answered(Answered answered) {
        Map<Address, List<String>> known = new LinkedHashMap<>();
        for (int i = 0; i < answered.others().size(); i++) {
            List<String> members =
                    answered.reports().get(i).map(NodeReport::members).orElse(List.of());
            known.put(answered.others().get(i).address(), members);
        }
        Optional<Address> oldest = Nodes.oldest(cluster.state()).map(Member::address);
        Address self = cluster.selfMember().address();
        looks = isUp() && isRemoved(self, oldest, known, settings.resolver()) ? looks + 1 : 0;
        if (looks == SURE) {
            LOG.warn(
                    "Other nodes of the cluster, {}, have given this one up and go on without it: it ends, and joins them when"
                            + " it is started again.",
                    known.keySet().stream().map(Nodes::hostAndPort).toList());
            settings.ends().run();
        }
        return this;
    }

    private boolean isUp() {
        return cluster.selfMember().status().equals(MemberStatus.up());
    }

    /**
     * Whether those that go on after a cut, whichever those are, go on without this node. A node that is itself cut off and
     * has given up all others says so as well, but alone.
     *
     * @param known the members that each other member knows of, as host:port; none if it does not say
     */
    static boolean isRemoved(
            Address self, Optional<Address> oldest, Map<Address, List<String>> known, Resolver resolver) {
        String own = Nodes.hostAndPort(self);
        Set<String> with = known.entrySet().stream()
                .filter(other -> other.getValue().contains(own))
                .map(other -> Nodes.hostAndPort(other.getKey()))
                .collect(Collectors.toSet());
        Set<String> listed = known.values().stream()
                .filter(members -> !members.contains(own))
                .flatMap(List::stream)
                .filter(member -> !with.contains(member))
                .collect(Collectors.toSet());
        Set<Address> without = known.keySet().stream()
                .filter(other -> listed.contains(Nodes.hostAndPort(other)))
                .collect(Collectors.toSet());
        int others = known.size() + 1 - without.size();
        return switch (resolver) {
            case KEEP_MAJORITY ->
                without.size() > others || (without.size() == others && without.contains(lowest(known.keySet(), self)));
            case KEEP_OLDEST -> oldest.filter(without::contains).isPresent();
            case DOWN_ALL -> !without.isEmpty();
        };
    }

    private static Address lowest(Set<Address> others, Address self) {
        Address other = Collections.min(others, Member.addressOrdering());
        return Member.addressOrdering().compare(self, other) < 0 ? self : other;
    }
}
