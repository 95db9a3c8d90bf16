package io.alphaomega.repository;

import io.alphaomega.saga.SagaId;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A repository that passes everything on to another one: what a decorator extends. It has no {@link #asyncAppends()}, which
 * would pass by a decorator that only knows {@link #append}.
 */
public abstract class ForwardingSagaRepository implements SagaRepository {
    private final SagaRepository repository;

    /** @param repository closed by this */
    protected ForwardingSagaRepository(SagaRepository repository) {
        this.repository = repository;
    }

    @Override
    public List<AppendResult> append(List<Append> batch) {
        return repository.append(batch);
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
    public Page<SagaSummary> ordered(Instant since, Cursor cursor, int limit) {
        return repository.ordered(since, cursor, limit);
    }

    @Override
    public SagaCounts counts(Set<SagaSummary.State> states) {
        return repository.counts(states);
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
    public Map<String, String> notes() {
        return repository.notes();
    }

    @Override
    public void note(String name, String text) {
        repository.note(name, text);
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
