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
 * together as keep any store busy; the rest waits where it was read, and the streams take turns. While inputs find no memory,
 * the loop is crowded: then the busy ones go on at a pace at which the few take little longer than they did before. Which
 * pace that is depends on the store and the processor, so it is found by trying: a little faster for each of the few that was
 * quick, an eighth slower for each that was not. The loops of a node know nothing of each other: the busy streams of one make
 * no room for the few of another. For the thread of the loop.
 */
final class FairShare {
    /** Unanswered inputs of a stream that is not busy: of a service that does some things at a time. */
    static final int FEW = 8;

    /**
     * Of all busy streams together, told and not answered: the windows of four, so that what is merely busy is not held back.
     */
    static final int UNDER_WAY = 4 * Conversation.WINDOW;

    /** The same while it is crowded and there are a few to spare: the few wait behind one batch of appends, not many. */
    static final int UNDER_WAY_PACED = 256;

    /** How often some go on then. */
    static final Duration STEP = Duration.ofMillis(10);

    /** How many in one step at least, or the busy ones would starve: a thousand inputs a second. It begins with so many. */
    static final int STEP_LEAST = 10;

    /** How many more for each of the few that was quick. */
    private static final double STEP_MORE = 0.125;

    /** One of the few is quick while they take no longer, on average, than so many times what half of them took before. */
    private static final int SLOWER_MOST = 2;

    /** Of how many of the few it is learned what is usual. */
    private static final int USUALLY = 256;

    /** And of how many, how long they take of late. */
    private static final int LATELY = 32;

    /** Of one stream, before the next has its turn. */
    static final int AT_A_TIME = 4;

    /** After an input that found no memory. Who offers more than there is room for comes again within this. */
    static final Duration CROWDED_FOR = Duration.ofSeconds(5);

    /** Nobody is spared who has asked for nothing for as long. */
    static final Duration FEW_FOR = Duration.ofSeconds(1);

    private final Queue<Line> waiting = new ArrayDeque<>();
    private final IntConsumer heldBack;
    private final LongSupplier clock;
    private final BiConsumer<Runnable, Duration> later;
    private int underWay;
    private boolean crowded;
    private long crowdedUntil;

    /** How many go on in one step while it is crowded, and how many of those of the last steps are left over. */
    private double pace = STEP_LEAST;

    private double leftOver;
    private boolean stepping;

    /** How many of the few have been answered, up to {@link #USUALLY}. */
    private int answered;

    /** How long the few take, in nanoseconds: half of them, while the others keep within their bounds; and the mean of late. */
    private double usual;

    private double lately;

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

    /** An input found no memory. */
    void crowded() {
        crowdedUntil = clock.getAsLong() + CROWDED_FOR.toMillis();
        if (crowded) return;
        crowded = true;
        pace = STEP_LEAST;
        leftOver = 0;
    }

    /** Something is answered: tells those that there is room for now. */
    void handOn() {
        if (waiting.isEmpty()) return;
        if (isPaced()) stepLater();
        else handOn(UNDER_WAY - underWay);
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
        leftOver += pace;
        int now = Math.min((int) leftOver, UNDER_WAY_PACED - underWay);
        leftOver -= (int) leftOver;
        handOn(now);
        if (!waiting.isEmpty()) stepLater();
    }

    private void handOn(int room) {
        int most = underWay + room;
        while (underWay < most) {
            Line next = waiting.poll();
            if (next == null) return;
            next.handOn(most);
            if (next.isWaiting()) waiting.add(next);
        }
    }

    /** One of the few has been answered. */
    private void heard(long nanos) {
        heard = true;
        learnUsual(nanos);
        lately += (nanos - lately) / LATELY;
        if (!crowded) return;
        if (lately > SLOWER_MOST * usual) pace = Math.max(STEP_LEAST, pace - pace / 8);
        else pace = Math.min(UNDER_WAY_PACED, pace + STEP_MORE);
    }

    /**
     * A median: what was slow for once, however slow, counts no more than what was just slower. While it is crowded, or others
     * wait, nothing is usual that takes longer.
     */
    private void learnUsual(long nanos) {
        double part = 1.0 / (answered < USUALLY ? ++answered : USUALLY);
        if (usual == 0) usual = nanos;
        else if (nanos < usual) usual -= usual * (crowded ? part / 16 : part);
        else if (!crowded && waiting.isEmpty()) usual += usual * part;
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
            if (!entry.isCounted() && !entry.isPatient()) heard(nanos);
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

        private void handOn(int most) {
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
