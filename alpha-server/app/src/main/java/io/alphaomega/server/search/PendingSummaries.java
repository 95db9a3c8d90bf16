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
 * What was appended and is not in the index yet: the newest of each saga, as long as there is room, and apart from it the
 * sagas that are in doubt. What there is no room for is remembered only by the time since when something is missing. Safe
 * for use by many threads.
 */
final class PendingSummaries {
    /** A summary is about a kibibyte. An index that is away for longer than this fills is caught up from the journal. */
    static final int ROOM = 10_000;

    /**
     * A saga whose entry in the index is old.
     *
     * @param sequence how many events the journal had
     * @param since when the first of its appends that are not in the index began
     */
    record Item(SagaSummary summary, long sequence, Instant since) {

        /** What is to be put for this append and a later one of the same saga. */
        Item and(Item later) {
            return (later.sequence() < sequence ? this : later).since(earlier(since, later.since()));
        }

        private Item since(Instant begun) {
            return new Item(summary, sequence, begun);
        }
    }

    /**
     * A saga of which nobody knows whether an append is stored, or will be: it has to be looked up.
     *
     * @param summary what the append would have made of it
     * @param since when the first of such appends began
     * @param last when the last of them was given up
     */
    record Doubt(SagaSummary summary, Instant since, Instant last) {
        private Doubt and(Doubt later) {
            return new Doubt(later.summary(), earlier(since, later.since()), later.last());
        }

        Doubt postponed(Instant now) {
            return new Doubt(summary, since, now);
        }
    }

    private final int room;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition arrived = lock.newCondition();

    /** These are guarded by the lock. */
    private final Map<SagaId, Item> waiting = new LinkedHashMap<>();

    private final List<Item> underWay = new ArrayList<>();

    /** Oldest first. */
    private final Map<SagaId, Doubt> doubts = new LinkedHashMap<>();

    private final List<Instant> appends = new ArrayList<>();
    private @Nullable Instant missingSince;

    PendingSummaries(int room) {
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

    /** An append is over; this is what it has changed, and what it may have changed or still change. */
    void over(Instant begun, List<Item> items, List<Doubt> doubtful) {
        lock.lock();
        try {
            items.forEach(this::add);
            doubtful.forEach(this::add);
            appends.remove(begun);
            if (!items.isEmpty()) arrived.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** An append that is stored settles earlier doubts: what they are of is before it, or can never be stored. */
    private void add(Item item) {
        SagaId id = item.summary().id();
        Doubt settled = doubts.remove(id);
        Item whole = settled == null ? item : item.since(earlier(settled.since(), item.since()));
        if (waiting.containsKey(id) || hasRoom()) waiting.merge(id, whole, Item::and);
        else missing(whole.since());
    }

    private void add(Doubt doubt) {
        SagaId id = doubt.summary().id();
        Doubt before = doubts.remove(id);
        if (before != null) doubts.put(id, before.and(doubt));
        else if (hasRoom()) doubts.put(id, doubt);
        else missing(doubt.since());
    }

    private boolean hasRoom() {
        return waiting.size() + underWay.size() + doubts.size() < room;
    }

    private void missing(Instant since) {
        missingSince = missingSince == null ? since : earlier(missingSince, since);
    }

    private static Instant earlier(Instant one, Instant other) {
        return one.isBefore(other) ? one : other;
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

    /** Up to so many doubts about what was given up by then. */
    List<Doubt> doubts(Instant givenUpBy, int most) {
        lock.lock();
        try {
            return doubts.values().stream()
                    .filter(doubt -> !doubt.last().isAfter(givenUpBy))
                    .limit(most)
                    .toList();
        } finally {
            lock.unlock();
        }
    }

    /** This one is in the index, or there is nothing to tell of it. One that has grown meanwhile is another. */
    void settled(Doubt doubt) {
        lock.lock();
        try {
            doubts.remove(doubt.summary().id(), doubt);
        } finally {
            lock.unlock();
        }
    }

    /** This one, if it is not settled, is as if it had been given up only now. */
    void postponed(Doubt doubt, Instant now) {
        lock.lock();
        try {
            SagaId id = doubt.summary().id();
            if (doubts.remove(id, doubt)) doubts.put(id, doubt.postponed(now));
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
                            doubts.values().stream().map(Doubt::since),
                            Stream.concat(waiting.values().stream(), underWay.stream())
                                    .map(Item::since),
                            Optional.ofNullable(missingSince).stream())
                    .flatMap(each -> each)
                    .reduce(now, PendingSummaries::earlier);
        } finally {
            lock.unlock();
        }
    }

    int size() {
        lock.lock();
        try {
            return waiting.size() + underWay.size() + doubts.size();
        } finally {
            lock.unlock();
        }
    }
}
