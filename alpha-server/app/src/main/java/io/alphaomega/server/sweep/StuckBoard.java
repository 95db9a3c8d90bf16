package io.alphaomega.server.sweep;

import io.alphaomega.repository.SagaSummary.State;
import io.alphaomega.saga.Stuck;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.MultiGauge.Row;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.TimeGauge;
import java.time.Clock;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * What {@link StuckWatch} has found, on the node where it runs; empty on the others. Also as gauges, which only that node
 * has:
 *
 * <ul>
 *   <li>{@code alpha.sagas.open}: sagas that are not over, by {@code state}
 *   <li>{@code alpha.sagas.stuck}: sagas that are stuck, by {@code reason} and {@code service}; 0 of no service for a
 *       reason that none has
 *   <li>{@code alpha.sagas.stuck.looked}: how long ago it looked; NaN on the other nodes
 *   <li>{@code alpha.sagas.stuck.oldest}: for how long the first of them has been, 0 if none is; NaN on the other nodes
 * </ul>
 */
public final class StuckBoard {
    /** Of a service each reason is a time series: of more services than this the rest is one. */
    private static final int SERVICES_MAX = 100;

    private static final String OTHERS = "(others)";

    private final MultiGauge open;
    private final MultiGauge stuck;
    private volatile Map<Series, Integer> counts = Map.of();
    private volatile @Nullable StuckSagas latest;

    /** What the gauge tells apart. */
    private record Series(Stuck.Reason reason, String service) {}

    public StuckBoard(MeterRegistry registry, Clock clock) {
        open = MultiGauge.builder("alpha.sagas.open")
                .description("Sagas that are not over, as of the last look")
                .register(registry);
        stuck = MultiGauge.builder("alpha.sagas.stuck")
                .description("Sagas that do not come to their end by themselves, as of the last look")
                .register(registry);
        TimeGauge.builder("alpha.sagas.stuck.looked", () -> seconds(latest, clock), TimeUnit.SECONDS)
                .description("How long ago stuck sagas were looked for")
                .register(registry);
        TimeGauge.builder("alpha.sagas.stuck.oldest", () -> oldest(clock), TimeUnit.SECONDS)
                .description("For how long the saga that has been stuck for longest has been")
                .register(registry);
    }

    /** Empty on a node where the watch does not run, or has not looked yet. */
    public Optional<StuckSagas> latest() {
        return Optional.ofNullable(latest);
    }

    /** The series of a gauge that were there before stay, and read what is new: no scrape falls between two looks. */
    void write(StuckSagas now) {
        counts = counts(now);
        latest = now;
        open.register(StuckSagas.OPEN.stream()
                .map(state -> Row.of(Tags.of("state", state.name()), this, board -> board.open(state)))
                .toList());
        stuck.register(counts.keySet().stream()
                .map(series -> Row.of(
                        Tags.of("reason", series.reason().name(), "service", series.service()),
                        this,
                        board -> board.counts.getOrDefault(series, 0)))
                .toList());
    }

    private static Map<Series, Integer> counts(StuckSagas now) {
        Map<Series, Integer> counts = new HashMap<>();
        for (StuckSagas.Group group : now.groups()) {
            String service = group.kind().service();
            Series own = new Series(group.kind().reason(), service);
            boolean fits = counts.containsKey(own) || counts.size() < SERVICES_MAX;
            counts.merge(fits ? own : new Series(own.reason(), OTHERS), group.count(), Integer::sum);
        }
        for (Stuck.Reason reason : Stuck.Reason.values()) {
            if (counts.keySet().stream().noneMatch(series -> series.reason() == reason)) {
                counts.put(new Series(reason, ""), 0);
            }
        }
        return Map.copyOf(counts);
    }

    /** The watch runs here no longer. */
    void clear() {
        open.register(List.of());
        stuck.register(List.of());
        latest = null;
        counts = Map.of();
    }

    private double open(State state) {
        StuckSagas now = latest;
        return now == null ? Double.NaN : now.open().in(state);
    }

    private static double seconds(@Nullable StuckSagas found, Clock clock) {
        return found == null
                ? Double.NaN
                : Duration.between(found.asOf(), clock.instant()).toMillis() / 1_000.0;
    }

    private double oldest(Clock clock) {
        StuckSagas now = latest;
        if (now == null) return Double.NaN;
        if (now.sagas().isEmpty()) return 0;
        return Duration.between(now.sagas().getFirst().stuck().since(), clock.instant())
                        .toMillis()
                / 1_000.0;
    }
}
