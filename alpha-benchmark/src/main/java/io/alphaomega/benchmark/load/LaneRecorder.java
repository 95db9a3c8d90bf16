package io.alphaomega.benchmark.load;

import io.alphaomega.benchmark.load.SagaOutcomes.Outcome;
import io.alphaomega.benchmark.measure.Latency;
import io.alphaomega.benchmark.measure.Measurements;
import io.alphaomega.benchmark.measure.OutcomeCounts;
import java.util.ArrayList;
import java.util.List;
import org.HdrHistogram.Histogram;

/** The figures of one lane, second by second. It belongs to the lane's thread. */
final class LaneRecorder {
    private static final long NANOS_PER_SECOND = 1_000_000_000;
    private static final long NANOS_PER_MICRO = 1_000;

    /** Begins small and grows with what it records. */
    private static Histogram histogram() {
        return new Histogram(Latency.DIGITS);
    }

    private final boolean openLoop;
    private long measureFrom = Long.MAX_VALUE;

    private final Histogram ack = histogram();
    private final Histogram saga = histogram();
    private final Histogram sagaUncorrected = histogram();
    private final Histogram ackOfSecond = histogram();
    private final Histogram sagaOfSecond = histogram();
    private final List<Measurements.Second> series = new ArrayList<>();
    private int second;
    private long startedInSecond;
    private long endedInSecond;
    private long errorsInSecond;

    private final Tally measured = new Tally();
    private final Tally other = new Tally();
    private long errors;
    private long firstBegin = Long.MAX_VALUE;
    private long lastTerminal = Long.MIN_VALUE;

    /** Counts that change. */
    private static final class Tally {
        private final long[] of = new long[Outcome.values().length];
        private long started;

        OutcomeCounts counts() {
            return new OutcomeCounts(
                    started,
                    of[Outcome.COMMITTED.code],
                    of[Outcome.COMPENSATED.code],
                    of[Outcome.SUSPENDED.code],
                    of[Outcome.UNKNOWN.code],
                    of[Outcome.REFUSED.code]);
        }
    }

    /** What a lane's histograms say of the last whole second. */
    record Interval(OutcomeCounts measured, OutcomeCounts other, long errors, Histogram saga) {}

    LaneRecorder(boolean openLoop) {
        this.openLoop = openLoop;
    }

    /** @param nanoTime when the measurement begins, by {@link System#nanoTime} */
    void measureFrom(long nanoTime) {
        measureFrom = nanoTime;
    }

    void started(SimulatedSaga saga) {
        if (!saga.measured) {
            if (saga.role != SimulatedSaga.Role.CLOSES) other.started++;
            return;
        }
        roll(saga.begunAt);
        measured.started++;
        startedInSecond++;
        firstBegin = Math.min(firstBegin, saga.begunAt);
    }

    void acknowledged(SimulatedSaga saga, long queuedAt, long now) {
        if (!saga.measured) return;
        roll(now);
        ackOfSecond.recordValue(micros(now - queuedAt));
    }

    /** A saga has come to its end, or to none. */
    void settled(SimulatedSaga saga, Outcome outcome, long now) {
        Tally tally = saga.measured ? measured : other;
        tally.of[outcome.code]++;
        if (outcome == Outcome.REFUSED) tally.started--;
        if (saga.role == SimulatedSaga.Role.CLOSES) tally.of[Outcome.KEPT_OPEN.code]--;
        if (!saga.measured || (outcome != Outcome.COMMITTED && outcome != Outcome.COMPENSATED)) return;
        roll(now);
        endedInSecond++;
        lastTerminal = Math.max(lastTerminal, now);
        sagaOfSecond.recordValue(micros(now - saga.intendedAt));
        if (openLoop) sagaUncorrected.recordValue(micros(now - saga.begunAt));
    }

    /** What was unknown turned out to be something. Its time is not known. */
    void resolved(boolean ofMeasured, Outcome outcome) {
        Tally tally = ofMeasured ? measured : other;
        tally.of[Outcome.UNKNOWN.code]--;
        tally.of[outcome.code]++;
        if (outcome == Outcome.REFUSED) tally.started--;
    }

    /** One that was kept open was undone by alpha. */
    void undone() {
        other.of[Outcome.KEPT_OPEN.code]--;
        other.of[Outcome.COMPENSATED.code]++;
    }

    /** Of all sagas, the warm-up's and those that were kept open too. */
    OutcomeCounts all() {
        return measured.counts().plus(other.counts());
    }

    /** Those that are still open, though nobody says anything in their name any more. */
    long keptOpen() {
        return other.of[Outcome.KEPT_OPEN.code];
    }

    void error(long now) {
        if (now < measureFrom) return;
        roll(now);
        errors++;
        errorsInSecond++;
    }

    /** Which second of the measurement that is. */
    int secondAt(long nanoTime) {
        return (int) ((nanoTime - measureFrom) / NANOS_PER_SECOND);
    }

    private static long micros(long nanos) {
        return Math.max(0, nanos / NANOS_PER_MICRO);
    }

    /** Closes the second that is over. */
    private void roll(long now) {
        int current = secondAt(now);
        if (current <= second) return;
        close();
        second = current;
    }

    private void close() {
        if (startedInSecond + endedInSecond + errorsInSecond + ackOfSecond.getTotalCount() == 0) return;
        series.add(new Measurements.Second(
                second,
                startedInSecond,
                endedInSecond,
                errorsInSecond,
                Latency.of(ackOfSecond),
                Latency.of(sagaOfSecond)));
        ack.add(ackOfSecond);
        saga.add(sagaOfSecond);
        ackOfSecond.reset();
        sagaOfSecond.reset();
        startedInSecond = 0;
        endedInSecond = 0;
        errorsInSecond = 0;
    }

    Interval interval() {
        return new Interval(measured.counts(), other.counts(), errors, sagaOfSecond.copy());
    }

    /** @param clock what the nanoseconds are as an hour of the day */
    Measurements measurements(WallClock clock) {
        close();
        return new Measurements(
                measured.counts(),
                Latency.of(ack),
                Latency.of(saga),
                Latency.of(sagaUncorrected),
                series,
                firstBegin == Long.MAX_VALUE ? null : clock.at(firstBegin),
                lastTerminal == Long.MIN_VALUE ? null : clock.at(lastTerminal),
                errors,
                0);
    }
}
