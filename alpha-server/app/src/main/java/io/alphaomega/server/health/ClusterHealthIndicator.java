package io.alphaomega.server.health;

import akka.cluster.Cluster;
import akka.cluster.ClusterEvent.CurrentClusterState;
import akka.cluster.Member;
import akka.cluster.MemberStatus;
import io.alphaomega.server.cluster.SagaCluster;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.stream.StreamSupport;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.stereotype.Component;

/**
 * Whether this node is a full member of the cluster that will go on, for readiness: not while it joins or leaves, and not
 * while so many others are unreachable that it is this node that will have to end. Whether others
 * work on the same store is only told: no node would do more good by not serving.
 */
@Component
final class ClusterHealthIndicator implements HealthIndicator {
    /** Those whose majority decides; one that joins or has left has no say. */
    private static final Set<MemberStatus> VOTING = Set.of(MemberStatus.up(), MemberStatus.leaving());

    private final SagaCluster cluster;

    ClusterHealthIndicator(SagaCluster cluster) {
        this.cluster = cluster;
    }

    @Override
    public Health health() {
        if (!cluster.isRunning())
            return Health.down().withDetail("member", "stopped").build();
        Cluster node = Cluster.get(cluster.system());
        MemberStatus status = node.selfMember().status();
        Health.Builder health = status.equals(MemberStatus.up()) ? majority(node.state()) : Health.down();
        return health.withDetail("member", status.toString())
                .withDetail("rivals", cluster.hasRivals())
                .build();
    }

    /** The rule of the split brain resolver: the larger part goes on, or of two halves the one with the lowest address. */
    private static Health.Builder majority(CurrentClusterState state) {
        List<Member> voting = StreamSupport.stream(state.getMembers().spliterator(), false)
                .filter(member -> VOTING.contains(member.status()))
                .sorted(Comparator.comparing(Member::address, Member.addressOrdering()))
                .toList();
        List<Member> lost =
                voting.stream().filter(state.getUnreachable()::contains).toList();
        Health.Builder health = goesOn(voting, lost) ? Health.up() : Health.down();
        if (lost.isEmpty()) return health;
        return health.withDetail(
                "unreachable",
                lost.stream().map(member -> member.address().hostPort()).toList());
    }

    private static boolean goesOn(List<Member> voting, List<Member> lost) {
        int balance = Integer.compare(2 * lost.size(), voting.size());
        return balance < 0 || (balance == 0 && !lost.contains(voting.getFirst()));
    }
}
