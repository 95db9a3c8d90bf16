package io.alphaomega.server.insight;

import io.alphaomega.saga.Stuck;
import io.alphaomega.server.bulk.BulkTask;
import io.alphaomega.server.sweep.StuckSaga;
import java.util.Optional;

/**
 * Which of the stuck sagas are wanted one by one. What is empty does not matter.
 *
 * @param service whose people must act
 * @param task by which they are meant: then it is weighed, too
 * @param limit 0 to {@value #LIMIT_MAX}
 */
public record StuckFilter(
        Optional<Stuck.Reason> reason, Optional<String> service, Optional<BulkTask.OfStuck> task, int limit) {
    /** Whoever wants to see more of them than this looks for them by their state and service. */
    public static final int LIMIT_MAX = 100;

    /** Only their numbers. */
    public static final StuckFilter NONE = new StuckFilter(Optional.empty(), Optional.empty(), Optional.empty(), 0);

    public StuckFilter {
        if (limit < 0 || limit > LIMIT_MAX) {
            throw new IllegalArgumentException("limit must be 0 to %d but was %d".formatted(LIMIT_MAX, limit));
        }
    }

    boolean matches(StuckSaga saga) {
        return reason.map(wanted -> saga.stuck().reason() == wanted).orElse(true)
                && service.map(saga.stuck().service()::equals).orElse(true)
                && task.map(wanted -> wanted.means(saga)).orElse(true);
    }
}
