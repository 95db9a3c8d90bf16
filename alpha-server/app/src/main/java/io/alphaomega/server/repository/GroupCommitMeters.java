package io.alphaomega.server.repository;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.TimeGauge;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;

/**
 * What waits for the repository, and what was refused for its sake.
 *
 * <ul>
 *   <li>{@code alpha.repository.queue.items}, {@code alpha.repository.queue.bytes}: appends that wait for their batch
 *   <li>{@code alpha.repository.queue.wait}: how long the first of them has waited
 *   <li>{@code alpha.repository.refused}: appends that were refused, by {@code saga} ({@code new}, {@code running}) and
 *       {@code because} ({@code full}: of the queue; {@code away}: of the store)
 *   <li>{@code alpha.repository.away}: how long the store has been away; {@code alpha.repository.outages}: how often
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
        TimeGauge.builder(
                        "alpha.repository.away",
                        commits,
                        TimeUnit.NANOSECONDS,
                        store -> store.awayFor().toNanos())
                .description("How long the store has been away; 0 while it is there")
                .register(registry);
        FunctionCounter.builder("alpha.repository.outages", commits, GroupCommit::outages)
                .description("How often the store was away")
                .register(registry);
        refused("new", "full", queue -> queue.refusedFull(true), registry);
        refused("running", "full", queue -> queue.refusedFull(false), registry);
        refused("new", "away", store -> store.refusedAway(true), registry);
        refused("running", "away", store -> store.refusedAway(false), registry);
    }

    private void refused(String saga, String because, ToDoubleFunction<GroupCommit> count, MeterRegistry registry) {
        FunctionCounter.builder("alpha.repository.refused", commits, count)
                .description("Appends that were refused, so that nothing of them is stored")
                .tag("saga", saga)
                .tag("because", because)
                .register(registry);
    }
}
