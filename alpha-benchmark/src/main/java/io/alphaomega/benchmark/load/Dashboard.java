package io.alphaomega.benchmark.load;

import io.alphaomega.benchmark.measure.Latency;
import io.alphaomega.benchmark.measure.OutcomeCounts;
import io.alphaomega.benchmark.measure.Progress;
import io.alphaomega.benchmark.measure.Progress.Phase;
import io.alphaomega.benchmark.plan.LoadPlan;
import java.time.Duration;
import org.HdrHistogram.Histogram;

/** Puts together what the lanes say, for whoever looks on. It belongs to the thread that drives the load. */
final class Dashboard {
    private static final double NANOS_PER_SECOND = 1e9;
    private static final double MICROS_PER_MILLI = 1_000;

    private final LoadPlan plan;
    private final LoadAssignment crew;
    private final Progress progress;
    private Phase phase = Phase.CONNECTING;
    private long phaseBegan;
    private long phaseNanos;
    private long shownAt;
    private long endedBefore;

    Dashboard(LoadPlan plan, LoadAssignment crew, Progress progress) {
        this.plan = plan;
        this.crew = crew;
        this.progress = progress;
    }

    /** @param nanos how long it takes; 0 if that depends */
    void enter(Phase next, long began, long nanos) {
        phase = next;
        phaseBegan = began;
        phaseNanos = nanos;
        shownAt = began;
        endedBefore = 0;
        progress.entered(next);
    }

    void refresh() {
        OutcomeCounts measured = OutcomeCounts.NONE;
        OutcomeCounts other = OutcomeCounts.NONE;
        long open = 0;
        long errors = 0;
        Histogram sagas = new Histogram(Latency.DIGITS);
        for (LoadLane lane : crew.lanes()) {
            LaneRecorder.Interval interval =
                    Load.ask(lane, () -> lane.sagas().recorder().interval());
            open += Load.ask(lane, () -> lane.sagas().size());
            measured = measured.plus(interval.measured());
            other = other.plus(interval.other());
            errors += interval.errors();
            sagas.add(interval.saga());
        }
        long now = System.nanoTime();
        OutcomeCounts counts = phase.compareTo(Phase.MEASURING) < 0 ? other : measured;
        long ended = phase == Phase.OPENING ? counts.started() : counts.ended();
        double seconds = (now - shownAt) / NANOS_PER_SECOND;
        double rate = seconds > 0 && shownAt > phaseBegan ? Math.max(0, ended - endedBefore) / seconds : 0;
        shownAt = now;
        endedBefore = ended;
        progress.show(new Progress.Snapshot(
                phase,
                Duration.ofNanos(Math.max(0, now - phaseBegan)),
                share(counts, now),
                plan.amount().sagas(),
                counts,
                open,
                errors,
                rate,
                sagas.getValueAtPercentile(50) / MICROS_PER_MILLI,
                sagas.getValueAtPercentile(99) / MICROS_PER_MILLI));
    }

    private double share(OutcomeCounts counts, long now) {
        if (phase == Phase.OPENING) {
            return (double) counts.started() / plan.amount().keptOpen();
        }
        if (phaseNanos > 0) return Math.clamp((double) (now - phaseBegan) / phaseNanos, 0, 1);
        if (phase != Phase.MEASURING) return -1;
        return Math.min(1, (double) counts.settled() / plan.amount().sagas());
    }
}
