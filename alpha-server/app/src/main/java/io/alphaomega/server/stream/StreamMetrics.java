package io.alphaomega.server.stream;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.concurrent.atomic.AtomicInteger;

/** What went over this node's streams since it started. */
public final class StreamMetrics {
    private final AtomicInteger connections = new AtomicInteger();
    private final AtomicInteger queued = new AtomicInteger();
    private final AtomicInteger underWay = new AtomicInteger();
    private final Counter inputs;
    private final Counter invalid;
    private final Counter unanswered;
    private final Counter sent;
    private final Counter missed;
    private final Counter lost;
    private final Counter deferred;

    StreamMetrics(MeterRegistry registry) {
        Gauge.builder("alpha.stream.connections", connections, AtomicInteger::get)
                .description("Streams of omegas")
                .register(registry);
        Gauge.builder("alpha.callbacks.queued", queued, AtomicInteger::get)
                .description("Callbacks that wait for their turn")
                .register(registry);
        Gauge.builder("alpha.callbacks.under.way", underWay, AtomicInteger::get)
                .description("Callbacks that participants are running")
                .register(registry);
        inputs = counter(registry, "alpha.stream.inputs", "Inputs read from streams", "well-formed");
        invalid = counter(registry, "alpha.stream.inputs", "Inputs read from streams", "invalid");
        unanswered = Counter.builder("alpha.stream.unanswered")
                .description("Inputs that no saga answered in time")
                .register(registry);
        sent = counter(registry, "alpha.callbacks", "Callbacks by what happened to them", "sent");
        missed = counter(registry, "alpha.callbacks", "Callbacks by what happened to them", "missed");
        lost = counter(registry, "alpha.callbacks", "Callbacks by what happened to them", "lost");
        deferred = counter(registry, "alpha.callbacks", "Callbacks by what happened to them", "deferred");
    }

    private static Counter counter(MeterRegistry registry, String name, String description, String kind) {
        return Counter.builder(name).description(description).tag("kind", kind).register(registry);
    }

    /** How many streams there are. */
    public int connections() {
        return connections.get();
    }

    void connected() {
        connections.incrementAndGet();
    }

    void disconnected() {
        connections.decrementAndGet();
    }

    void inputs(int wellFormed, int notWellFormed) {
        if (wellFormed > 0) inputs.increment(wellFormed);
        if (notWellFormed > 0) invalid.increment(notWellFormed);
    }

    void unanswered() {
        unanswered.increment();
    }

    void callbackSent() {
        sent.increment();
    }

    void callbackMissed() {
        missed.increment();
    }

    void callbackLost() {
        lost.increment();
    }

    void callbackDeferred() {
        deferred.increment();
    }

    void callbacks(int queuedNow, int underWayNow) {
        queued.set(queuedNow);
        underWay.set(underWayNow);
    }
}
