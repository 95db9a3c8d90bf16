package io.alphaomega.server.node;

import akka.actor.typed.Behavior;
import akka.actor.typed.javadsl.ActorContext;
import akka.cluster.ClusterEvent.CurrentClusterState;
import akka.cluster.Member;
import akka.cluster.MemberStatus;
import java.time.Duration;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The actor that watches whether the cluster is the one that is configured: whether all seed nodes are in it, and whether
 * it survives the loss of a node.
 *
 * <p>A first seed node that is started while it reaches none of the others founds a cluster of its own. Akka never joins
 * two clusters. So whoever finds a seed node in another, larger cluster ends, is started again and joins that one.
 *
 * <p>Two parts of a cluster that have given each other up ask each other so, too, for as long as remoting lets what they
 * send pass: a minute. Afterwards they never hear each other again, even when the network is whole. What still tells of
 * the other part then is the store, where somebody else goes on with this part's sagas. Then a part ends that has fewer
 * than half of the seed nodes; one that has half of them stays, as the others may be dead and the rival somebody else.
 */
final class ClusterWatch extends Watch<ClusterWatch.Asked> {
    /** What asking those that are not there costs nobody notices; two clusters are one again within a quarter of a minute. */
    static final Duration LOOK_EVERY = Duration.ofSeconds(5);

    /** Looks that must have seen the same: the first may have met a node that comes or goes. */
    private static final int SURE = 2;

    /** Looks after which an operator is told: a rolling restart is over by then. */
    private static final int PATIENCE = 12;

    private static final Logger LOG = LoggerFactory.getLogger(ClusterWatch.class);

    /** What a node says that is not in this cluster, if it answers. */
    record Asked(String node, Optional<NodeReport> answer) {}

    /**
     * What it works with.
     *
     * @param name of the cluster that this node belongs to
     * @param seeds as host:port
     * @param halvesAreDecided whether of two equal parts the one with the lowest address goes on
     * @param absent is told how many seed nodes are not in the cluster
     * @param rivals whether somebody who is not in this cluster goes on with its sagas
     * @param ends what to do when there is a larger cluster
     */
    record Settings(
            String name,
            List<String> seeds,
            boolean halvesAreDecided,
            AtomicInteger absent,
            BooleanSupplier rivals,
            Duration lookEvery,
            Runnable ends) {}

    /** A node that is not in this cluster, and how often that was seen. */
    private static final class Absence {
        int looks;
        int elsewhere;
        int larger;
    }

    private final Settings settings;
    private final Map<String, Absence> absences = new HashMap<>();

    /** Members that are none any more, and how often they are still asked. */
    private final Map<String, Integer> gone = new HashMap<>();

    private List<String> before = List.of();
    private int looksAtTwo;
    private int looksAtRivals;

    static Behavior<Command<Asked>> create(Settings settings) {
        return every(settings.lookEvery(), context -> new ClusterWatch(context, settings));
    }

    private ClusterWatch(ActorContext<Command<Asked>> context, Settings settings) {
        super(context);
        this.settings = settings;
    }

    @Override
    void look() {
        if (!isUp()) return;
        List<String> known = members(cluster.state(), null);
        before.forEach(member -> gone.put(member, PATIENCE));
        gone.keySet().removeIf(known::contains);
        gone.values().removeIf(left -> left == 0);
        gone.replaceAll((member, left) -> left - 1);
        before = known;
        Set<String> away = new HashSet<>(settings.seeds());
        away.removeIf(known::contains);
        settings.absent().set(away.size());
        away.addAll(gone.keySet());
        absences.keySet().retainAll(away);
        for (String node : away) {
            absences.computeIfAbsent(node, none -> new Absence());
            ask(Nodes.ask(node, getContext().getSystem()).thenApply(answer -> new Asked(node, answer)));
        }
        lookAtTwo();
        lookAtRivals(known);
    }

    @Override
    void learned(Asked asked) {
        Absence absence = absences.get(asked.node());
        if (absence != null) seen(asked.node(), absence, asked.answer());
    }

