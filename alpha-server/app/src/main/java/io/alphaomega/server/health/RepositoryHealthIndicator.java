package io.alphaomega.server.health;

import io.alphaomega.repository.Health.Down;
import io.alphaomega.repository.Health.Up;
import io.alphaomega.repository.SagaRepository;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.stereotype.Component;

/**
 * Whether the repository answers, for readiness. Asked off the caller's thread, one question at a time: a store that
 * hangs makes the answer DOWN, and neither the probe nor a heap of threads hang with it.
 */
@Component
final class RepositoryHealthIndicator implements HealthIndicator {
    /** Below the second or more that probes usually wait. */
    private static final Duration ANSWER_WITHIN = Duration.ofMillis(800);

    private final SagaRepository repository;
    private CompletableFuture<Health> underWay =
            CompletableFuture.completedFuture(Health.unknown().build());

    RepositoryHealthIndicator(SagaRepository repository) {
        this.repository = repository;
    }

    @Override
    public Health health() {
        Health late = Health.down()
                .withDetail("reason", "The repository has not answered for %d ms.".formatted(ANSWER_WITHIN.toMillis()))
                .build();
        return question()
                .copy()
                .completeOnTimeout(late, ANSWER_WITHIN.toMillis(), TimeUnit.MILLISECONDS)
                .join();
    }

    private synchronized CompletableFuture<Health> question() {
        if (underWay.isDone()) {
            underWay = CompletableFuture.supplyAsync(this::answer, Thread::startVirtualThread);
        }
        return underWay;
    }

    private Health answer() {
        try {
            return switch (repository.check()) {
                case Up up -> Health.up().build();
                case Down down ->
                    Health.down().withDetail("reason", down.reason()).build();
            };
        } catch (RuntimeException e) {
            return Health.down(e).build();
        }
    }
}
