package io.alphaomega.benchmark.load;

import io.alphaomega.benchmark.load.SagaOutcomes.Outcome;
import io.alphaomega.benchmark.plan.SagaScript;

/** The sagas that are kept open: begun before everything else, or ended after it. */
final class OpenSagasFeed implements SagaFeed {
    private static final SimulatedSaga.Traits STAYS = new SimulatedSaga.Traits(SimulatedSaga.Role.OPENS, false, false);
    private static final SimulatedSaga.Traits ENDS = new SimulatedSaga.Traits(SimulatedSaga.Role.CLOSES, false, false);

    private final LoadAssignment crew;
    private final int lane;
    private final int limit;
    private final SagaOutcomes outcomes;
    private final boolean ending;
    private final SagaScript script;
    private long place;

    private OpenSagasFeed(LoadAssignment crew, int lane, int limit, SagaOutcomes outcomes, boolean ending) {
        this.crew = crew;
        this.lane = lane;
        this.limit = limit;
        this.outcomes = outcomes;
        this.ending = ending;
        this.script = ending ? SagaScript.closing() : crew.opening();
    }

    /** @param limit sagas at a time */
    static OpenSagasFeed beginning(LoadAssignment crew, int lane, int limit, SagaOutcomes outcomes) {
        return new OpenSagasFeed(crew, lane, limit, outcomes, false);
    }

    static OpenSagasFeed ending(LoadAssignment crew, int lane, int limit, SagaOutcomes outcomes) {
        return new OpenSagasFeed(crew, lane, limit, outcomes, true);
    }

    @Override
    public int limit(long now) {
        return limit;
    }

    @Override
    public long dueAt(long now) {
        // One that is not open any more, against all expectations, is in the books as something else.
        while (ending && place < crew.kept(lane) && outcomes.get(place) != Outcome.KEPT_OPEN) place++;
        return place < crew.kept(lane) ? now : NONE;
    }

    @Override
    public SimulatedSaga next(long now) {
        long ordinal = place++ * crew.laneCount() + lane;
        SimulatedSaga saga =
                new SimulatedSaga(ordinal, crew.names().saga(ordinal), script, ending ? ENDS : STAYS, now, now);
        if (ending) {
            saga.reported.set(0);
            saga.ended.set(0);
        }
        return saga;
    }
}
