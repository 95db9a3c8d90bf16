package io.alphaomega.server.meters;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class WaitsTest {
    static Stream<MeterRegistry> registries() {
        MeterRegistry prometheus = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        return Stream.of(prometheus, new CompositeMeterRegistry().add(prometheus), new SimpleMeterRegistry());
    }

    @ParameterizedTest
    @MethodSource("registries")
    void what_a_timer_has_recorded_is_told_by_its_bounds(MeterRegistry registry) {
        Timer timer = Histograms.ofWaits("test." + registry.getClass().getSimpleName())
                .register(registry);
        timer.record(Duration.ofNanos(700_000));
        timer.record(Duration.ofMillis(1));
        timer.record(Duration.ofMillis(7));
        Waits before = Waits.of(timer);
        timer.record(Duration.ofMillis(8));
        timer.record(Duration.ofMinutes(1));

        Waits now = Waits.of(timer);

        assertThat(now.counts())
                .containsEntry(1_000L, 2L)
                .containsEntry(10_000L, 2L)
                .containsEntry(Waits.LONGER, 1L);
        assertThat(now.counts().values().stream().mapToLong(Long::longValue).sum())
                .isEqualTo(5);
        assertThat(now.minus(before).counts())
                .containsEntry(1_000L, 0L)
                .containsEntry(10_000L, 1L)
                .containsEntry(Waits.LONGER, 1L);
    }

    @Test
    void between_bounds_it_is_interpolated() {
        Waits waits = new Waits(new TreeMap<>(Map.of(1_000L, 50L, 2_500L, 0L, 5_000L, 50L)));

        assertThat(waits.within(0.25)).contains(Duration.ofNanos(500_000));
        assertThat(waits.within(0.5)).contains(Duration.ofMillis(1));
        assertThat(waits.within(0.75)).contains(Duration.ofNanos(3_750_000));
        assertThat(waits.within(1)).contains(Duration.ofMillis(5));
    }

    @Test
    void what_took_longer_than_the_last_bound_counts_as_that() {
        Waits waits = new Waits(new TreeMap<>(Map.of(1_000L, 1L, Waits.LONGER, 9L)));

        assertThat(waits.within(0.99)).contains(Duration.ofMillis(1));
    }

    @Test
    void nothing_took_no_time_at_all() {
        assertThat(Waits.NONE.within(0.5)).isEmpty();
        assertThat(new Waits(new TreeMap<>(Map.of(1_000L, 0L))).within(0.5)).isEmpty();
    }
}
