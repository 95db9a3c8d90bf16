package io.alphaomega.server.sweep;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.TimeGauge;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * What {@link Retention} has deleted on this node, by {@code what}.
 *
 * <ul>
 *   <li>{@code alpha.retention.deleted}: so many; {@code alpha.retention.failures}: runs that broke off
 *   <li>{@code alpha.retention.last.run}: how long ago the last run that left nothing behind began
 *   <li>{@code alpha.retention.oldest}: how long ago the oldest of what is still stored can have ended; it grows beyond
 *       what is configured while runs fail
 * </ul>
 *
 * <p>The two ages are NaN on a node that has not run since its start, as all but one in a cluster.
 */
final class RetentionMetrics {
    private record Done(Instant begun, Duration keep) {}

    private final Map<String, Counter> deleted = new HashMap<>();
    private final Map<String, Counter> failures = new HashMap<>();
    private final Map<String, Done> done = new ConcurrentHashMap<>();

    RetentionMetrics(MeterRegistry registry, Clock clock, List<Retention.Task> tasks) {
        for (Retention.Task task : tasks) {
            String what = task.what();
            deleted.put(
                    what,
                    Counter.builder("alpha.retention.deleted")
                            .description("What was deleted because it was old")
                            .tag("what", what)
                            .register(registry));
            failures.put(
                    what,
                    Counter.builder("alpha.retention.failures")
                            .description("Runs that broke off")
                            .tag("what", what)
                            .register(registry));
            TimeGauge.builder("alpha.retention.last.run", () -> seconds(sinceLast(what, clock)), TimeUnit.SECONDS)
                    .description("Time since the begin of the last complete run")
                    .tag("what", what)
                    .register(registry);
            TimeGauge.builder("alpha.retention.oldest", () -> seconds(oldest(what, clock)), TimeUnit.SECONDS)
                    .description("How long ago the oldest of what is stored can have ended")
                    .tag("what", what)
                    .register(registry);
        }
    }

    void deleted(Retention.Task task, int count) {
        counter(deleted, task).increment(count);
    }

    void failed(Retention.Task task) {
        counter(failures, task).increment();
    }

    /** Nothing is left that ended earlier than {@code begun} less what is kept. */
    void done(Retention.Task task, Instant begun) {
        done.put(task.what(), new Done(begun, task.keep()));
    }

    private static Counter counter(Map<String, Counter> counters, Retention.Task task) {
        Counter counter = counters.get(task.what());
        if (counter == null) throw new IllegalArgumentException("nothing is known of " + task.what());
        return counter;
    }

    private @Nullable Duration sinceLast(String what, Clock clock) {
        Done last = done.get(what);
        return last == null ? null : Duration.between(last.begun(), clock.instant());
    }

    private @Nullable Duration oldest(String what, Clock clock) {
        Done last = done.get(what);
        return last == null ? null : Duration.between(last.begun().minus(last.keep()), clock.instant());
    }

    private static double seconds(@Nullable Duration duration) {
        return duration == null ? Double.NaN : duration.toMillis() / 1_000.0;
    }
}
