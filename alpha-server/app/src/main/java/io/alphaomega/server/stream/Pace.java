package io.alphaomega.server.stream;

/**
 * How many inputs of busy streams go on in one step of a crowded event loop: as many as leave the few their time. How many
 * that are depends on the store and the processor, so it is found by trying: a little more for each of the few that was quick,
 * an eighth less for each that was not.
 */
final class Pace {
    /** Or the busy ones would starve: a thousand inputs a second. It begins with so many. */
    static final int LEAST = 10;

    /** How many more for each of the few that was quick. */
    private static final double MORE = 0.125;

    /** One of the few is quick while they take no longer, on average, than so many times what half of them took before. */
    private static final int SLOWER_MOST = 2;

    /** Of how many of the few it is learned what is usual. */
    private static final int USUALLY = 256;

    /** And of how many, how long they take of late. */
    private static final int LATELY = 32;

    private final int most;
    private double inputs = LEAST;

    /** What of the last steps is less than one input. */
    private double leftOver;

    /** How many of the few have been answered, up to {@link #USUALLY}. */
    private int answered;

    /** How long the few take, in nanoseconds: half of them, while the others keep within their bounds; and the mean of late. */
    private double usual;

    private double lately;

    /** @param most inputs in one step */
    Pace(int most) {
        this.most = most;
    }

    /** The loop is crowded from now on. */
    void begin() {
        inputs = LEAST;
        leftOver = 0;
    }

    /** How many inputs go on in the next step. */
    int step() {
        leftOver += inputs;
        int now = (int) leftOver;
        leftOver -= now;
        return now;
    }

    /**
     * One of the few was answered, so many nanoseconds after it was read.
     *
     * @param crowded whether the loop is
     * @param othersWait whether inputs of busy streams wait for their turn
     */
    void heard(long nanos, boolean crowded, boolean othersWait) {
        learnUsual(nanos, crowded, othersWait);
        lately += (nanos - lately) / LATELY;
        if (!crowded) return;
        if (lately > SLOWER_MOST * usual) inputs = Math.max(LEAST, inputs - inputs / 8);
        else inputs = Math.min(most, inputs + MORE);
    }

    /**
     * A median: what was slow for once, however slow, counts no more than what was just slower. While it is crowded, or others
     * wait, nothing is usual that takes longer.
     */
    private void learnUsual(long nanos, boolean crowded, boolean othersWait) {
        double part = 1.0 / (answered < USUALLY ? ++answered : USUALLY);
        if (usual == 0) usual = nanos;
        else if (nanos < usual) usual -= usual * (crowded ? part / 16 : part);
        else if (!crowded && !othersWait) usual += usual * part;
    }
}
