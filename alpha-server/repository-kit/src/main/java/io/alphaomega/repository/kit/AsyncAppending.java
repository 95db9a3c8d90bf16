package io.alphaomega.repository.kit;

import io.alphaomega.repository.Append;
import io.alphaomega.repository.AppendResult;
import io.alphaomega.repository.AsyncAppends;
import io.alphaomega.repository.Cursor;
import io.alphaomega.repository.Durability;
import io.alphaomega.repository.Health;
import io.alphaomega.repository.Loaded;
import io.alphaomega.repository.Page;
import io.alphaomega.repository.RepositoryUnavailableException;
import io.alphaomega.repository.SagaCounts;
import io.alphaomega.repository.SagaQuery;
import io.alphaomega.repository.SagaRepository;
import io.alphaomega.repository.SagaSummary;
import io.alphaomega.saga.SagaId;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.RejectedExecutionException;

/**
 * A repository whose appends go by its {@link SagaRepository#asyncAppends()} and are waited for: a store that has them
 * passes the contract this way, too.
 */
public final class AsyncAppending implements SagaRepository {
    private final SagaRepository repository;
    private final AsyncAppends appends;

    /** @param repository has {@link SagaRepository#asyncAppends()}; closed by this */
    public AsyncAppending(SagaRepository repository) {
        this.repository = repository;
        appends = repository.asyncAppends().orElseThrow();
    }

    @Override
    public List<AppendResult> append(List<Append> batch) {
        Answered answered = new Answered();
        try {
            appends.loop().execute(() -> appends.append(batch, answered));
        } catch (RejectedExecutionException e) {
            throw new RepositoryUnavailableException("The repository is closed.", e);
        }
        try {
            return answered.join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof RuntimeException failure) throw failure;
            throw e;
        }
    }

    private static final class Answered extends CompletableFuture<List<AppendResult>> implements AsyncAppends.Answer {
        @Override
        public void stored(List<AppendResult> results) {
            requireFirst(complete(results));
        }

        @Override
        public void failed(RuntimeException failure) {
            requireFirst(completeExceptionally(failure));
        }

        private static void requireFirst(boolean first) {
            if (!first) throw new IllegalStateException("A batch was answered twice.");
        }
    }

    @Override
    public Loaded load(SagaId id) {
        return repository.load(id);
    }

    @Override
    public Page<SagaId> due(Instant until, Cursor cursor, int limit) {
        return repository.due(until, cursor, limit);
    }

    @Override
    public Page<SagaSummary> find(SagaQuery query, Cursor cursor, int limit) {
        return repository.find(query, cursor, limit);
    }

    @Override
    public SagaCounts counts() {
        return repository.counts();
    }

    @Override
    public int purge(Instant endedBefore, int limit) {
        return repository.purge(endedBefore, limit);
    }

    @Override
    public int forget(Instant endedBefore, int limit) {
        return repository.forget(endedBefore, limit);
    }

    @Override
    public Optional<AsyncAppends> asyncAppends() {
        return Optional.of(appends);
    }

    @Override
    public Duration visibilityLag() {
        return repository.visibilityLag();
    }

    @Override
    public Durability durability() {
        return repository.durability();
    }

    @Override
    public Health check() {
        return repository.check();
    }

    @Override
    public void close() {
        repository.close();
    }
}
