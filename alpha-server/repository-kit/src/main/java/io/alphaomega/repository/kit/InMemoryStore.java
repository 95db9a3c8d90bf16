package io.alphaomega.repository.kit;

import io.alphaomega.repository.Loaded;
import io.alphaomega.repository.RepositoryUnavailableException;
import io.alphaomega.repository.SagaRepository;
import io.alphaomega.repository.SagaSummary;
import io.alphaomega.repository.StoredEvent;
import io.alphaomega.repository.Version;
import io.alphaomega.saga.SagaId;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** A store in the memory of the test: it outlives its repositories and has outages on demand. */
public final class InMemoryStore implements Store {
    record Entry(List<StoredEvent> events, Version version, SagaSummary summary) {}

    record Tombstone(SagaSummary.State state, Instant endedAt, Version version) {}

    /** Guarded by this store. */
    private final Map<String, Entry> sagas = new TreeMap<>();

    /** What is left of purged sagas; guarded by this store. */
    private final Map<String, Tombstone> tombstones = new TreeMap<>();

    /** Guarded by this store. */
    private final Map<String, String> notes = new TreeMap<>();

    private volatile boolean stopped;

    private final InMemoryNetwork network = new InMemoryNetwork();

    @Override
    public SagaRepository open() {
        return network.to(new InMemorySagaRepository(this));
    }

    @Override
    public void stop() {
        stopped = true;
    }

    @Override
    public void start() {
        stopped = false;
        network.mend();
    }

    @Override
    public void loseAnswers() {
        network.loseAnswers();
    }

    @Override
    public void slowDown(Duration delay) {
        network.slowDown(delay);
    }

    @Override
    public void close() {}

    boolean isStopped() {
        return stopped;
    }

    /** The content, to be used under the monitor of this store. */
    Map<String, Entry> sagas() {
        if (stopped) throw new RepositoryUnavailableException("The store in memory is stopped.");
        return sagas;
    }

    Map<String, Tombstone> tombstones() {
        if (stopped) throw new RepositoryUnavailableException("The store in memory is stopped.");
        return tombstones;
    }

    Map<String, String> notes() {
        if (stopped) throw new RepositoryUnavailableException("The store in memory is stopped.");
        return notes;
    }

    Loaded load(SagaId id) {
        Entry entry = sagas().get(id.value());
        if (entry != null) return new Loaded(entry.events(), entry.version());
        Tombstone tombstone = tombstones().get(id.value());
        return tombstone == null ? Loaded.NOTHING : Loaded.tombstone(tombstone.state(), tombstone.version());
    }
}
