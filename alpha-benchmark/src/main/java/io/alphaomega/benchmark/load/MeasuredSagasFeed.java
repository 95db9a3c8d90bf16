package io.alphaomega.benchmark.load;

import io.alphaomega.benchmark.plan.LoadPlan;
import io.alphaomega.benchmark.plan.Pacer;

/** The sagas of the run: a warm-up, then those that are measured. */
final class MeasuredSagasFeed implements SagaFeed {
    private final LoadAssignment crew;
    private final int lane;
    private final boolean openLoop;
    private final Pacer warming;
    private final Pacer measuring;
    private final long startAt;
    private final long measureFrom;

    /** When no saga begins any more; {@link #NONE} where the number says so. */
    private final long endAt;

    private final long sagas;
    private long place;
    private boolean measured;

    /** Sagas begun in this phase. */
    private long begun;

    /** @param plan the lane's share */
    MeasuredSagasFeed(LoadAssignment crew, int lane, LoadPlan plan, long startAt) {
        this.crew = crew;
        this.lane = lane;
        this.openLoop = plan.pace().isOpenLoop();
        this.startAt = startAt;
        this.measureFrom = startAt + plan.amount().warmup().toNanos();
        long duration = plan.amount().duration().toNanos();
        this.endAt = duration > 0 ? measureFrom + duration : NONE;
        this.sagas = plan.amount().sagas();
        this.warming = Pacer.beforeClimb(plan.pace());
        this.measuring = new Pacer(plan.pace(), duration / 1e9);
        this.place = crew.kept(lane);
    }

    @Override
    public int limit(long now) {
        return now < measureFrom ? warming.concurrencyAt(now - startAt) : measuring.concurrencyAt(now - measureFrom);
    }

    @Override
    public long dueAt(long now) {
        if (now < startAt) return startAt;
        if (now < measureFrom) {
            return openLoop ? Math.min(measureFrom, startAt + warming.dueAt(begun)) : now;
        }
        if (!measured) {
            measured = true;
            begun = 0;
        }
        boolean over = now >= endAt || (endAt == NONE && begun >= sagas);
        if (over || !openLoop) return over ? NONE : now;
        long due = measureFrom + measuring.dueAt(begun);
        return due >= endAt ? NONE : due;
    }

    @Override
    public SimulatedSaga next(long now) {
        long phaseFrom = measured ? measureFrom : startAt;
        long intended = openLoop ? phaseFrom + (measured ? measuring : warming).dueAt(begun) : now;
        begun++;
        long ordinal = place++ * crew.laneCount() + lane;
        boolean aborts = crew.aborts(ordinal);
        SimulatedSaga.Traits traits = new SimulatedSaga.Traits(
                measured ? SimulatedSaga.Role.MEASURED : SimulatedSaga.Role.WARM_UP,
                aborts,
                crew.compensationFails(ordinal));
        return new SimulatedSaga(
                ordinal,
                crew.names().saga(ordinal),
                aborts ? crew.aborting() : crew.committing(),
                traits,
                intended,
                now);
    }
}
