package io.alphaomega.server.stream;

import io.alphaomega.saga.SagaInput;
import io.alphaomega.server.meters.Waits;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.concurrent.atomic.AtomicInteger;

/** What went over this node's streams since it started. */
public final class StreamMetrics {
    private final AtomicInteger connections = new AtomicInteger();
    private final AtomicInteger heldBack = new AtomicInteger();
    private final AtomicInteger queued = new AtomicInteger();
    private final AtomicInteger underWay = new AtomicInteger();
    private final AtomicInteger services = new AtomicInteger();
    private final Counter inputs;
    private final Counter invalid;
    private final Counter unanswered;
    private final Counter sent;
    private final Counter missed;
    private final Counter lost;
    private final Counter deferred;
    private final Counter streamsRefused;
    private final Counter inputsRefused;
    private final Counter callbacksRefused;
    private final Counter unable;
    private final Counter unread;
    private final InputTimers timers;

    StreamMetrics(MeterRegistry registry, Budget budget) {
        Gauge.builder("alpha.stream.connections", connections, AtomicInteger::get)
                .description("Streams of omegas")
                .register(registry);
        Gauge.builder("alpha.stream.lent", budget, Budget::lent)
                .baseUnit("bytes")
                .description("What streams hold beyond what each has of its own; at most a sixteenth of the heap")
                .register(registry);
        Gauge.builder("alpha.stream.held.back", heldBack, AtomicInteger::get)
                .description("Inputs of busy streams that wait for their turn")
                .register(registry);
        Gauge.builder("alpha.callbacks.queued", queued, AtomicInteger::get)
                .description("Callbacks that wait for their turn")
                .register(registry);
        Gauge.builder("alpha.callbacks.under.way", underWay, AtomicInteger::get)
                .description("Callbacks that participants are running")
                .register(registry);
        Gauge.builder("alpha.callbacks.services", services, AtomicInteger::get)
                .description("Services that this node knows: with streams, or callbacks that wait")
                .register(registry);
        timers = new InputTimers(registry);
        inputs = counter(registry, "alpha.stream.inputs", "Inputs read from streams", "well-formed");
        invalid = counter(registry, "alpha.stream.inputs", "Inputs read from streams", "invalid");
        unanswered = Counter.builder("alpha.stream.unanswered")
                .description("Inputs that no saga answered in time")
                .register(registry);
        sent = counter(registry, "alpha.callbacks", "Callbacks by what happened to them", "sent");
        missed = counter(registry, "alpha.callbacks", "Callbacks by what happened to them", "missed");
        lost = counter(registry, "alpha.callbacks", "Callbacks by what happened to them", "lost");
        streamsRefused = refused(registry, "stream");
        inputsRefused = refused(registry, "input");
        callbacksRefused = refused(registry, "callback");
        unread = refused(registry, "unread");
        deferred = counter(registry, "alpha.callbacks", "Callbacks by what happened to them", "deferred");
        unable = counter(registry, "alpha.callbacks", "Callbacks by what happened to them", "unable");
    }

    private static Counter refused(MeterRegistry registry, String what) {
        return Counter.builder("alpha.stream.refused")
                .description(
                        "What there was no memory for: streams, inputs, callbacks, streams whose peer did not read")
                .tag("what", what)
                .register(registry);
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

    /** So many more inputs wait for their turn, or fewer. */
    void heldBack(int more) {
        heldBack.addAndGet(more);
    }

    /** {@code input} has been decided, so many nanoseconds after it was read. */
    void answered(SagaInput input, long nanos) {
        timers.answered(input, nanos);
    }

    /** How long inputs took that wait for the store only, until they were acknowledged. */
    public Waits acknowledged() {
        return timers.waits();
    }

    void streamRefused() {
        streamsRefused.increment();
    }

    void inputRefused() {
        inputsRefused.increment();
    }

    void callbackRefused() {
        callbacksRefused.increment();
    }

    void unread() {
        unread.increment();
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

    /** No build that is connected can. */
    void callbackUnable() {
        unable.increment();
    }

    void callbackDeferred() {
        deferred.increment();
    }

    void callbacks(int queuedNow, int underWayNow, int servicesNow) {
        queued.set(queuedNow);
        underWay.set(underWayNow);
        services.set(servicesNow);
    }
}
