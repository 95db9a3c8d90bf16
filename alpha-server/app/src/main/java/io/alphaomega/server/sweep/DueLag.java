package io.alphaomega.server.sweep;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.TimeGauge;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * How far the scanner is behind: {@code alpha.saga.due.lag}. All sagas that were due that long ago have been told so; it
 * grows while the store cannot be asked, or has more that is due than the cluster can look at. NaN on a node without the
 * scanner.
 */
public final class DueLag {
    private final Clock clock;
    private volatile @Nullable Instant reached;

    public DueLag(MeterRegistry registry, Clock clock) {
        this.clock = clock;
        TimeGauge.builder("alpha.saga.due.lag", this, TimeUnit.SECONDS, DueLag::seconds)
                .description("How long ago all sagas that were due then had been woken; NaN where no scan runs")
                .register(registry);
    }

    private double seconds() {
        Instant now = reached;
        return now == null ? Double.NaN : Duration.between(now, clock.instant()).toMillis() / 1_000.0;
    }

    /** A pass has found all that was due at {@code until}; or nobody knows yet, and looks from there on. */
    void reached(Instant until) {
        reached = until;
    }

    /** Another node scans from now on. */
    void over() {
        reached = null;
    }
}
