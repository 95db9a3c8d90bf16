package io.alphaomega.repository.kit;

import io.alphaomega.repository.Append;
import io.alphaomega.repository.AppendResult;
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
import io.alphaomega.repository.ScanPosition;
import io.alphaomega.repository.ScanPosition.Scan;
import io.alphaomega.repository.StoredEvent;
import io.alphaomega.repository.Version;
import io.alphaomega.repository.kit.InMemoryStore.Entry;
import io.alphaomega.repository.kit.InMemoryStore.Tombstone;
import io.alphaomega.saga.SagaId;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The reference: what the contract means, in the fewest lines. Survives its own closing, not the process. */
public final class InMemorySagaRepository implements SagaRepository {

    private final InMemoryStore store;
    private volatile boolean closed;

    public InMemorySagaRepository() {
        this(new InMemoryStore());
    }

    InMemorySagaRepository(InMemoryStore store) {
        this.store = store;
    }

    @Override
    public List<AppendResult> append(List<Append> batch) {
        synchronized (store) {
            Map<String, Entry> sagas = sagas();
            return batch.stream().map(item -> append(sagas, item)).toList();
        }
    }

    private AppendResult append(Map<String, Entry> sagas, Append item) {
        Loaded stored = load(item.id());
        if (stored.tombstone().isPresent() || !stored.version().equals(item.expected())) {
            return new AppendResult.Conflict(stored.version());
        }
        List<StoredEvent> events = new ArrayList<>(stored.events());
        events.addAll(item.events());
        Version version = new Version(events.size(), UUID.randomUUID().toString());
        sagas.put(item.id().value(), new Entry(List.copyOf(events), version, item.summary()));
        return new AppendResult.Appended(version);
    }

    @Override
    public Loaded load(SagaId id) {
        synchronized (store) {
            requireOpen();
            return store.load(id);
        }
    }

    @Override
    public Page<SagaId> due(Instant until, Cursor cursor, int limit) {
        Page<SagaSummary> page = page(
                summaries()
                        .filter(saga ->
                                saga.wakeUpAt().filter(at -> !at.isAfter(until)).isPresent()),
                saga -> new ScanPosition(
                        saga.wakeUpAt().orElseThrow().toEpochMilli(), saga.id().value()),
                Scan.DUE,
                ScanPosition.EARLIEST_FIRST,
                cursor,
                limit);
        return new Page<>(page.items().stream().map(SagaSummary::id).toList(), page.next());
    }

    @Override
    public Page<SagaSummary> find(SagaQuery query, Cursor cursor, int limit) {
        return page(
                summaries().filter(query::matches),
                saga -> new ScanPosition(
                        saga.begunAt().toEpochMilli(), saga.id().value()),
                Scan.FIND,
                ScanPosition.EARLIEST_FIRST.reversed(),
                cursor,
                limit);
    }

    @Override
    public Page<SagaSummary> ordered(Instant since, Cursor cursor, int limit) {
        return page(
                summaries()
                        .filter(saga -> saga.orderedAt()
                                .filter(at -> !at.isBefore(since))
                                .isPresent()),
                saga -> new ScanPosition(
                        saga.orderedAt().orElseThrow().toEpochMilli(), saga.id().value()),
                Scan.ORDERED,
                ScanPosition.EARLIEST_FIRST.reversed(),
                cursor,
                limit);
    }

    @Override
    public SagaCounts counts(Set<SagaSummary.State> states) {
        return new SagaCounts(summaries()
                .filter(saga -> states.contains(saga.state()))
                .collect(Collectors.groupingBy(SagaSummary::state, Collectors.counting())));
    }

    @Override
    public int purge(Instant endedBefore, int limit) {
        requireLimit(limit);
        synchronized (store) {
            List<SagaSummary> purged = summaries()
                    .filter(saga -> saga.state().isEnded()
                            && saga.endedAt()
                                    .filter(at -> at.isBefore(endedBefore))
                                    .isPresent())
                    .sorted(Comparator.comparing(saga -> saga.endedAt().orElseThrow()))
                    .limit(limit)
                    .toList();
            purged.forEach(this::bury);
            return purged.size();
        }
    }

    private void bury(SagaSummary saga) {
        Entry gone = Objects.requireNonNull(sagas().remove(saga.id().value()));
        Version version = new Version(gone.events().size(), UUID.randomUUID().toString());
        Tombstone tombstone = new Tombstone(saga.state(), saga.endedAt().orElseThrow(), version);
        store.tombstones().put(saga.id().value(), tombstone);
    }

    @Override
    public int forget(Instant endedBefore, int limit) {
        requireLimit(limit);
        synchronized (store) {
            requireOpen();
            List<String> forgotten = store.tombstones().entrySet().stream()
                    .filter(each -> each.getValue().endedAt().isBefore(endedBefore))
                    .sorted(Comparator.comparing(each -> each.getValue().endedAt()))
                    .limit(limit)
                    .map(Map.Entry::getKey)
                    .toList();
            forgotten.forEach(store.tombstones()::remove);
            return forgotten.size();
        }
    }

    @Override
    public Map<String, String> notes() {
        synchronized (store) {
            requireOpen();
            return Map.copyOf(store.notes());
        }
    }

    @Override
    public void note(String name, String text) {
        SagaRepository.requireNote(name, text);
        synchronized (store) {
            requireOpen();
            if (text.isEmpty()) store.notes().remove(name);
            else store.notes().put(name, text);
        }
    }

    @Override
    public Durability durability() {
        return new Durability(Durability.Level.PROCESS_CRASH, "none: in the memory of the test");
    }

    @Override
    public Health check() {
        return closed || store.isStopped() ? new Health.Down("The store in memory is stopped.") : new Health.Up();
    }

    @Override
    public void close() {
        closed = true;
    }

    private Map<String, Entry> sagas() {
        requireOpen();
        return store.sagas();
    }

    private void requireOpen() {
        if (closed) throw new RepositoryUnavailableException("The repository is closed.");
    }

    private Stream<SagaSummary> summaries() {
        synchronized (store) {
            return List.copyOf(sagas().values()).stream().map(Entry::summary);
        }
    }

    private static Page<SagaSummary> page(
            Stream<SagaSummary> all,
            Function<SagaSummary, ScanPosition> position,
            Scan scan,
            Comparator<ScanPosition> order,
            Cursor cursor,
            int limit) {
        requireLimit(limit);
        Optional<ScanPosition> after = ScanPosition.of(cursor, scan);
        List<SagaSummary> rest = all.filter(
                        saga -> after.isEmpty() || order.compare(position.apply(saga), after.get()) > 0)
                .sorted(Comparator.comparing(position, order))
                .toList();
        if (rest.size() <= limit) return new Page<>(rest, Optional.empty());
        List<SagaSummary> items = rest.subList(0, limit);
        return new Page<>(items, Optional.of(position.apply(items.getLast()).cursor(scan)));
    }

    private static void requireLimit(int limit) {
        if (limit < 1 || limit > PAGE_MAX) {
            throw new IllegalArgumentException("limit must be 1 to %d but was %d".formatted(PAGE_MAX, limit));
        }
    }
}
