package io.alphaomega.server.saga;

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
import io.alphaomega.repository.kit.InMemorySagaRepository;
import io.alphaomega.saga.SagaEvent;
import io.alphaomega.saga.SagaId;
import io.alphaomega.server.journal.JournalCodec;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;

/** A repository in memory that is slow, fails and is forestalled where a test says so. */
public final class FaultyRepository implements SagaRepository {

    /** What becomes of one append. */
    public interface Fault {
        AppendResult append(Append append, InMemorySagaRepository store);

        /** The store fails before it has stored anything. */
        Fault NOT_STORED = (append, store) -> {
            throw new RepositoryUnavailableException("not stored");
        };

        /** Somebody else holds the saga. */
        Fault LOCKED = (append, store) -> new AppendResult.Locked();

        /** The store has stored it, but nobody hears of it. */
        Fault STORED_UNHEARD = (append, store) -> {
            store.append(List.of(append));
            throw new RepositoryUnavailableException("stored, but the answer is lost");
        };

        /** Somebody else does {@code first} just before. */
        static Fault after(Runnable first) {
            return (append, store) -> {
                first.run();
                return store.append(List.of(append)).getFirst();
            };
        }
    }

    private static final Fault NONE = Fault.after(() -> {});

    /** What was asked to be stored, whatever became of it. */
    public final List<Append> appends = new CopyOnWriteArrayList<>();

    public final AtomicInteger loads = new AtomicInteger();

    /** The next appends meet these, one each. */
    public final Queue<Fault> faults = new ConcurrentLinkedQueue<>();

    /** So many of the next searches fail. */
    public final AtomicInteger failingFinds = new AtomicInteger();

    public volatile boolean down;
    public volatile UnaryOperator<Loaded> onLoad = loaded -> loaded;

    private final InMemorySagaRepository store = new InMemorySagaRepository();
    private final Semaphore appendGate = new Semaphore(Integer.MAX_VALUE / 2);

    /** From now on appends wait. */
    public void hold() {
        appendGate.drainPermits();
    }

    /** Lets {@code appends} waiting or future appends pass. */
    public void release(int appends) {
        appendGate.release(appends);
    }

    public void releaseAll() {
        appendGate.drainPermits();
        appendGate.release(Integer.MAX_VALUE / 2);
    }

    /** What is stored. */
    public List<SagaEvent> journal(SagaId id) {
        return store.load(id).events().stream().map(JournalCodec::decode).toList();
    }

    @Override
    public List<AppendResult> append(List<Append> batch) {
        return batch.stream().map(this::append).toList();
    }

    private AppendResult append(Append append) {
        appends.add(append);
        appendGate.acquireUninterruptibly();
        requireUp();
        Fault fault = faults.poll();
        return (fault == null ? NONE : fault).append(append, store);
    }

    @Override
    public Loaded load(SagaId id) {
        loads.incrementAndGet();
        requireUp();
        return onLoad.apply(store.load(id));
    }

    @Override
    public Page<SagaId> due(Instant until, Cursor cursor, int limit) {
        requireUp();
        return store.due(until, cursor, limit);
    }

    @Override
    public Page<SagaSummary> find(SagaQuery query, Cursor cursor, int limit) {
        requireUp();
        if (failingFinds.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
            throw new RepositoryUnavailableException("not found in time");
        }
        return store.find(query, cursor, limit);
    }

    @Override
    public Page<SagaSummary> ordered(Instant since, Cursor cursor, int limit) {
        requireUp();
        return store.ordered(since, cursor, limit);
    }

    @Override
    public SagaCounts counts(Set<SagaSummary.State> states) {
        return store.counts(states);
    }

    @Override
    public Map<String, String> notes() {
        requireUp();
        return store.notes();
    }

    @Override
    public void note(String name, String text) {
        requireUp();
        store.note(name, text);
    }

    @Override
    public int purge(Instant endedBefore, int limit) {
        return store.purge(endedBefore, limit);
    }

    @Override
    public int forget(Instant endedBefore, int limit) {
        return store.forget(endedBefore, limit);
    }

    @Override
    public Durability durability() {
        return store.durability();
    }

    @Override
    public Health check() {
        return down ? new Health.Down("The test says so.") : store.check();
    }

    @Override
    public void close() {
        store.close();
    }

    private void requireUp() {
        if (down) throw new RepositoryUnavailableException("The store is down.");
    }
}
