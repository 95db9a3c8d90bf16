package io.alphaomega.server.insight;

import io.alphaomega.repository.SagaCounts;
import io.alphaomega.server.sweep.StuckSaga;
import io.alphaomega.server.sweep.StuckSagas;
import java.time.Instant;
import java.util.List;

/**
 * The sagas that are stuck, as they were looked at last.
 *
 * @param more whether there are others that were not looked at
 * @param open how many sagas are in each state that is not the end
 * @param count of those that are stuck
 * @param groups the one that has been stuck for longest first
 * @param sagas those that were asked for, in the same order
 */
public record StuckView(
        Instant asOf, boolean more, SagaCounts open, long count, List<StuckSagas.Group> groups, List<StuckSaga> sagas) {
    static StuckView of(StuckSagas all, StuckFilter filter) {
        return new StuckView(
                all.asOf(),
                all.more(),
                all.open(),
                all.sagas().size(),
                all.groups(),
                all.sagas().stream()
                        .filter(filter::matches)
                        .limit(filter.limit())
                        .toList());
    }
}
