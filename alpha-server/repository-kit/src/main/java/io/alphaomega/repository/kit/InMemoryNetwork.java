package io.alphaomega.repository.kit;

import io.alphaomega.repository.Health;
import io.alphaomega.repository.RepositoryUnavailableException;
import io.alphaomega.repository.SagaRepository;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** What would be between a server and its store, if the store in memory were elsewhere: it is slow, it loses answers. */
final class InMemoryNetwork {
    /** How long its client waits for an answer. Short, so that tests are, but 32 times it is longer than a caller waits. */
    private static final Duration PATIENCE = Duration.ofMillis(1_500);

    /** What the client answers by itself. */
    private static final Set<String> LOCAL = Set.of("close", "visibilityLag", "toString", "hashCode", "equals");

    private final Object change = new Object();

    /** Guarded by {@link #change}. */
    private Duration delay = Duration.ZERO;

    /** Guarded by {@link #change}. */
    private boolean losing;

    SagaRepository to(SagaRepository repository) {
        return (SagaRepository) Proxy.newProxyInstance(
                SagaRepository.class.getClassLoader(),
                new Class<?>[] {SagaRepository.class},
                (proxy, method, arguments) -> {
                    Object answer = call(repository, method, arguments);
                    if (LOCAL.contains(method.getName()) || arrives()) return answer;
                    String lost = "The answer of the store in memory did not arrive.";
                    if (method.getReturnType() == Health.class) return new Health.Down(lost);
                    throw new RepositoryUnavailableException(lost);
                });
    }

    private static @Nullable Object call(SagaRepository repository, Method method, Object @Nullable [] arguments)
            throws Throwable {
        try {
            return method.invoke(repository, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause() == null ? e : e.getCause();
        }
    }

    /** Whether the answer arrives before the client gives up. */
    private boolean arrives() throws InterruptedException {
        long asked = System.nanoTime();
        synchronized (change) {
            while (true) {
                long waited = System.nanoTime() - asked;
                if (losing) return false;
                if (waited >= delay.toNanos()) return true;
                if (waited >= PATIENCE.toNanos()) return false;
                TimeUnit.NANOSECONDS.timedWait(change, 1 + Math.min(delay.toNanos(), PATIENCE.toNanos()) - waited);
            }
        }
    }

    void loseAnswers() {
        synchronized (change) {
            losing = true;
            change.notifyAll();
        }
    }

    void slowDown(Duration by) {
        synchronized (change) {
            delay = by;
            change.notifyAll();
        }
    }

    void mend() {
        synchronized (change) {
            losing = false;
            slowDown(Duration.ZERO);
        }
    }
}
