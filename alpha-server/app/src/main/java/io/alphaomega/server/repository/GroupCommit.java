package io.alphaomega.server.repository;

import io.alphaomega.repository.Append;
import io.alphaomega.repository.AppendResult;
import io.alphaomega.repository.Cursor;
import io.alphaomega.repository.ForwardingSagaRepository;
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
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.stream.IntStream;

/**
 * A repository that writes the appends of many sagas together, so that many share one round trip and one sync of the
 * disk, and that stands between the sagas and a store that is slow or away.
 *
 * <p>A batch is whatever gathered while the last one was under way: an idle store serves an append at once, a busy one
 * serves larger and larger batches. Where a batch is dear in itself, as a transaction of a database server is, it may
 * wait a little for as many appends as the last one had. A few lanes each have one batch under way, one of them where few
 * appends are; those of one saga keep their order. The queue is bounded: what does not fit is refused and may come again.
 *
 * <p>What runs is finished before more is begun: a saga's first append waits behind those of running sagas, with a small
 * share of each batch, and is refused while half of the queue is full, or the store away. Appends of running sagas then
 * wait a few seconds for its return. {@link StoreAvailability} says how an outage is noticed and how its end.
 */
public final class GroupCommit extends ForwardingSagaRepository {
    /** Half of the 25 s in which a node that is told to stop must be gone; the rest is for handing over. */
    private static final Duration DRAIN_WITHIN = Duration.ofSeconds(12);

    /**
     * How much is written together and how much may wait, in each lane.
     *
     * @param lanes batches under way at a time, at most; one where the store has a single writer anyway
     * @param itemsPerLane as many appends under way are enough for one lane, and the others have none until there are more
     * @param gather how long a batch waits for as many appends as the last one had; zero if it never does
     */
    public record Limits(
            int lanes,
            int itemsPerLane,
            int batchItems,
            int batchBytes,
            int queueItems,
            int queueBytes,
            Duration gather) {
        /** Appends that come further in one batch than in two: a transaction is dear in itself, and so is a call of a script. */
        static final int FEW = 64;

        /** One call of a Redis script blocks the server; this many items take it less than ten milliseconds. */
        private static final int BATCH_ITEMS = 256;

        private static final int BATCH_BYTES = 1024 * 1024;

        /** At a store that takes 100 ms for a batch, the last in the queue waits for 1.6 s. Then it is kinder to refuse. */
        private static final int QUEUED_BATCHES = 16;

        public Limits {
            requirePositive("lanes", lanes);
            requirePositive("itemsPerLane", itemsPerLane);
            requirePositive("batchItems", batchItems);
            requirePositive("batchBytes", batchBytes);
            requirePositive("queueItems", queueItems);
            requirePositive("queueBytes", queueBytes);
            if (gather.isNegative())
                throw new IllegalArgumentException("gather must not be negative but was " + gather);
        }

        /** Without waiting for company, and with all lanes as soon as there are as many appends. */
        public Limits(int lanes, int batchItems, int batchBytes, int queueItems, int queueBytes) {
            this(lanes, 1, batchItems, batchBytes, queueItems, queueBytes, Duration.ZERO);
        }

        public static Limits ofLanes(int lanes) {
            return new Limits(
                    lanes, BATCH_ITEMS, BATCH_BYTES, QUEUED_BATCHES * BATCH_ITEMS, QUEUED_BATCHES * BATCH_BYTES);
        }

        /** The same, but for a batch that waits for company. */
        public Limits gathering(Duration within) {
            return new Limits(lanes, itemsPerLane, batchItems, batchBytes, queueItems, queueBytes, within);
        }

        /** The same, but for lanes that are used only where there is enough for them. */
        public Limits filling(int itemsOfALane) {
            return new Limits(lanes, itemsOfALane, batchItems, batchBytes, queueItems, queueBytes, gather);
        }

        private static void requirePositive(String what, int value) {
            if (value < 1) throw new IllegalArgumentException(what + " must be 1 or more but was " + value);
        }
    }

    private final SagaRepository repository;
    private final StoreAvailability store;
    private final List<AppendLane> lanes;
    private final LaneChoice choice;

    /** Starts a thread per lane. Closing this closes {@code repository}. */
    public GroupCommit(SagaRepository repository, Limits limits) {
        super(repository);
        this.repository = repository;
        this.store = new StoreAvailability(repository::check);
        this.lanes = IntStream.range(0, limits.lanes())
                .mapToObj(number -> AppendLane.start(number, repository, limits, store))
                .toList();
        this.choice = new LaneChoice(limits.lanes(), limits.itemsPerLane());
    }

