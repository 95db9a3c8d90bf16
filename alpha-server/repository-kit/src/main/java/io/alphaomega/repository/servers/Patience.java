package io.alphaomega.repository.servers;

import io.alphaomega.repository.RepositoryUnavailableException;
import io.alphaomega.repository.SagaRepository;
import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * How long tests wait for what must come, however busy the machine is: only one that fails waits for so long. Awaitility
 * waits so where a test says no other limit; Jupiter finds this extension in every module that has the kit.
 */
public final class Patience implements BeforeAllCallback {
    public static final Duration LIMIT = Duration.ofMinutes(2);

    /** The repository, once it is open. On a busy machine that takes longer than a call waits for it. */
    public static <R extends SagaRepository> R opened(R repository) {
        Awaitility.await()
                .atMost(LIMIT)
                .ignoreExceptionsInstanceOf(RepositoryUnavailableException.class)
                .until(repository::durability, durability -> true);
        return repository;
    }

    @Override
    public void beforeAll(ExtensionContext context) {
        Awaitility.setDefaultTimeout(LIMIT);
    }
}
