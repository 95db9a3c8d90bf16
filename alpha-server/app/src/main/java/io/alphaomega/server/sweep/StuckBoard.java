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
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * What {@link StuckWatch} has found, on the node where it runs; empty on the others. Also as gauges, which only that node
 * has:
 *
 * <ul>
 *   <li>{@code alpha.sagas.open}: sagas that are not over, by {@code state}
 *   <li>{@code alpha.sagas.stuck}: sagas that are stuck, by {@code reason} and {@code service}; 0 of no service for a
 *       reason that none has
 *   <li>{@code alpha.sagas.waiting}: sagas that have waited for less than a minute for a service of which no instance is
 *       connected, by {@code service}, 0 of no service if none has; they are not stuck yet
 *   <li>{@code alpha.sagas.stuck.looked}: how long ago it looked; NaN on the other nodes
 *   <li>{@code alpha.sagas.stuck.oldest}: for how long the first of them has been, 0 if none is; NaN on the other nodes
 * </ul>
 *
 * While nobody can look, a number that was above 0 stays, so that no alert of it is taken back, and one that was 0 is NaN.
 */
public final class StuckBoard {
    /** Of a service each reason is a time series: of more services than this the rest is one. */
    private static final int SERVICES_MAX = 100;

    private static final String OTHERS = "(others)";

    private final MultiGauge open;
    private final MultiGauge stuck;
    private final MultiGauge waiting;
    private final Clock clock;
    private final BooleanSupplier storeAway;
    private volatile Map<Series, Integer> counts = Map.of();
    private volatile @Nullable Look latest;

    /** @param goodFor how long it tells what is stuck */
    private record Look(StuckSagas found, Duration goodFor) {}

    /** What the gauge tells apart. */
    private record Series(Stuck.Reason reason, String service) {}

    /** @param storeAway whether nobody can look */
    public StuckBoard(MeterRegistry registry, Clock clock, BooleanSupplier storeAway) {
        this.clock = clock;
        this.storeAway = storeAway;
        open = MultiGauge.builder("alpha.sagas.open")
                .description("Sagas that are not over, as of the last look")
                .register(registry);
        stuck = MultiGauge.builder("alpha.sagas.stuck")
                .description("Sagas that do not come to their end by themselves, as of the last look")
                .register(registry);
        waiting = MultiGauge.builder("alpha.sagas.waiting")
                .description("Sagas that wait for a service of which no instance is connected, for less than a minute")
                .register(registry);
        TimeGauge.builder("alpha.sagas.stuck.looked", this::looked, TimeUnit.SECONDS)
                .description("How long ago stuck sagas were looked for")
                .register(registry);
        TimeGauge.builder("alpha.sagas.stuck.oldest", this::oldest, TimeUnit.SECONDS)
                .description("For how long the saga that has been stuck for longest has been")
                .register(registry);
    }

    /** Empty on a node where the watch does not run, or has not looked yet. */
    public Optional<StuckSagas> latest() {
        Look look = latest;
        return Optional.ofNullable(look).map(Look::found);
    }

    /** Whether nobody knows by now what is stuck, whatever the last look has shown. */
    public boolean isStale() {
        Look look = latest;
        if (look == null || storeAway.getAsBoolean()) return true;
        return Duration.between(look.found().asOf(), clock.instant()).compareTo(look.goodFor()) > 0;
    }

    /**
     * The series of a gauge that were there before stay, and read what is new: no scrape falls between two looks.
     *
     * @param goodFor how long it tells what is stuck: the next look should be there by then
     */
    void write(StuckSagas now, Duration goodFor) {
        counts = counts(now);
        latest = new Look(now, goodFor);
        open.register(StuckSagas.OPEN.stream()
                .map(state -> Row.of(Tags.of("state", state.name()), this, board -> board.open(state)))
                .toList());
        stuck.register(counts.keySet().stream()
                .map(series -> Row.of(
                        Tags.of("reason", series.reason().name(), "service", series.service()),
                        this,
                        board -> board.known(board.counts.getOrDefault(series, 0))))
                .toList());
        List<String> awaited = now.inFlight().waiting().stream()
                .map(group -> group.kind().service())
                .limit(SERVICES_MAX)
                .toList();
        waiting.register((awaited.isEmpty() ? List.of("") : awaited)
                .stream()
                        .map(service -> Row.of(Tags.of("service", service), this, board -> board.waiting(service)))
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
        waiting.register(List.of());
        latest = null;
        counts = Map.of();
    }

    private double open(State state) {
        return latest().map(now -> known(now.open().in(state))).orElse(Double.NaN);
    }

    private double waiting(String service) {
        return latest().map(now -> known(now.inFlight().waiting().stream()
                        .filter(group -> group.kind().service().equals(service))
                        .mapToLong(StuckSagas.Group::count)
                        .sum()))
                .orElse(Double.NaN);
    }

    private double known(long number) {
        return number == 0 && isStale() ? Double.NaN : (double) number;
    }

    private double looked() {
        return latest().map(now -> secondsSince(now.asOf())).orElse(Double.NaN);
    }

    private double oldest() {
        return latest().map(now -> now.sagas().isEmpty()
                        ? known(0)
                        : secondsSince(now.sagas().getFirst().stuck().since()))
                .orElse(Double.NaN);
    }

    private double secondsSince(Instant then) {
        return Duration.between(then, clock.instant()).toMillis() / 1_000.0;
    }
}
