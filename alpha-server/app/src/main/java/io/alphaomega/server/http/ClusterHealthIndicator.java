package io.alphaomega.server.http;

import akka.cluster.Cluster;
import akka.cluster.MemberStatus;
import io.alphaomega.server.saga.SagaCluster;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.stereotype.Component;

/** Whether this node is a full member of the cluster, for readiness. */
@Component
final class ClusterHealthIndicator implements HealthIndicator {
    private final SagaCluster cluster;

    ClusterHealthIndicator(SagaCluster cluster) {
        this.cluster = cluster;
    }

    @Override
    public Health health() {
        if (!cluster.isRunning())
            return Health.down().withDetail("member", "stopped").build();
        MemberStatus status = Cluster.get(cluster.system()).selfMember().status();
        return (status.equals(MemberStatus.up()) ? Health.up() : Health.down())
                .withDetail("member", status.toString())
                .build();
    }
}