    private void seen(String node, Absence absence, Optional<NodeReport> answer) {
        absence.looks++;
        List<String> own = upMembers(cluster.state());
        String self = Nodes.hostAndPort(cluster.selfMember().address());
        boolean larger = answer.filter(report -> report.cluster().equals(settings.name()))
                .filter(report -> isLarger(apart(report.members(), self, own), own))
                .isPresent();
        absence.larger = larger ? absence.larger + 1 : 0;
        Optional<NodeReport> stranger =
                answer.filter(report -> !report.members().contains(self));
        if (absence.larger == SURE) {
            LOG.warn(
                    "Node {} is in another cluster on the same store, of {}, and this one has only {}: this node ends and joins"
                            + " that one when it is started again.",
                    node,
                    answer.orElseThrow().members(),
                    own);
            settings.ends().run();
        } else if (stranger.isPresent()) {
            if (++absence.elsewhere == SURE) LOG.warn("{}", foreign(node, stranger.get()));
        } else if (absence.looks == PATIENCE && settings.seeds().contains(node)) {
            LOG.warn(
                    "Seed node {} has not been a member of this cluster for {} s. If it is not meant to be away: is it running,"
                            + " and do this node and it reach each other?",
                    node,
                    settings.lookEvery().multipliedBy(PATIENCE).toSeconds());
        }
    }

    /**
     * Of what another node takes for its cluster, what is another cluster than this node's. One that this node has given up
     * may not know it yet, and count both parts as one.
     */
    static List<String> apart(List<String> theirs, String self, List<String> own) {
        if (!theirs.contains(self)) return theirs;
        return theirs.stream().filter(member -> !own.contains(member)).toList();
    }

    /** Of two clusters both ask this, and come to the same answer. */
    static boolean isLarger(List<String> theirs, List<String> own) {
        if (theirs.isEmpty() || theirs.size() != own.size()) return theirs.size() > own.size();
        return Collections.min(theirs).compareTo(Collections.min(own)) < 0;
    }

    private String foreign(String node, NodeReport report) {
        String start = "Node %s is not in this cluster but in another one".formatted(node);
        if (report.members().isEmpty())
            return start + "; it is too old to say in which. Stop one of the two, and start it again.";
        if (!report.cluster().equals(settings.name())) {
            return "%s, whose alpha.cluster.name is %s: it is no seed node of this one. Correct alpha.cluster.seed-nodes."
                    .formatted(start, report.cluster());
        }
        return "%s, of %s, which gives way to this one: its nodes end, and join when they are started again."
                .formatted(start, report.members());
    }

    private void lookAtTwo() {
        List<String> up = upMembers(cluster.state());
        looksAtTwo = up.size() == 2 && settings.halvesAreDecided() ? looksAtTwo + 1 : 0;
        if (looksAtTwo != PATIENCE) return;
        LOG.warn(
                "The cluster has two nodes, {}: should the first of them be lost, the other one ends as well, because it cannot"
                        + " know which of them is cut off. Run three.",
                up);
    }

    private void lookAtRivals(List<String> known) {
        boolean givesWay = settings.rivals().getAsBoolean() && givesWay(settings.seeds(), known);
        looksAtRivals = givesWay ? looksAtRivals + 1 : 0;
        if (looksAtRivals != SURE) return;
        LOG.warn(
                "Another part continues the sagas of this cluster, which has fewer than half of its seed nodes, without"
                        + " {}: this node ends and joins the others when it is started again.",
                absences.keySet());
        settings.ends().run();
    }

    /** Whether a part of the cluster with these members has fewer than half of the seed nodes. */
    static boolean givesWay(List<String> seeds, List<String> members) {
        return 2 * seeds.stream().filter(members::contains).count() < seeds.size();
    }

    /** The lowest address first, as the split brain resolver counts. */
    static List<String> upMembers(CurrentClusterState state) {
        return members(state, MemberStatus.up());
    }

    private static List<String> members(CurrentClusterState state, @Nullable MemberStatus status) {
        return StreamSupport.stream(state.getMembers().spliterator(), false)
                .filter(member -> status == null || member.status().equals(status))
                .map(Member::address)
                .sorted(Member.addressOrdering())
                .map(Nodes::hostAndPort)
                .toList();
    }
}
