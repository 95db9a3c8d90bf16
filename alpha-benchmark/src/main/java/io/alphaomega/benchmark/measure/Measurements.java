package io.alphaomega.benchmark.measure;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What one or more generators measured after the warm-up. Only sagas that began after it are in here.
 *
 * @param ack from handing an input to its stream until its ack
 * @param saga from begin to terminal; in an open loop from the moment it should have begun
 * @param sagaUncorrected in an open loop from the moment it really began; empty in a closed one
 * @param series one entry per second that has any, counted from the end of the warm-up
 * @param firstBegin of a measured saga; null if there was none
 * @param lastTerminal of an ended one; null if there was none
 * @param errors streams that broke, inputs that alpha refused or could not take for now, each counted
 * @param generatorCpuMillis of the generators, from the end of the warm-up to the last terminal
 */
public record Measurements(
        OutcomeCounts counts,
        Latency ack,
        Latency saga,
        Latency sagaUncorrected,
        List<Second> series,
        @Nullable Instant firstBegin,
        @Nullable Instant lastTerminal,
        long errors,
        double generatorCpuMillis) {
    public static final Measurements NONE =
            new Measurements(OutcomeCounts.NONE, Latency.NONE, Latency.NONE, Latency.NONE, List.of(), null, null, 0, 0);

    public Measurements {
        series = List.copyOf(series);
    }

    /**
     * One second of the measurement.
     *
     * @param second from 0
     * @param ended sagas that ended in it
     * @param ack of inputs acknowledged in it
     * @param saga of sagas that ended in it
     */
    public record Second(int second, long started, long ended, long errors, Latency ack, Latency saga) {
        Second plus(Second other) {
            return new Second(
                    second,
                    started + other.started,
                    ended + other.ended,
                    errors + other.errors,
                    ack.plus(other.ack),
                    saga.plus(other.saga));
        }
    }

    /** From the first begin to the last terminal. */
    public double seconds() {
        if (firstBegin == null || lastTerminal == null) return 0;
        return Duration.between(firstBegin, lastTerminal).toNanos() / 1e9;
    }

    /** Ended sagas per second. */
    public double throughput() {
        double seconds = seconds();
        return seconds > 0 ? counts.ended() / seconds : 0;
    }

    public Measurements withGeneratorCpu(double millis) {
        return new Measurements(counts, ack, saga, sagaUncorrected, series, firstBegin, lastTerminal, errors, millis);
    }

    /** What both measured, as if it had been one generator. */
    public Measurements merge(Measurements other) {
        Map<Integer, Second> seconds = new TreeMap<>();
        for (Second each : series) seconds.put(each.second(), each);
        for (Second each : other.series) seconds.merge(each.second(), each, Second::plus);
        return new Measurements(
                counts.plus(other.counts),
                ack.plus(other.ack),
                saga.plus(other.saga),
                sagaUncorrected.plus(other.sagaUncorrected),
                new ArrayList<>(seconds.values()),
                earlier(firstBegin, other.firstBegin),
                later(lastTerminal, other.lastTerminal),
                errors + other.errors,
                generatorCpuMillis + other.generatorCpuMillis);
    }

    private static @Nullable Instant earlier(@Nullable Instant one, @Nullable Instant other) {
        if (one == null) return other;
        return other == null || one.isBefore(other) ? one : other;
    }

    private static @Nullable Instant later(@Nullable Instant one, @Nullable Instant other) {
        if (one == null) return other;
        return other == null || one.isAfter(other) ? one : other;
    }
}
