package io.alphaomega.server.changes;

import io.alphaomega.repository.SagaSummary.State;
import io.alphaomega.server.insight.ClusterInsight;
import io.alphaomega.server.insight.Rates;
import io.alphaomega.server.insight.StuckView;
import io.alphaomega.server.meters.Waits;
import io.alphaomega.server.saga.SagaMetrics.Totals;
import io.alphaomega.server.sweep.StuckSagas;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * How it goes in the whole cluster, in numbers, as JSON.
 *
 * @param at when the nodes were asked
 * @param silent addresses of nodes that did not answer within a second: what only they know is missing
 * @param perSecond sagas per second, over the last ten seconds
 * @param acknowledged how long inputs took in the last ten seconds that wait for the store only, until they were acknowledged
 * @param stored how long appends of sagas took in the last ten seconds, the wait for their batch included
 * @param stuck what is open and what is stuck; null while nobody knows
 * @param stuckUnknownSince since when nobody could look; null while somebody can
 * @param connected services of which an instance is connected
 * @param away services of which none is, but was within the last hour, or that stuck sagas wait for
 */
record Overview(
        Instant at,
        List<String> silent,
        PerSecond perSecond,
        Within acknowledged,
        Within stored,
        @Nullable StuckNumbers stuck,
        @Nullable Instant stuckUnknownSince,
        long connected,
        long away) {
    private static final int RECENT = 10;

    /**
     * Sagas per second, as JSON.
     *
     * @param begun that began
     * @param committed that ended well
     * @param compensated that were undone
     * @param suspended that alpha has given up on, until a person acts
     */
    record PerSecond(double begun, double committed, double compensated, double suspended) {
        static PerSecond of(Rates rates) {
            return new PerSecond(
                    rates.perSecond(RECENT, Totals::begun),
                    rates.perSecond(RECENT, Totals::committed),
                    rates.perSecond(RECENT, Totals::compensated),
                    rates.perSecond(RECENT, Totals::suspended));
        }
    }

    /**
     * How long things took, in milliseconds, as JSON; known to within the bounds of a histogram.
     *
     * @param half within which half of them were done; null if there were none
     * @param nearlyAll the same of 99 %
     */
    record Within(@Nullable Double half, @Nullable Double nearlyAll) {
        static Within of(Waits waits) {
            return new Within(millis(waits, 0.5), millis(waits, 0.99));
        }

        private static @Nullable Double millis(Waits waits, double part) {
            return waits.within(part).map(time -> time.toNanos() / 1e6).orElse(null);
        }
    }

    /**
     * What is open and what is stuck, as JSON.
     *
     * @param asOf when it was looked at, which is every four seconds
     * @param open how many sagas are in each state that is not the end
     * @param oldestOpen when the oldest of them began, or one that is at most a quarter younger; null if none is older than ten
     *     seconds
     * @param count how many of them are stuck
     * @param waiting how many wait for a service of which no instance is connected, for less than a minute
     * @param more whether there are others that were not looked at
     * @param oldest since when the one has been stuck that has for longest; null if none is
     */
    record StuckNumbers(
            Instant asOf,
            Map<State, Long> open,
            @Nullable Instant oldestOpen,
            long count,
            long waiting,
            boolean more,
            @Nullable Instant oldest) {
        static StuckNumbers of(StuckView view) {
            Map<State, Long> open = new TreeMap<>(view.open().byState());
            open.keySet().retainAll(StuckSagas.OPEN);
            Instant oldest =
                    view.groups().isEmpty() ? null : view.groups().getFirst().oldest();
            return new StuckNumbers(
                    view.asOf(),
                    open,
                    view.oldestOpen().orElse(null),
                    view.count(),
                    view.waitingCount(),
                    view.more(),
                    oldest);
        }
    }

    static Overview of(Instant at, ClusterInsight insight) {
        long connected = insight.services().stream()
                .filter(ClusterInsight.Service::isConnected)
                .count();
        return new Overview(
                at,
                insight.silent(),
                PerSecond.of(insight.rates()),
                Within.of(insight.acknowledged()),
                Within.of(insight.stored()),
                insight.knownStuck().map(StuckNumbers::of).orElse(null),
                insight.stuckUnknown().orElse(null),
                connected,
                insight.services().size() - connected);
    }
}
