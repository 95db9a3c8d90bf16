package io.alphaomega.server.node;

import akka.actor.Address;
import akka.actor.typed.Behavior;
import akka.actor.typed.javadsl.ActorContext;
import akka.cluster.Member;
import akka.cluster.MemberStatus;
import io.alphaomega.server.properties.ClusterProperties.Resolver;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
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
final class RemovalWatch extends Watch<Map<Member, List<String>>> {
    /** As often as the split brain resolver looks, which would give up the next within two of its looks. */
    static final Duration LOOK_EVERY = Duration.ofSeconds(1);

    /** Looks that must have seen the same: the first may have met a node that comes or goes. */
    private static final int SURE = 2;

    /** Looks that are left out at first: not everybody has heard yet that this node has come. */
    private static final int PATIENCE = 10;

    private static final Logger LOG = LoggerFactory.getLogger(RemovalWatch.class);

    /**
     * What it works with.
     *
     * @param resolver who goes on after a cut
     * @param ends what to do when this node does not
     */
    record Settings(Resolver resolver, Duration lookEvery, Runnable ends) {}

    private final Settings settings;
    private int looks;

    static Behavior<Command<Map<Member, List<String>>>> create(Settings settings) {
        return every(
                settings.lookEvery(),
                settings.lookEvery().multipliedBy(PATIENCE),
                context -> new RemovalWatch(context, settings));
    }

    private RemovalWatch(ActorContext<Command<Map<Member, List<String>>>> context, Settings settings) {
        super(context);
        this.settings = settings;
    }

    @Override
    void look() {
        if (!isUp()) return;
        List<Member> others = Nodes.others(cluster);
        ask(Nodes.ask(others, getContext().getSystem()).thenApply(reports -> members(others, reports)));
    }

    private static Map<Member, List<String>> members(List<Member> others, List<Optional<NodeReport>> reports) {
        Map<Member, List<String>> members = new HashMap<>();
        for (int i = 0; i < others.size(); i++) {
            members.put(others.get(i), reports.get(i).map(NodeReport::members).orElse(List.of()));
        }
        return members;
    }

    /** @param others and the members that each of them knows of, as host:port; none if it does not say */
    @Override
    void learned(Map<Member, List<String>> others) {
        Map<Address, List<String>> known = new HashMap<>();
        others.forEach((other, members) -> known.put(other.address(), members));
        Set<Address> up = others.keySet().stream()
                .filter(member -> member.status().equals(MemberStatus.up()))
                .map(Member::address)
                .collect(Collectors.toSet());
        Optional<Address> oldest = Nodes.oldest(cluster.state()).map(Member::address);
        Part without = part(cluster.selfMember().address(), known, up);
        looks = isUp() && without.goesOn(oldest, settings.resolver()) ? looks + 1 : 0;
        if (looks == SURE) {
            LOG.warn(
                    "Other nodes of the cluster, {}, have given this one up and continue without it: it ends, and joins them when"
                            + " it is started again.",
                    without.nodes().stream().map(Nodes::hostAndPort).sorted().toList());
            settings.ends().run();
        }
    }

    /**
     * Those of the members that are said to go on without this node. One that is itself cut off and has given up all others
     * says so as well, but alone.
     *
     * @param known the members that each other member knows of
     * @param up which of the others neither come nor go
     */
    static Part part(Address self, Map<Address, List<String>> known, Set<Address> up) {
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
        Set<Address> left =
                up.stream().filter(other -> !without.contains(other)).collect(Collectors.toCollection(HashSet::new));
        left.add(self);
        return new Part(without, left);
    }
}
