package io.alphaomega.server.bulk;

import io.alphaomega.saga.Operator;
import io.alphaomega.saga.Stuck;
import io.alphaomega.saga.Suspension;
import io.alphaomega.server.sweep.StuckSaga;
import io.alphaomega.server.sweep.StuckSagas;
import io.alphaomega.server.wire.WireAnswers;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;

/**
 * The order to retry every saga that was stuck for a reason, and perhaps because of a service, when the order was given.
 * Which sagas these are follows from the order itself, because what is retried is stuck since later, if it is again: so
 * any node can go on with it.
 *
 * @param id by which it is asked for and cancelled
 * @param service whose people must act; empty for all
 * @param at when it was given: what got stuck later is not meant
 * @param perSecond how many sagas are retried in a second, 1 to {@value #PER_SECOND_MAX}
 */
public record BulkRetry(
        String id,
        Operator operator,
        Stuck.Reason reason,
        Optional<String> service,
        Instant at,
        int perSecond,
        boolean cancelled) {
    /** Each is a few appends and a callback: a service that has just come back should not be knocked over. */
    public static final int PER_SECOND_MAX = 1_000;

    public static final int PER_SECOND_DEFAULT = 50;

    public BulkRetry {
        if (perSecond < 1 || perSecond > PER_SECOND_MAX) {
            throw new IllegalArgumentException(
                    "perSecond must be 1 to %d but was %d".formatted(PER_SECOND_MAX, perSecond));
        }
    }

    /** Suspended for these, a saga has no callback that could be asked for again. */
    private static final Set<String> NOTHING_TO_RETRY =
            Set.of(Suspension.Reason.BRANCH_END_UNKNOWN.name(), WireAnswers.JOURNAL_UNREADABLE);

    /** Whether there is anything to retry of sagas that are stuck so. */
    public static boolean mayBeRetried(StuckSagas.Kind kind) {
        return kind.reason() != Stuck.Reason.OVERDUE && !NOTHING_TO_RETRY.contains(kind.detail());
    }

    /** Whether the saga is one of those that are meant. */
    public boolean means(StuckSaga saga) {
        return saga.stuck().reason() == reason
                && saga.stuck().since().isBefore(at)
                && service.map(saga.stuck().service()::equals).orElse(true)
                && mayBeRetried(StuckSagas.Kind.of(saga));
    }

    /** The same, to be carried out no further. */
    public BulkRetry cancel() {
        return new BulkRetry(id, operator, reason, service, at, perSecond, true);
    }
}
