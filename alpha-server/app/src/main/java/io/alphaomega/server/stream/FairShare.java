package io.alphaomega.server.stream;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
import java.util.function.LongSupplier;

/**
 * Which of the inputs that an event loop has read go to their sagas at once, and in which order the others follow: so that
 * how long an input takes depends on what its own stream does, more than on what others do.
 *
 * <p>A stream with a few unanswered inputs is never held back. Of those of the others, of busy streams, so many are under way
 * together as keep any store busy; the rest waits where it was read, and the streams take turns. While inputs or streams find
 * no memory, the loop is crowded: then the busy ones go on at a {@link Pace} at which the few take little longer than they did
 * before. The loops of a node know nothing of each other: the busy streams of one make no room for the few of another. For the
 * thread of the loop.
 */
final class FairShare {
    /** Unanswered inputs of a stream that is not busy: of a service that does some things at a time. */
    static final int FEW = 8;

    /**
     * Of all busy streams together, told and not answered: the windows of four, so that what is merely busy is not held back.
     */
    static final int UNDER_WAY = 4 * Admission.WINDOW;

    /** The same while it is crowded and there are a few to spare: the few wait behind one batch of appends, not many. */
    static final int UNDER_WAY_PACED = 256;

    /** How often some go on then. */
    static final Duration STEP = Duration.ofMillis(10);

    /** Of one stream, before the next has its turn. */
    static final int AT_A_TIME = 4;

    /** After something that found no memory. Who offers more than there is room for comes again within this. */
    static final Duration CROWDED_FOR = Duration.ofSeconds(5);

    /** Nobody is spared who has asked for nothing for as long. */
    static final Duration FEW_FOR = Duration.ofSeconds(1);

    private final Queue<Line> waiting = new ArrayDeque<>();
    private final IntConsumer heldBack;
    private final LongSupplier clock;
    private final BiConsumer<Runnable, Duration> later;
    private final Pace pace = new Pace(UNDER_WAY_PACED);
    private int underWay;
    private boolean crowded;
    private long crowdedUntil;
    private boolean stepping;

    /** Inputs of the few that are not answered. */
    private int few;

    /** Whether one of the few was answered since somebody looked; and when, of those that were seen. */
    private boolean heard;

    private long heardAt;

    /**
     * @param heldBack is told by how many more, or fewer, inputs wait for their turn
     * @param clock in milliseconds
     * @param later has the loop do something after a while
     */
    FairShare(IntConsumer heldBack, LongSupplier clock, BiConsumer<Runnable, Duration> later) {
        this.heldBack = heldBack;
        this.clock = clock;
        this.later = later;
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

    /** An input, or a stream, found no memory. */
    void crowded() {
        crowdedUntil = clock.getAsLong() + CROWDED_FOR.toMillis();
        if (crowded) return;
        crowded = true;
        pace.begin();
    }

    /** Something is answered: tells those that there is room for now. */
    void handOn() {
        if (waiting.isEmpty()) return;
        if (isPaced()) stepLater();
        else takeTurns(UNDER_WAY - underWay);
    }

    /** Busy streams go on step by step, and not as soon as there is room. */
    private boolean isPaced() {
        if (!crowded) return false;
        long now = clock.getAsLong();
        crowded = now < crowdedUntil;
        if (heard || few > 0) heardAt = now;
        heard = false;
        return crowded && now - heardAt < FEW_FOR.toMillis();
    }

    private void stepLater() {
        if (stepping) return;
        stepping = true;
        later.accept(this::step, STEP);
    }

    private void step() {
        stepping = false;
        if (!isPaced()) {
            handOn();
            return;
        }
        takeTurns(Math.min(pace.step(), UNDER_WAY_PACED - underWay));
        if (!waiting.isEmpty()) stepLater();
    }

    private void takeTurns(int room) {
        int most = underWay + room;
        while (underWay < most) {
            Line next = waiting.poll();
            if (next == null) return;
            next.takeTurn(most);
            if (next.isWaiting()) waiting.add(next);
        }
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

        /** Of those, how many came while it was not busy. */
        private int spared;

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
         * @param isFew what {@link #isFew} has said of the message it came with
         * @return whether its saga is to be told now; if not, that is done in its turn
         */
        boolean add(Unanswered.Entry entry, boolean isFew) {
            boolean patient = entry.isPatient();
            if (!patient) open++;
            if (isFew) {
                if (!patient) spare(1);
                return true;
            }
            if (numbers.isEmpty()) {
                if (patient) return true;
                if (underWay < UNDER_WAY && !isPaced()) {
                    count(entry);
                    return true;
                }
                waiting.add(this);
                if (crowded) stepLater();
            }
            entry.waits(true);
            numbers.add(entry.number());
            heldBack.accept(1);
            return false;
        }

        /** It is decided, so many nanoseconds after it was read. */
        void decided(Unanswered.Entry entry, long nanos) {
            if (entry.isCounted() || entry.isPatient()) return;
            heard = true;
            pace.heard(nanos, crowded, !waiting.isEmpty());
        }

        /** It is answered, or given up; call it before it is removed. */
        void done(Unanswered.Entry entry) {
            if (entry.isPatient()) return;
            open--;
            if (entry.isCounted()) {
                counted--;
                underWay--;
            } else if (!entry.isWaiting()) {
                spare(-1);
            }
        }

        /** The stream is over. */
        void close() {
            underWay -= counted;
            counted = 0;
            spare(-spared);
            heldBack.accept(-numbers.size());
            numbers.clear();
            waiting.remove(this);
        }

        private void takeTurn(int most) {
            for (int i = 0; i < AT_A_TIME && underWay < most && !numbers.isEmpty(); i++) {
                Unanswered.Entry entry = unanswered.get(numbers.remove());
                heldBack.accept(-1);
                if (entry == null) continue; // Given up meanwhile.
                entry.waits(false);
                if (!entry.isPatient()) count(entry);
                tell.accept(entry);
            }
        }

        private void spare(int more) {
            spared += more;
            few += more;
        }

        private void count(Unanswered.Entry entry) {
            entry.count();
            counted++;
            underWay++;
        }
    }
}
