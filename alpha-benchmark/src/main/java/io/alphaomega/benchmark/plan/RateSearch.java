package io.alphaomega.benchmark.plan;

/** Finds the highest rate that is kept: doubles it until one is not, then halves the distance until it is near enough. */
public final class RateSearch {
    /** From one saga per second to ten million, and then to 1 % of that. */
    public static final int PROBES_MAX = 32;

    /** Whoever cannot keep one saga per second keeps none. */
    private static final double SLOWEST = 1;

    private final double most;
    private final double precision;
    private double kept;
    private double missed = Double.POSITIVE_INFINITY;
    private double next;
    private int probes;

    /**
     * A search that tries {@code from} first.
     *
     * @param most nothing above is tried
     * @param precision the distance at which it ends, as a share of the rate
     */
    public RateSearch(double from, double most, double precision) {
        if (!(from > 0 && from <= most)) {
            throw new IllegalArgumentException(
                    "--from must be more than 0 and at most --most, which is %s, but is %s.".formatted(most, from));
        }
        if (!(precision > 0 && precision < 1)) {
            throw new IllegalArgumentException("--precision must be between 0 and 1, but is " + precision + ".");
        }
        this.most = most;
        this.precision = precision;
        this.next = from;
    }

    public boolean isOver() {
        boolean near = !Double.isInfinite(missed) && missed - kept <= precision * missed;
        boolean hopeless = kept == 0 && next < SLOWEST;
        return probes >= PROBES_MAX || kept >= most || near || hopeless;
    }

    public double next() {
        return next;
    }

    /** Whether the rate was kept that {@link #next} said. */
    public void tell(boolean wasKept) {
        probes++;
        if (wasKept) kept = next;
        else missed = next;
        next = Double.isInfinite(missed) ? Math.min(most, kept * 2) : (kept + missed) / 2;
    }

    /** The highest rate that was kept; 0 if none was. */
    public double kept() {
        return kept;
    }
}
