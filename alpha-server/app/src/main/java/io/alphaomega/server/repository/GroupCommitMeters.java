package io.alphaomega.server.repository;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.TimeGauge;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.concurrent.TimeUnit;

/**
 * What waits for the repository.
 *
 * <ul>
 *   <li>{@code alpha.repository.queue.items}, {@code alpha.repository.queue.bytes}: appends that wait for their batch
 *   <li>{@code alpha.repository.queue.wait}: how long the first of them has waited
 *   <li>{@code alpha.repository.refused}: appends that were refused because the queue was full
 * </ul>
 */
record GroupCommitMeters(GroupCommit commits) implements MeterBinder {
    @Override
    public void bindTo(MeterRegistry registry) {
        Gauge.builder("alpha.repository.queue.items", commits, GroupCommit::queuedItems)
                .description("Appends that wait for their batch")
                .register(registry);
        Gauge.builder("alpha.repository.queue.bytes", commits, GroupCommit::queuedBytes)
                .description("Bytes of the appends that wait for their batch")
                .baseUnit("bytes")
                .register(registry);
        TimeGauge.builder(
                        "alpha.repository.queue.wait",
                        commits,
                        TimeUnit.NANOSECONDS,
                        queue -> queue.longestWait().toNanos())
                .description("How long the first append in the queue has waited")
                .register(registry);
        FunctionCounter.builder("alpha.repository.refused", commits, GroupCommit::refused)
                .description("Appends refused because the queue was full")
                .register(registry);
    }
}
