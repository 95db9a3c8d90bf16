package io.alphaomega.benchmark.load;

import io.alphaomega.benchmark.measure.Measurements;
import io.alphaomega.benchmark.measure.Outage;
import io.alphaomega.benchmark.measure.Verification;
import io.alphaomega.benchmark.plan.LoadPlan;
import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/** A load that goes on until it is told to stop, and is watched while alphas come and go. */
public final class ContinuousLoad implements AutoCloseable {
    /** Nobody watches for longer. */
    private static final Duration MOST = Duration.ofHours(24);

    private final Load load;
    private final LoadLane lane;
    private final CompletableFuture<Measurements> measurements = new CompletableFuture<>();

    private ContinuousLoad(Load load) {
        this.load = load;
        this.lane = load.crew().lanes().getFirst();
    }

    /**
     * Connects and begins.
     *
     * @param plan how much it is counts for nothing, but for the warm-up
     * @throws Load.UnreachableException if no alpha answers
     */
    public static ContinuousLoad begin(LoadPlan plan) {
        LoadPlan.Amount amount = new LoadPlan.Amount(0, MOST, plan.amount().warmup(), 0);
        ContinuousLoad begun = new ContinuousLoad(Load.onOneLane(plan.with(amount), Clock.systemUTC()));
        Thread unused = Thread.ofVirtual().start(() -> {
            try {
                begun.measurements.complete(begun.load.run());
            } catch (RuntimeException | Error e) {
                begun.measurements.completeExceptionally(e);
            }
        });
        return begun;
    }

    /** Whether it has ended by itself: no alpha could be reached for a minute. */
    public boolean isOver() {
        return measurements.isDone();
    }

    /**
     * From now on.
     *
     * @return which second of the measurement this is
     */
    public int watch() {
        return Load.ask(lane, () -> {
            long now = System.nanoTime();
            lane.continuity().watch(now);
            return lane.sagas().recorder().secondAt(now);
        });
    }

    /** What was seen since {@link #watch}. */
    public Outage outage() {
        return Load.ask(lane, () -> lane.sagas().outage(System.nanoTime()));
    }

    /** Which second of the measurement it is. */
    public int second() {
        return Load.ask(lane, () -> lane.sagas().recorder().secondAt(System.nanoTime()));
    }

    /** Begins no further saga and waits for those that are under way. */
    public Measurements end() {
        lane.stop();
        return measurements.join();
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
