package io.alphaomega.server.health;

import io.alphaomega.server.node.ShardHomes;
import io.alphaomega.server.saga.SagaSharding;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.stereotype.Component;

/** Whether the shards of the sagas had homes when this node started, for readiness. */
@Component
final class ShardsHealthIndicator implements HealthIndicator {
    private final ShardHomes homes;

    ShardsHealthIndicator(ShardHomes homes) {
        this.homes = homes;
    }

    @Override
    public Health health() {
        if (homes.isSettled()) return Health.up().build();
        return Health.down()
                .withDetail(
                        "reason",
                        "%d of %d shards of the sagas have no home yet, which is found once after the start of a cluster."
                                .formatted(homes.missing(), SagaSharding.SHARDS))
                .build();
    }
}
