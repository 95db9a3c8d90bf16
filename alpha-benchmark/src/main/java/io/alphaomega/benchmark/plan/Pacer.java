package io.alphaomega.benchmark.plan;

import java.time.Duration;

/** When the next saga may begin. Times are nanoseconds since the pace's own begin. */
public final class Pacer {
    private static final double NANOS = 1e9;

    private final LoadPlan.Pace pace;

    /** Of the climb, in seconds; 0 without one. */
    private final double climb;

    private final double before;

    /**
     * @param measured how long the measurement takes, in seconds, which a climb without a time of its own takes
     */
    public Pacer(LoadPlan.Pace pace, double measured) {
        this.pace = pace;
        this.climb =
                pace.climbs() ? (pace.ramp().isZero() ? measured : pace.ramp().toNanos() / NANOS) : 0;
        this.before = (pace.rateFrom() + pace.rate()) / 2 * climb;
    }

    /** The pace before the climb, which a warm-up has. */
    public static Pacer beforeClimb(LoadPlan.Pace pace) {
        boolean climbs = pace.climbs();
        int concurrency = climbs ? pace.concurrencyFrom() : pace.concurrency();
        double rate = climbs ? pace.rateFrom() : pace.rate();
        return new Pacer(new LoadPlan.Pace(concurrency, concurrency, rate, rate, Duration.ZERO), 0);
    }

    /** How many sagas may be open. */
    public int concurrencyAt(long nanos) {
        double seconds = nanos / NANOS;
        if (seconds >= climb) return pace.concurrency();
        return (int) Math.round(
                pace.concurrencyFrom() + (pace.concurrency() - pace.concurrencyFrom()) * Math.max(0, seconds) / climb);
    }

    /** When saga number {@code k}, from 0, should begin in an open loop; far away if never. */
    public long dueAt(long k) {
        double seconds;
        if (k < before) {
            // k = from·t + (to − from)·t²/(2·climb), solved for t.
            double from = pace.rateFrom();
            double slope = (pace.rate() - from) / climb;
            seconds = 2 * k / (from + Math.sqrt(from * from + 2 * slope * k));
            if (k == 0) seconds = 0;
        } else if (pace.rate() == 0) {
            return Long.MAX_VALUE / 4;
        } else {
            seconds = climb + (k - before) / pace.rate();
        }
        return (long) (seconds * NANOS);
    }
}
