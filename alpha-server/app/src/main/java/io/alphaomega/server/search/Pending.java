package io.alphaomega.server.search;

import io.alphaomega.repository.SagaSummary;
import io.alphaomega.saga.SagaId;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What was appended and is not in the index yet: the newest of each saga, as long as there is room. What there is no room
 * for is remembered only by the time since when something is missing. Safe for use by many threads.
 */
final class Pending {
    /** A summary is about a kibibyte. An index that is away for longer than this fills is caught up from the journal. */
    static final int ROOM = 10_000;

    /**
     * A saga whose entry in the index is old.
     *
     * @param sequence how many events the journal had; 0 if nobody knows whether the append is stored, so that it has to
     *     be looked up
     * @param since when the first of its appends that are not in the index began
     */
    record Item(SagaSummary summary, long sequence, Instant since) {
        boolean isDoubtful() {
            return sequence == 0;
        }

        /** What is to be put for this append and a later one of the same saga. */
        Item and(Item later) {
            boolean overtaken = !later.isDoubtful() && later.sequence() < sequence;
            Item newer = overtaken ? this : later;
            return new Item(newer.summary(), newer.sequence(), since.isBefore(later.since()) ? since : later.since());
        }
    }

    private final int room;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition arrived = lock.newCondition();

    /** These are guarded by the lock. */
    private final Map<SagaId, Item> waiting = new LinkedHashMap<>();

    private final List<Item> underWay = new ArrayList<>();
    private final List<Instant> appends = new ArrayList<>();
    private @Nullable Instant missingSince;

    Pending(int room) {
        this.room = room;
    }

    /** An append begins: until it is {@link #over}, nobody says that everything appended by now is in the index. */
    void begins(Instant now) {
        lock.lock();
        try {
            appends.add(now);
        } finally {
            lock.unlock();
        }
    }

    /** An append is over, and this is what it may have changed. */
    void over(Instant begun, List<Item> items) {
        lock.lock();
        try {
            items.forEach(this::add);
            appends.remove(begun);
            if (!items.isEmpty()) arrived.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private void add(Item item) {
        SagaId id = item.summary().id();
        if (waiting.containsKey(id) || waiting.size() + underWay.size() < room) {
            waiting.merge(id, item, Item::and);
        } else if (missingSince == null || item.since().isBefore(missingSince)) {
            missingSince = item.since();
        }
    }

    /** Up to so many of what waits, once there is something, or nothing after a while. */
    List<Item> take(int most, Duration within) {
        lock.lock();
        try {
            long nanos = within.toNanos();
            while (waiting.isEmpty() && nanos > 0) nanos = arrived.awaitNanos(nanos);
            for (Iterator<Item> each = waiting.values().iterator(); each.hasNext() && underWay.size() < most; ) {
                underWay.add(each.next());
                each.remove();
            }
            return List.copyOf(underWay);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return List.of();
        } finally {
            lock.unlock();
        }
    }

    /** What was taken is in the index. */
    void done() {
        lock.lock();
        try {
            underWay.clear();
        } finally {
            lock.unlock();
        }
    }

    /** What was taken is not in the index: it waits again, behind the others, in case it is to blame. */
    void failed() {
        lock.lock();
        try {
            underWay.forEach(item -> waiting.merge(item.summary().id(), item, (later, failed) -> failed.and(later)));
            underWay.clear();
        } finally {
            lock.unlock();
        }
    }

    /** Since when something is missing for which there was no room; the caller sees to it. */
    Optional<Instant> takeMissing() {
        lock.lock();
        try {
            Optional<Instant> since = Optional.ofNullable(missingSince);
            missingSince = null;
            return since;
        } finally {
            lock.unlock();
        }
    }

    /** Everything this node had appended before is in the index; {@code now} if there is nothing that is not. */
    Instant completeUpTo(Instant now) {
        lock.lock();
        try {
            return Stream.of(
                            appends.stream(),
                            Stream.concat(waiting.values().stream(), underWay.stream())
                                    .map(Item::since),
                            Optional.ofNullable(missingSince).stream())
                    .flatMap(each -> each)
                    .reduce(now, (one, other) -> one.isBefore(other) ? one : other);
        } finally {
            lock.unlock();
        }
    }

    int size() {
        lock.lock();
        try {
            return waiting.size() + underWay.size();
        } finally {
            lock.unlock();
        }
    }
}
