package io.alphaomega.server.console;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Where times are on a line of 100. To scale, unless nothing happened for most of the time: then each pause is as long as
 * its order of magnitude, so that milliseconds of work and hours of waiting are both seen.
 */
final class TimeScale {
    /** A pause that takes more of the time than this hides whatever else there is. */
    private static final double HIDING = 0.8;

    private static final int TICKS_MAX = 6;

    /** Two ticks need some room for their words. */
    private static final double TICK_APART = 14;

    private final NavigableMap<Instant, Double> places = new TreeMap<>();
    private final boolean toScale;

    /** @param label how long after the first time */
    record Tick(double at, String label) {}

    TimeScale(Collection<Instant> times) {
        List<Instant> sorted = new ArrayList<>(new TreeSet<>(times));
        double total = millis(sorted.getFirst(), sorted.getLast());
        double longest = 0;
        for (int i = 1; i < sorted.size(); i++) {
            longest = Math.max(longest, millis(sorted.get(i - 1), sorted.get(i)));
        }
        toScale = sorted.size() < 4 || longest <= HIDING * total;
        double sum = 0;
        for (int i = 1; i < sorted.size(); i++) sum += weight(sorted.get(i - 1), sorted.get(i));
        double reached = 0;
        places.put(sorted.getFirst(), 0.0);
        for (int i = 1; i < sorted.size(); i++) {
            reached += weight(sorted.get(i - 1), sorted.get(i));
            places.put(sorted.get(i), 100 * reached / sum);
        }
    }

    private double weight(Instant from, Instant to) {
        double millis = millis(from, to);
        return toScale ? Math.max(millis, 1e-3) : 1 + Math.log1p(millis);
    }

    private static double millis(Instant from, Instant to) {
        return Duration.between(from, to).toNanos() / 1e6;
    }

    boolean isToScale() {
        return toScale;
    }

    /** Of one of the times that the scale was made for, or between two of them. */
    double at(Instant time) {
        Map.Entry<Instant, Double> before = places.floorEntry(time);
        Map.Entry<Instant, Double> after = places.ceilingEntry(time);
        if (before == null) return 0;
        if (after == null) return 100;
        double gap = millis(before.getKey(), after.getKey());
        if (gap == 0) return before.getValue();
        double part = millis(before.getKey(), time) / gap;
        return before.getValue() + part * (after.getValue() - before.getValue());
    }

    /** At times at which something happened, far enough from each other. */
    List<Tick> ticks(Words words) {
        List<Tick> ticks = new ArrayList<>();
        Instant first = places.firstKey();
        double last = Double.NEGATIVE_INFINITY;
        for (Map.Entry<Instant, Double> place : places.entrySet()) {
            if (place.getValue() - last < TICK_APART || ticks.size() == TICKS_MAX) continue;
            if (place.getValue() > 100 - TICK_APART / 2) continue; // Its words would not fit.
            last = place.getValue();
            ticks.add(new Tick(last, label(Duration.between(first, place.getKey()), words)));
        }
        return ticks;
    }

    private static String label(Duration after, Words words) {
        return after.isZero() ? "0" : "+" + words.took(after);
    }
}
