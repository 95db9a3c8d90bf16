package io.alphaomega.server.meters;

import io.micrometer.core.instrument.Timer;
import java.time.Duration;

/**
 * Timers as histograms of a few fixed buckets. Those of several nodes may be added up, unlike percentiles, and one bound
 * can be a promise: how many inputs took up to 100 ms.
 *
 * <p>A record allocates nothing and holds no lock. It takes some 100 ns, most of it for the time of day, by which Micrometer
 * lets the maximum fade; {@code TimerBenchmark} measures it. A saga of three branches whose reports do not travel makes 26,
 * and its share of those of its batches.
 */
public final class Histograms {
    /**
     * 1, 2.5, 5: any quantile is known to within a factor of 2.5. The shortest is what an append to a disk that syncs
     * quickly takes; after the longest an omega has been told to send its input again. The same for all that is part of an
     * input, so that the parts can be compared.
     */
    private static final Duration[] WAITS = {
        Duration.ofNanos(250_000),
        Duration.ofNanos(500_000),
        Duration.ofMillis(1),
        Duration.ofNanos(2_500_000),
        Duration.ofMillis(5),
        Duration.ofMillis(10),
        Duration.ofMillis(25),
        Duration.ofMillis(50),
        Duration.ofMillis(100),
        Duration.ofMillis(250),
        Duration.ofMillis(500),
        Duration.ofSeconds(1),
        Duration.ofMillis(2_500),
        Duration.ofSeconds(5),
        Duration.ofSeconds(10)
    };

    /**
     * From a saga of fast services, in whole milliseconds as sagas count, to one whose compensation a person had to see to.
     * Beyond ten seconds they are the times that people, and alpha's defaults, set: five minutes are a saga's, a day is a
     * callback's.
     */
    private static final Duration[] LIVES = {
        Duration.ofMillis(10),
        Duration.ofMillis(25),
        Duration.ofMillis(50),
        Duration.ofMillis(100),
        Duration.ofMillis(250),
        Duration.ofMillis(500),
        Duration.ofSeconds(1),
        Duration.ofMillis(2_500),
        Duration.ofSeconds(5),
        Duration.ofSeconds(10),
        Duration.ofSeconds(30),
        Duration.ofMinutes(1),
        Duration.ofMinutes(5),
        Duration.ofMinutes(15),
        Duration.ofHours(1),
        Duration.ofHours(6),
        Duration.ofDays(1),
        Duration.ofDays(7)
    };

    private Histograms() {}

    /** Of something that a caller waits for. */
    public static Timer.Builder ofWaits(String name) {
        return Timer.builder(name).serviceLevelObjectives(WAITS);
    }

    /** Of whole sagas. */
    public static Timer.Builder ofLives(String name) {
        return Timer.builder(name).serviceLevelObjectives(LIVES);
    }
}