    /** Appends as part of the next batch, without blocking; {@code waiter} is told. */
    public void submit(Append append, AppendListener waiter) {
        if (lanes.size() == 1) {
            lanes.getFirst().submit(append, waiter);
            return;
        }
        SagaId id = append.id();
        lanes.get(choice.enter(id)).submit(append, new AppendListener() {
            @Override
            public void stored(AppendResult result) {
                choice.leave(id);
                waiter.stored(result);
            }

            @Override
            public void failed(RuntimeException failure) {
                choice.leave(id);
                waiter.failed(failure);
            }
        });
    }

    /** The same for somebody who wants a future: it completes on the thread of a lane, so what depends on it must not block. */
    public CompletableFuture<AppendResult> submit(Append append) {
        Promise promise = new Promise();
        submit(append, promise);
        return promise;
    }

    /** For whoever can wait. */
    static final class Promise extends CompletableFuture<AppendResult> implements AppendListener {
        @Override
        public void stored(AppendResult result) {
            complete(result);
        }

        @Override
        public void failed(RuntimeException failure) {
            completeExceptionally(failure);
        }
    }

    /**
     * Appends as part of the next batches; returns when all items are done. If the queue is full for an item, that is an
     * outage like any other to the caller, who cannot tell what became of the other items.
     */
    @Override
    public List<AppendResult> append(List<Append> batch) {
        List<CompletableFuture<AppendResult>> submitted =
                batch.stream().map(this::submit).toList();
        CompletableFuture<Void> all = CompletableFuture.allOf(submitted.toArray(CompletableFuture[]::new));
        try {
            all.join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof RepositoryBusyException busy) {
                throw new RepositoryUnavailableException(String.valueOf(busy.getMessage()), busy);
            }
            if (e.getCause() instanceof RuntimeException cause) throw cause;
            throw e;
        }
        List<AppendResult> results = new ArrayList<>(submitted.size());
        for (CompletableFuture<AppendResult> item : submitted) results.add(item.join());
        return results;
    }

    /** Appends that wait for their batch. */
    public int queuedItems() {
        return lanes.stream().mapToInt(AppendLane::queuedItems).sum();
    }

    /** What the appends that wait for their batch hold of the heap, about. */
    public long queuedBytes() {
        return lanes.stream().mapToLong(AppendLane::queuedBytes).sum();
    }

    /** How long the append that has waited longest has waited. */
    public Duration longestWait() {
        return lanes.stream().map(AppendLane::longestWait).reduce(Duration.ZERO, (a, b) -> a.compareTo(b) > 0 ? a : b);
    }

    /** How many appends were refused since the start because the queue was full: those of new sagas, or of running ones. */
    public long refusedFull(boolean begins) {
        return lanes.stream().mapToLong(lane -> lane.refused(begins)).sum();
    }

    /** How many were refused since the start because the store was away. */
    public long refusedAway(boolean begins) {
        return begins ? store.refusedBegins() : store.refusedAppends();
    }

    /** Whether the store is known to be away. */
    public boolean isAway() {
        return store.isAway();
    }

    /** How long the store has been away; zero while it is there. */
    public Duration awayFor() {
        return store.awayFor();
    }

    /** How long ago the store last stored something for this node; since its start if it never has. */
    public Duration storedAgo() {
        return store.storedAgo();
    }

    /** How often the store was away since the start. */
    public long outages() {
        return store.outages();
    }

    @Override
    public Loaded load(SagaId id) {
        return store.read(() -> repository.load(id));
    }

    @Override
    public Page<SagaId> due(Instant until, Cursor cursor, int limit) {
        return store.read(() -> repository.due(until, cursor, limit));
    }

    @Override
    public Page<SagaSummary> find(SagaQuery query, Cursor cursor, int limit) {
        return store.read(() -> repository.find(query, cursor, limit));
    }

    @Override
    public Page<SagaSummary> ordered(Instant since, Cursor cursor, int limit) {
        return store.read(() -> repository.ordered(since, cursor, limit));
    }

    @Override
    public SagaCounts counts(Set<SagaSummary.State> states) {
        return store.read(() -> repository.counts(states));
    }

    @Override
    public int purge(Instant endedBefore, int limit) {
        return store.read(() -> repository.purge(endedBefore, limit));
    }

    @Override
    public int forget(Instant endedBefore, int limit) {
        return store.read(() -> repository.forget(endedBefore, limit));
    }

    @Override
    public Map<String, String> notes() {
        return store.read(repository::notes);
    }

    /** At once, beside the batches. */
    @Override
    public void note(String name, String text) {
        boolean unused = store.read(() -> {
            repository.note(name, text);
            return true;
        });
    }

    @Override
    public Health check() {
        return store.check();
    }

    /** Takes no more, writes what waits (for a bounded time), then closes the repository. */
    @Override
    public void close() {
        lanes.forEach(AppendLane::close);
        store.close();
        long deadline = System.nanoTime() + DRAIN_WITHIN.toNanos();
        for (AppendLane lane : lanes) lane.drain(Duration.ofNanos(deadline - System.nanoTime()));
        super.close();
    }
}
