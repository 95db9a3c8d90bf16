package io.alphaomega.benchmark.load;

import io.alphaomega.benchmark.measure.Progress;
import io.alphaomega.benchmark.measure.Verification;
import io.alphaomega.benchmark.plan.LoadPlan;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.function.Consumer;

/**
 * What an alpha does that was killed while many sagas were open, and started again: their initiators are gone, so each is
 * aborted at its deadline, and all its branches are compensated.
 */
public final class Recovery implements AutoCloseable {
    private static final Duration SHOW_EVERY = Duration.ofSeconds(1);

    private final Load load;
    private final LoadPlan plan;
    private final Clock clock;
    private final Instant overdueAt;

    private Recovery(Load load, LoadPlan plan, Clock clock, Instant overdueAt) {
        this.load = load;
        this.plan = plan;
        this.clock = clock;
        this.overdueAt = overdueAt;
    }

    /**
     * What came of it.
     *
     * @param left sagas that were open when alpha was killed
     * @param drained of them, those with all branches compensated
     * @param toFirst from the moment alpha took a stream again to the first compensation
     * @param toLast from that moment to the last one
     */
    public record Result(long left, long drained, Duration toFirst, Duration toLast) {
        /** Sagas per second, from the first compensation to the last. */
        public double perSecond() {
            double seconds = toLast.minus(toFirst).toNanos() / 1e9;
            return seconds > 0 ? drained / seconds : 0;
        }
    }

    /**
     * Leaves as many sagas open as the plan keeps open, each with all its branches ended.
     *
     * @param timeout of each saga
     */
    public static Recovery leave(LoadPlan plan, Duration timeout, Clock clock, Progress progress) {
        Load load = Load.leaving(plan, timeout, clock, progress);
        return new Recovery(load, plan, clock, clock.instant().plus(timeout));
    }

    /** When the last of them is overdue. */
    public Instant overdueAt() {
        return overdueAt;
    }

    /** Whether it is over for all of them by now. */
    public boolean isOverdue() {
        return clock.instant().isAfter(overdueAt);
    }

    /** Whether a stream to an alpha is open. */
    public boolean isServed() {
        return load.crew().lanes().stream().anyMatch(lane -> Load.ask(lane, lane::isUp));
    }

    /**
     * Waits until all are drained, from now on, which is when alpha serves again.
     *
     * @param within then it gives up
     * @param shown is told each second how many are drained
     */
    public Result drain(Duration within, Consumer<Long> shown) {
        long began = System.nanoTime();
        long showAt = began + SHOW_EVERY.toNanos();
        AbandonedSagas.Standing standing = standing();
        while (standing.drained() < plan.amount().keptOpen() && System.nanoTime() - began < within.toNanos()) {
            OutcomeInquiry.pause();
            standing = standing();
            if (System.nanoTime() < showAt) continue;
            showAt += SHOW_EVERY.toNanos();
            shown.accept(standing.drained());
        }
        boolean none = standing.drained() == 0;
        return new Result(
                plan.amount().keptOpen(),
                standing.drained(),
                none ? Duration.ZERO : Duration.ofNanos(standing.firstCall() - began),
                none ? Duration.ZERO : Duration.ofNanos(standing.lastEnd() - began));
    }

    private AbandonedSagas.Standing standing() {
        AbandonedSagas.Standing all = AbandonedSagas.Standing.NONE;
        for (LoadLane lane : load.crew().lanes()) {
            all = all.plus(Load.ask(
                    lane,
                    () -> lane.sagas().draining().map(AbandonedSagas::standing).orElse(AbandonedSagas.Standing.NONE)));
        }
        return all;
    }

    /** Whether alpha says the same. */
    public Verification verify() {
        return load.verify(true);
    }

    @Override
    public void close() {
        load.close();
    }
}
