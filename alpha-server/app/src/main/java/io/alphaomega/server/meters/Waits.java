package io.alphaomega.server.meters;

import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.distribution.CountAtBucket;
import io.micrometer.core.instrument.distribution.HistogramSnapshot;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/**
 * How many things took how long. Those of several nodes may be added up.
 *
 * @param counts by bounds in microseconds: how many took longer than the bound before and up to this one
 */
public record Waits(SortedMap<Long, Long> counts) {
    /** The bound of what took longer than the last one. */
    public static final long LONGER = Long.MAX_VALUE;

    public static final Waits NONE = new Waits(new TreeMap<>());

    public Waits {
        counts = Collections.unmodifiableSortedMap(new TreeMap<>(counts));
    }

    /** What the timer, one of {@link Histograms}, has recorded since the start; none if it keeps no histogram. */
    public static Waits of(Timer timer) {
        HistogramSnapshot snapshot = timer.takeSnapshot();
        SortedMap<Long, Long> counts = new TreeMap<>();
        long seen = 0;
        for (CountAtBucket bucket : snapshot.histogramCounts()) {
            long upTo = (long) bucket.count();
            counts.put((long) bucket.bucket(TimeUnit.MICROSECONDS), Math.max(0, upTo - seen));
            seen = upTo;
        }
        if (!counts.isEmpty()) counts.merge(LONGER, Math.max(0, snapshot.count() - seen), Long::sum);
        return new Waits(counts);
    }

    public Waits plus(Waits other) {
        SortedMap<Long, Long> sum = new TreeMap<>(counts);
        other.counts.forEach((bound, count) -> sum.merge(bound, count, Long::sum));
        return new Waits(sum);
    }

    /** What came since, if this is of the same timers later. */
    public Waits minus(Waits earlier) {
        SortedMap<Long, Long> difference = new TreeMap<>(counts);
        earlier.counts.forEach(
                (bound, count) -> difference.computeIfPresent(bound, (same, now) -> Math.max(0, now - count)));
        return new Waits(difference);
    }

    /**
     * Within which time so many of them were done; between bounds it is interpolated, as Prometheus does, and what took
     * longer than the last bound counts as that. Empty if there are none.
     *
     * @param part 0.99 for all but a hundredth
     */
    public Optional<Duration> within(double part) {
        double rank = part * counts.values().stream().mapToLong(Long::longValue).sum();
        long seen = 0;
        long lower = 0;
        for (Map.Entry<Long, Long> bound : counts.entrySet()) {
            long count = bound.getValue();
            if (count > 0 && seen + count >= rank) {
                long width = bound.getKey() == LONGER ? 0 : bound.getKey() - lower;
                return Optional.of(Duration.of(lower + (long) (width * (rank - seen) / count), ChronoUnit.MICROS));
            }
            seen += count;
            lower = bound.getKey();
        }
        return Optional.empty();
    }
}
