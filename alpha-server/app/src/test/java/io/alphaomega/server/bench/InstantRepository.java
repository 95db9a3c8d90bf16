package io.alphaomega.server.bench;

import io.alphaomega.repository.Append;
import io.alphaomega.repository.AppendResult;
import io.alphaomega.repository.Cursor;
import io.alphaomega.repository.Durability;
import io.alphaomega.repository.Health;
import io.alphaomega.repository.Loaded;
import io.alphaomega.repository.Page;
import io.alphaomega.repository.SagaCounts;
import io.alphaomega.repository.SagaQuery;
import io.alphaomega.repository.SagaRepository;
import io.alphaomega.repository.SagaSummary;
import io.alphaomega.repository.Version;
import io.alphaomega.saga.SagaId;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** A repository that agrees to every append and keeps nothing: what remains is what stands in front of it. */
final class InstantRepository implements SagaRepository {
    private final Map<String, String> notes = new ConcurrentHashMap<>();

    @Override
    public List<AppendResult> append(List<Append> batch) {
        List<AppendResult> results = new ArrayList<>(batch.size());
        for (Append append : batch) {
            long sequence = append.expected().sequence() + append.events().size();
            results.add(new AppendResult.Appended(new Version(sequence, "token")));
        }
        return results;
    }

    @Override
    public Loaded load(SagaId id) {
        return Loaded.NOTHING;
    }

    @Override
    public Page<SagaId> due(Instant until, Cursor cursor, int limit) {
        return new Page<>(List.of(), Optional.empty());
    }

    @Override
    public Page<SagaSummary> find(SagaQuery query, Cursor cursor, int limit) {
        return new Page<>(List.of(), Optional.empty());
    }

    @Override
    public Page<SagaSummary> ordered(Instant since, Cursor cursor, int limit) {
        return new Page<>(List.of(), Optional.empty());
    }

    @Override
    public SagaCounts counts(Set<SagaSummary.State> states) {
        return new SagaCounts(Map.of());
    }

    @Override
    public int purge(Instant endedBefore, int limit) {
        return 0;
    }

    @Override
    public int forget(Instant endedBefore, int limit) {
        return 0;
    }

    @Override
    public Map<String, String> notes() {
        return Map.copyOf(notes);
    }

    @Override
    public void note(String name, String text) {
        notes.put(name, text);
    }

    @Override
    public Durability durability() {
        return new Durability(Durability.Level.VOLATILE, "keeps nothing");
    }

    @Override
    public Health check() {
        return new Health.Up();
    }

    @Override
    public void close() {}
}
