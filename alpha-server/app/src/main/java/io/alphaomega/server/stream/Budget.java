package io.alphaomega.server.stream;

import java.util.concurrent.atomic.AtomicLong;

/**
 * What the streams of a node may hold of its heap together: inputs that their sagas have not answered, answers and
 * callbacks that their peers have not read. Each stream has something of its own, which nobody can take from it. What it
 * holds beyond that is lent, as long as it is less than what is left to lend: so however many hold as much as they may,
 * something is left for the next. Safe for use by many threads.
 */
final class Budget {
    /** Of the heap, for what the streams have of their own. A quarter is the sagas', and alpha itself takes some 60 MB. */
    private static final int OWN_PART = 6;

    /** Of the heap, for what is lent. */
    private static final int LENT_PART = 16;

    /** The largest input and its answer, or some 20 ordinary ones. */
    static final int OWN_BYTES = 96 * 1024;

    /** Of those that wait for a decision, apart: so they never keep out what the decision waits for. Some 50. */
    static final int OWN_WAITING_BYTES = 32 * 1024;

    /** A service with more instances than this needs more nodes. */
    static final int STREAMS_MAX = 10_000;

    private final int streams;
    private final long lendable;
    private final AtomicLong lent = new AtomicLong();

    /** @param heapBytes of the node */
    Budget(long heapBytes) {
        this(Math.clamp(heapBytes / OWN_PART / (OWN_BYTES + OWN_WAITING_BYTES), 1, STREAMS_MAX), heapBytes / LENT_PART);
    }

    Budget(int streams, long lendable) {
        this.streams = streams;
        this.lendable = lendable;
    }

    /** How many streams there may be. */
    int streams() {
        return streams;
    }

    /** What is lent now, in bytes. */
    long lent() {
        return lent.get();
    }

    /** The account of somebody who holds nothing yet. */
    Account open(int ownBytes) {
        return new Account(ownBytes);
    }

    /** What one stream holds. For one thread. */
    final class Account {
        private final int own;
        private long bytes;

        private Account(int own) {
            this.own = own;
        }

        /** Whether there is room for more. */
        boolean hasRoom() {
            return hasRoom(1);
        }

        /** Whether there is room for so much more. Others who ask at the same moment may be lent the same once. */
        boolean hasRoom(int more) {
            long owed = borrowed(bytes + more);
            return owed == 0 || owed <= lendable - lent.get();
        }

        /** Takes so much more, if there is room for it. */
        boolean take(int more) {
            if (!hasRoom(more)) return false;
            add(more);
            return true;
        }

        /** Takes so much more, which is there already. */
        void add(int more) {
            change(more);
        }

        void give(int back) {
            change(-back);
        }

        /** Gives back everything. */
        void close() {
            change(-bytes);
        }

        private void change(long by) {
            long borrowed = borrowed(bytes + by) - borrowed(bytes);
            bytes += by;
            if (borrowed != 0) lent.addAndGet(borrowed);
        }

        private long borrowed(long of) {
            return Math.max(0, of - own);
        }
    }
}
