package io.alphaomega.server.search;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.TimeGauge;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * How far this node is with telling the index.
 *
 * <ul>
 *   <li>{@code alpha.search.pending}: sagas that changed and are not told; {@code alpha.search.lag}: for how long
 *   <li>{@code alpha.search.put}: sagas told; {@code alpha.search.caught.up}: sagas read from the journal to be told;
 *       {@code alpha.search.failures}: tries that failed
 *   <li>{@code alpha.search.last.success}: how long ago something was told; NaN if nothing was since the start
 * </ul>
 */
final class SearchMetrics {
    private final Counter put;
    private final Counter caughtUp;
    private final Counter failures;
    private final PendingSummaries pending;
    private final Clock clock;
    private volatile @Nullable Instant lastPut;
    private volatile @Nullable String awayBecause;

    SearchMetrics(MeterRegistry registry, PendingSummaries pending, Clock clock) {
        this.pending = pending;
        this.clock = clock;
        Gauge.builder("alpha.search.pending", pending, PendingSummaries::size)
                .description("Sagas that changed and are not in the search index yet")
                .register(registry);
        TimeGauge.builder("alpha.search.lag", () -> lag().toMillis() / 1_000.0, TimeUnit.SECONDS)
                .description("For how long the first of them has not been")
                .register(registry);
        TimeGauge.builder("alpha.search.last.success", this::sinceLastPut, TimeUnit.SECONDS)
                .description("How long ago the search index was told something")
                .register(registry);
        put = counter(registry, "alpha.search.put", "Sagas told to the search index");
        caughtUp = counter(registry, "alpha.search.caught.up", "Sagas read from the journal for the search index");
        failures = counter(registry, "alpha.search.failures", "Tries to tell the search index that failed");
    }

    private static Counter counter(MeterRegistry registry, String name, String description) {
        return Counter.builder(name).description(description).register(registry);
    }

    private double sinceLastPut() {
        Instant last = lastPut;
        return last == null
                ? Double.NaN
                : Duration.between(last, clock.instant()).toMillis() / 1_000.0;
    }

    Duration lag() {
        Instant now = clock.instant();
        return Duration.between(pending.completeUpTo(now), now);
    }

    int pending() {
        return pending.size();
    }

    void put(int count, Instant at) {
        put.increment(count);
        lastPut = at;
    }

    void caughtUp(long count) {
        caughtUp.increment((double) count);
    }

    void failed() {
        failures.increment();
    }

    void away(String because) {
        awayBecause = because;
    }

    void back() {
        awayBecause = null;
    }

    /** Why the index cannot be told, if it cannot. */
    Optional<String> awayBecause() {
        return Optional.ofNullable(awayBecause);
    }
}
