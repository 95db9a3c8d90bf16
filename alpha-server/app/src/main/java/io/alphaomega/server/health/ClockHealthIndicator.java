package io.alphaomega.server.health;

import io.alphaomega.server.node.Clocks;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.stereotype.Component;

/** Whether this node's clock is that of its cluster, for readiness: a node whose clock is not is about to leave. */
@Component
final class ClockHealthIndicator implements HealthIndicator {
    private final Clocks clocks;

    ClockHealthIndicator(Clocks clocks) {
        this.clocks = clocks;
    }

    @Override
    public Health health() {
        return clocks.wrong()
                .map(why -> Health.down().withDetail("reason", why).build())
                .orElseGet(() -> Health.up().build());
    }
}
