package io.alphaomega.server.insight;

import io.alphaomega.repository.SagaCounts;
import io.alphaomega.server.bulk.BulkTask;
import io.alphaomega.server.sweep.StuckSaga;
import io.alphaomega.server.sweep.StuckSagas;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * The sagas that are stuck, as they were looked at last.
 *
 * @param stale whether nobody knows by now what is stuck: everything else is as it was then
 * @param more whether there are others that were not looked at
 * @param open how many sagas are in each state that is not the end
 * @param oldestOpen about when the oldest of them began, see {@link StuckSagas}
 * @param count of those that are stuck
 * @param groups the one that has been stuck for longest first
 * @param sagas those that were asked for, in the same order
 * @param weight of the task that was asked about, if one was
 * @param waiting those that wait for a service of which no instance is connected, and are not stuck yet, by service
 * @param unread how many are decided, were changing, and are read at the next look
 */
public record StuckView(
        Instant asOf,
        boolean stale,
        boolean more,
        SagaCounts open,
        Optional<Instant> oldestOpen,
        long count,
        List<StuckSagas.Group> groups,
        List<StuckSaga> sagas,
        Optional<Weight> weight,
        List<StuckSagas.Group> waiting,
        int unread) {

    /**
     * What a task would be for.
     *
     * @param meant how many sagas it means
     * @param unfit how many are chosen, but cannot be dealt with like that
     */
    public record Weight(long meant, long unfit) {
        private static Weight of(BulkTask.OfStuck task, List<StuckSaga> sagas) {
            long chosen = sagas.stream()
                    .filter(saga -> task.chosen().has(saga.stuck()))
                    .count();
            long meant = sagas.stream().filter(task::means).count();
            return new Weight(meant, chosen - meant);
        }
    }

    /** How many sagas wait for a service of which no instance is connected, and are not stuck yet. */
    public long waitingCount() {
        return waiting.stream().mapToLong(StuckSagas.Group::count).sum();
    }

    static StuckView of(StuckSagas all, boolean stale, StuckFilter filter) {
        return new StuckView(
                all.asOf(),
                stale,
                all.more(),
                all.open(),
                all.oldestOpen(),
                all.sagas().size(),
                all.groups(),
                all.sagas().stream()
                        .filter(filter::matches)
                        .limit(filter.limit())
                        .toList(),
                filter.task().map(task -> Weight.of(task, all.sagas())),
                all.inFlight().waiting(),
                all.inFlight().unread());
    }
}
