package io.alphaomega.omega.spring;

import io.alphaomega.omega.stream.AlphaClient;
import io.alphaomega.omega.stream.AlphaStatus;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;

/** Up while a stream to some alpha is up. */
final class OmegaHealthIndicator implements HealthIndicator {
    private final AlphaClient alpha;
    private final Status disconnected;

    OmegaHealthIndicator(AlphaClient alpha, Status disconnected) {
        this.alpha = alpha;
        this.disconnected = disconnected;
    }

    @Override
    public Health health() {
        boolean connected = alpha.status().stream().anyMatch(s -> s.state() == AlphaStatus.State.CONNECTED);
        Health.Builder health = connected ? Health.up() : Health.status(disconnected);
        for (AlphaStatus status : alpha.status()) {
            String error = status.lastError().isEmpty() ? "" : ": " + status.lastError();
            health.withDetail(status.address(), status.state() + " since " + status.since() + error);
        }
        return health.build();
    }
}
