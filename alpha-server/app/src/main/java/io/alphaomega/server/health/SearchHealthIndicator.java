package io.alphaomega.server.health;

import io.alphaomega.server.search.SagaIndexing;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.stereotype.Component;

/** Whether the list of sagas is late. UNKNOWN at worst: sagas go on without it, so nothing is to be restarted or spared. */
@Component
@ConditionalOnProperty(name = "alpha.search.type", havingValue = "elasticsearch")
final class SearchHealthIndicator implements HealthIndicator {
    private final SagaIndexing indexing;

    SearchHealthIndicator(SagaIndexing indexing) {
        this.indexing = indexing;
    }

    @Override
    public Health health() {
        Health.Builder health = indexing.awayBecause()
                .map(reason -> Health.unknown().withDetail("reason", reason))
                .orElseGet(Health::up);
        return health.withDetail("pending", indexing.pending())
                .withDetail("lagSeconds", indexing.lag().toSeconds())
                .build();
    }
}
