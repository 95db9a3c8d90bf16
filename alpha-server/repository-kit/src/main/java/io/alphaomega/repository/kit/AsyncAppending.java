package io.alphaomega.repository.kit;

import io.alphaomega.repository.Append;
import io.alphaomega.repository.AppendResult;
import io.alphaomega.repository.AsyncAppends;
import io.alphaomega.repository.ForwardingSagaRepository;
import io.alphaomega.repository.RepositoryUnavailableException;
import io.alphaomega.repository.SagaRepository;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.RejectedExecutionException;

/**
 * A repository whose appends go by the {@link SagaRepository#asyncAppends()} of another one and are waited for: a store that
 * has them passes the contract this way, too.
 */
public final class AsyncAppending extends ForwardingSagaRepository {
    private final AsyncAppends appends;

    /** @param repository has {@link SagaRepository#asyncAppends()}; closed by this */
    public AsyncAppending(SagaRepository repository) {
        super(repository);
        appends = repository.asyncAppends().orElseThrow();
    }

    @Override
    public List<AppendResult> append(List<Append> batch) {
        try {
            return CompletableFuture.completedFuture(batch)
                    .thenComposeAsync(appends::append, appends.loop())
                    .join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof RejectedExecutionException) {
                throw new RepositoryUnavailableException("The repository is closed.", e);
            }
            if (e.getCause() instanceof RuntimeException failure) throw failure;
            throw e;
        }
    }
}
