package io.alphaomega.server.stream;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.function.Consumer;
import java.util.function.IntConsumer;

/**
 * Which of the inputs that an event loop has read go to their sagas at once, and in which order the others follow: so that
 * how long an input takes depends on what its own stream does, more than on what others do.
 *
 * <p>A stream with a few unanswered inputs is never held back. Of those of the others, of busy streams, so many are under way
 * together as keep any store busy; the rest waits where it was read, and the streams take turns. While inputs find no memory,
 * the loop is crowded: then it aims at so many under way that the few take at most half as long again as they did before.
 * How many that is depends on the store, so it is found by trying: one more for each of the few that was quick, an eighth
 * less for each that was not. The loops of a node know nothing of each other: the busy streams of one make no room for the
 * few of another. For the thread of the loop.
 */
final class FairShare {
    /** Unanswered inputs of a stream that is not busy: of a service that does some things at a time. */
    static final int FEW = 8;

    /**
     * Of all busy streams together, told and not answered: the windows of four, so that what is merely busy is not held back.
     */
    static final int UNDER_WAY = 4 * Conversation.WINDOW;

    /** The same once it becomes crowded, before anything is known. */
    static final int UNDER_WAY_FIRST = 64;

    /** The same at least, or the busy ones would starve. */
    static final int UNDER_WAY_LEAST = 16;

    /** Of one stream, before the next has its turn. */
    static final int AT_A_TIME = 4;

    /** After an input that found no memory. Who offers more than there is room for comes again within this. */
    static final Duration CROWDED_FOR = Duration.ofSeconds(5);

    /** Nobody is spared who has asked for nothing for as long. */
    static final Duration FEW_FOR = Duration.ofSeconds(1);

    private final Queue<Line> waiting = new ArrayDeque<>();
    private final IntConsumer heldBack;
    private int underWay;
    private int most = UNDER_WAY;
    private boolean crowded;
    private long crowdedUntil;

    /** How long the few take, in nanoseconds: while the others keep within their bounds, and of late. Zero before the first. */
    private double usual;

    private double lately;

    /** Whether one of the few was answered since somebody looked; and when, of those that were seen. */
    private boolean heard;

    private long heardAt;

    /** @param heldBack is told by how many more, or fewer, inputs wait for their turn */
    FairShare(IntConsumer heldBack) {
        this.heldBack = heldBack;
    }

    /**
     * What a stream has to tell sagas.
     *
     * @param unanswered what it has read
     * @param tell tells a saga one of those, whose turn has come
     */
    Line open(Unanswered unanswered, Consumer<Unanswered.Entry> tell) {
        return new Line(unanswered, tell);
    }

    /** An input found no memory. Here and below, {@code now} is in milliseconds of the streams' clock. */
    void crowded(long now) {
        crowdedUntil = now + CROWDED_FOR.toMillis();
        if (crowded) return;
        crowded = true;
        most = UNDER_WAY_FIRST;
    }

    /** Whether any wait for their turn. */
    boolean isBusy() {
        return !waiting.isEmpty();
    }

    /** Tells those that there is room for now. */
    void handOn(long now) {
        int room = most(now);
        while (underWay < room) {
            Line next = waiting.poll();
            if (next == null) return;
            next.handOn();
            if (next.isWaiting()) waiting.add(next);
        }
    }

    /** How many of busy streams may be under way by now; looking also notes who was heard and whether it is crowded still. */
    int most(long now) {
        if (!crowded) return UNDER_WAY;
        if (now >= crowdedUntil) {
            crowded = false;
            return UNDER_WAY;
        }
        if (heard) heardAt = now;
        heard = false;
        return now - heardAt < FEW_FOR.toMillis() ? most : UNDER_WAY;
    }

    /** One of the few has been answered. */
    private void heard(long nanos) {
        heard = true;
        if (usual == 0) usual = nanos;
        else if (crowded) usual += (nanos - usual) / (1 << 16); // It may have been another time when it was not.
        else if (waiting.isEmpty()) usual += (nanos - usual) / (1 << 6);
        lately += lately == 0 ? nanos : (nanos - lately) / (1 << 3);
        if (!crowded) return;
        if (lately > usual * 3 / 2) most = Math.max(UNDER_WAY_LEAST, most - 1 - most / 8);
        else most = Math.min(UNDER_WAY, most + 1);
    }

    /** The inputs of one stream, in their order. */
    final class Line {
        private final Unanswered unanswered;
        private final Consumer<Unanswered.Entry> tell;

        /** Of those that wait. */
        private final Queue<Long> numbers = new ArrayDeque<>(0);

        /** Neither answered nor waiting for a decision. */
        private int open;

        /** Of those, how many count against what all may have under way. */
        private int counted;

        private Line(Unanswered unanswered, Consumer<Unanswered.Entry> tell) {
            this.unanswered = unanswered;
            this.tell = tell;
        }

        /** Whether so many more would still be few. */
        boolean isFew(int more) {
            return numbers.isEmpty() && open + more <= FEW;
        }

        /** Whether any wait for their turn. */
        boolean isWaiting() {
            return !numbers.isEmpty();
        }

        /**
         * Takes one that has been read. What waits for a decision counts for nothing, but overtakes nobody.
         *
         * @param few what {@link #isFew} has said of the message it came with
         * @return whether its saga is to be told now; if not, that is done in its turn
         */
        boolean add(Unanswered.Entry entry, boolean few, long now) {
            boolean patient = entry.isPatient();
            if (!patient) open++;
            if (few) return true;
            if (numbers.isEmpty()) {
                if (patient) return true;
                if (underWay < most(now)) {
                    count(entry);
                    return true;
                }
                waiting.add(this);
            }
            entry.waits(true);
            numbers.add(entry.number());
            heldBack.accept(1);
            return false;
        }

        /** It is decided, so many nanoseconds after it was read. */
        void decided(Unanswered.Entry entry, long nanos) {
            if (!entry.isCounted() && !entry.isPatient()) heard(nanos);
        }

        /** It is answered, or given up; call it before it is removed. */
        void done(Unanswered.Entry entry) {
            if (entry.isPatient()) return;
            open--;
            if (!entry.isCounted()) return;
            counted--;
            underWay--;
        }

        /** The stream is over. */
        void close() {
            underWay -= counted;
            counted = 0;
            heldBack.accept(-numbers.size());
            numbers.clear();
            waiting.remove(this);
        }

        private void handOn() {
            for (int i = 0; i < AT_A_TIME && !numbers.isEmpty(); i++) {
                Unanswered.Entry entry = unanswered.get(numbers.remove());
                heldBack.accept(-1);
                if (entry == null) continue; // Given up meanwhile.
                entry.waits(false);
                if (!entry.isPatient()) count(entry);
                tell.accept(entry);
            }
        }

        private void count(Unanswered.Entry entry) {
            entry.count();
            counted++;
            underWay++;
        }
    }
}
