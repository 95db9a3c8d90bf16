package io.alphaomega.repository.kit;

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
import io.alphaomega.repository.StoredEvent;
import io.alphaomega.repository.Version;
import io.alphaomega.saga.SagaId;
import java.time.Instant;
import java.util.List;

/** A repository that does everything as another does; a subclass does one thing wrong. */
class Broken implements SagaRepository {
    final SagaRepository sound;

    Broken(SagaRepository sound) {
        this.sound = sound;
    }

    /** What becomes of one item; most flaws are here. */
    AppendResult append(Append item) {
        return sound.append(List.of(item)).getFirst();
    }

    final Version version(SagaId id) {
        return sound.load(id).version();
    }

    static Append expecting(Append item, Version expected) {
        return new Append(item.id(), expected, item.events(), item.summary());
    }

    static Append with(Append item, List<StoredEvent> events) {
        return new Append(item.id(), item.expected(), events, item.summary());
    }

    static Append with(Append item, SagaSummary summary) {
        return new Append(summary.id(), item.expected(), item.events(), summary);
    }

    @Override
    public List<AppendResult> append(List<Append> batch) {
        return batch.stream().map(this::append).toList();
    }

    @Override
    public Loaded load(SagaId id) {
        return sound.load(id);
    }

    @Override
    public Page<SagaId> due(Instant until, Cursor cursor, int limit) {
        return sound.due(until, cursor, limit);
    }

    @Override
    public Page<SagaSummary> find(SagaQuery query, Cursor cursor, int limit) {
        return sound.find(query, cursor, limit);
    }

    @Override
    public SagaCounts counts() {
        return sound.counts();
    }

    @Override
    public int purge(Instant endedBefore, int limit) {
        return sound.purge(endedBefore, limit);
    }

    @Override
    public int forget(Instant endedBefore, int limit) {
        return sound.forget(endedBefore, limit);
    }

    @Override
    public Durability durability() {
        return sound.durability();
    }

    @Override
    public Health check() {
        return sound.check();
    }

    @Override
    public void close() {
        sound.close();
    }
}
