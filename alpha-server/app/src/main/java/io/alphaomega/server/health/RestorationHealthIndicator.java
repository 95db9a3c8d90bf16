package io.alphaomega.server.health;

import io.alphaomega.server.epoch.StoreEpoch;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.stereotype.Component;

/**
 * Whether sagas are held because the store was set back to an earlier time, for people who look at readiness. Never a
 * reason to send this node no work: new sagas run.
 */
@Component
final class RestorationHealthIndicator implements HealthIndicator {
    private final StoreEpoch epoch;

    RestorationHealthIndicator(StoreEpoch epoch) {
        this.epoch = epoch;
    }

    @Override
    public Health health() {
        Health.Builder up = Health.up();
        epoch.holding()
                .ifPresent(holding -> up.withDetail("reason", holding.why()).withDetail("held", holding.sagas()));
        return up.build();
    }
}
