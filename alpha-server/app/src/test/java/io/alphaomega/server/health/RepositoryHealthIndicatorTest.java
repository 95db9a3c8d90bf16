package io.alphaomega.server.health;

import static org.assertj.core.api.Assertions.assertThat;

import io.alphaomega.repository.Health.Down;
import io.alphaomega.repository.Health.Up;
import io.alphaomega.repository.SagaRepository;
import java.lang.reflect.Proxy;
import java.util.concurrent.Callable;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.Status;

class RepositoryHealthIndicatorTest {

    @Test
    void a_repository_that_answers_is_up() {
        assertThat(health(Up::new).getStatus()).isEqualTo(Status.UP);
    }

    @Test
    void a_repository_that_is_down_says_why() {
        Health health = health(() -> new Down("The disk is full."));

        assertThat(health.getStatus()).isEqualTo(Status.DOWN);
        assertThat(health.getDetails()).containsEntry("reason", "The disk is full.");
    }

    @Test
    void a_repository_that_fails_is_down() {
        Health health = health(() -> {
            throw new IllegalStateException("a bug");
        });

        assertThat(health.getStatus()).isEqualTo(Status.DOWN);
    }

    @Test
    @Timeout(300)
    void a_repository_that_hangs_is_down_soon_and_asked_once() {
        Semaphore answer = new Semaphore(0);
        AtomicInteger asked = new AtomicInteger();
        RepositoryHealthIndicator indicator = new RepositoryHealthIndicator(repository(() -> {
            asked.incrementAndGet();
            answer.acquire();
            return new Up();
        }));

        for (int probe = 0; probe < 3; probe++) {
            assertThat(indicator.health().getStatus()).isEqualTo(Status.DOWN);
        }
        assertThat(asked).hasValue(1);
        answer.release(2);
        assertThat(indicator.health().getStatus()).isEqualTo(Status.UP);
    }

    private static Health health(Callable<io.alphaomega.repository.Health> check) {
        return new RepositoryHealthIndicator(repository(check)).health();
    }

    /** Answers {@code check} only; nothing else is asked here. */
    private static SagaRepository repository(Callable<io.alphaomega.repository.Health> check) {
        return (SagaRepository) Proxy.newProxyInstance(
                SagaRepository.class.getClassLoader(),
                new Class<?>[] {SagaRepository.class},
                (proxy, method, arguments) -> check.call());
    }
}
