package io.alphaomega.server.console;

import io.alphaomega.repository.SagaSummary.State;
import io.alphaomega.server.insight.ClusterInsight;
import io.alphaomega.server.insight.StuckView;
import io.alphaomega.server.meters.Waits;
import io.alphaomega.server.node.Nodes;
import io.alphaomega.server.saga.SagaMetrics.Totals;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * How it goes.
 *
 * @param store a sentence about the store if something is the matter with it; empty otherwise
 * @param isNew whether no service has come and no saga has begun
 */
record OverviewPage(
        Instant now,
        ClusterInsight insight,
        List<Nodes.Node> nodes,
        String repository,
        String store,
        RateChart chart,
        boolean isNew) {
    private static final int RECENT = 10;

    String begunRate() {
        return Words.rate(insight.rates().perSecond(RECENT, Totals::begun));
    }

    String committedRate() {
        return Words.rate(insight.rates().perSecond(RECENT, Totals::committed));
    }

    String compensatedRate() {
        return Words.rate(insight.rates().perSecond(RECENT, Totals::compensated));
    }

    /** How long half of the inputs took until they were acknowledged, in milliseconds; a dash if there were none. */
    String acknowledged() {
        return millis(insight.acknowledged(), 0.5);
    }

    String acknowledgedNearlyAll() {
        return millis(insight.acknowledged(), 0.99);
    }

    /** The same of what the store has to do of that, the wait for a batch included. */
    String storedNearlyAll() {
        return millis(insight.stored(), 0.99);
    }

    boolean isTimed() {
        return insight.acknowledged().within(0.5).isPresent();
    }

    private static String millis(Waits waits, double part) {
        return waits.within(part).map(time -> Words.rate(time.toNanos() / 1e6)).orElse("–");
    }

    /** Empty if nobody knows. */
    Optional<StuckView> stuck() {
        return insight.knownStuck();
    }

    /** Since when nobody could look at sagas; empty if somebody has. */
    Optional<Instant> unknown() {
        return insight.stuckUnknown();
    }

    long open(State state) {
        return stuck().map(view -> view.open().in(state)).orElse(0L);
    }

    /** A dash if nobody knows. */
    String openCount() {
        return stuck().isEmpty()
                ? "–"
                : Words.number(
                        open(State.ACTIVE) + open(State.CONFIRMING) + open(State.COMPENSATING) + open(State.SUSPENDED));
    }

    long waiting() {
        return stuck().map(StuckView::waitingCount).orElse(0L);
    }

    Optional<Instant> oldestOpen() {
        return stuck().flatMap(StuckView::oldestOpen);
    }

    Optional<Instant> oldest() {
        return stuck().flatMap(view -> view.groups().stream().findFirst()).map(group -> group.oldest());
    }

    long streams() {
        return nodes.stream()
                .flatMap(node -> node.report().stream())
                .mapToLong(report -> report.streams())
                .sum();
    }

    long nodesUp() {
        return nodes.stream()
                .filter(node -> node.status() == Nodes.Status.UP && node.reachable())
                .count();
    }

    long connected() {
        return insight.services().stream()
                .filter(ClusterInsight.Service::isConnected)
                .count();
    }

    long missing() {
        return insight.services().stream()
                .filter(service -> !service.isConnected())
                .count();
    }
}
