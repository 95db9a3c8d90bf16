package io.alphaomega.saga.simulation;

import java.time.Instant;
import java.util.PriorityQueue;

/** Virtual time: it only ever moves to the next moment that somebody asked for. */
final class Timeline {
    private static final long NANOS_PER_MILLI = 1_000_000;
    private static final long NANOS_PER_SECOND = 1_000_000_000;

    private final PriorityQueue<Entry> queue = new PriorityQueue<>();
    private long nanos;
    private long entries;
    private Instant now = Instant.EPOCH;

    private record Entry(long nanos, long number, Runnable action) implements Comparable<Entry> {
        @Override
        public int compareTo(Entry other) {
            int byTime = Long.compare(nanos, other.nanos);
            return byTime != 0 ? byTime : Long.compare(number, other.number);
        }
    }

    Instant now() {
        return now;
    }

    void in(long millis, Runnable action) {
        queue.add(new Entry(nanos + millis * NANOS_PER_MILLI, entries++, action));
    }

    /** At once if {@code when} has passed. */
    void at(Instant when, Runnable action) {
        long at = when.getEpochSecond() * NANOS_PER_SECOND + when.getNano();
        queue.add(new Entry(Math.max(at, nanos), entries++, action));
    }

    /** Does what is next; false when nothing is left to happen. */
    boolean advance() {
        Entry next = queue.poll();
        if (next == null) return false;
        if (next.nanos != nanos) {
            nanos = next.nanos;
            now = Instant.ofEpochSecond(0, nanos);
        }
        next.action.run();
        return true;
    }
}
