package io.alphaomega.omega.spring.observe;

import io.alphaomega.omega.stream.AlphaClient;
import io.alphaomega.omega.stream.AlphaStatus;
import io.alphaomega.protocol.v1.CallbackKind;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;

/** Counts with Micrometer. */
public final class MicrometerOmegaMetrics implements OmegaMetrics {
    private final MeterRegistry registry;

    public MicrometerOmegaMetrics(MeterRegistry registry) {
        this.registry = registry;
    }

    public static void gaugeConnections(MeterRegistry registry, AlphaClient alpha) {
        Gauge.builder("omega.alpha.connections", alpha, MicrometerOmegaMetrics::connections)
                .description("Streams to alpha that are up")
                .register(registry);
    }

    @Override
    public void saga(String outcome) {
        registry.counter("omega.sagas", "outcome", outcome).increment();
    }

    @Override
    public void branch(String outcome) {
        registry.counter("omega.branches", "outcome", outcome).increment();
    }

    @Override
    public void outside(String operation) {
        registry.counter("omega.calls.outside", "operation", operation).increment();
    }

    @Override
    public void remoteFailure(String operation) {
        registry.counter("omega.failures.remote", "operation", operation).increment();
    }

    @Override
    public void callback(CallbackKind kind, String outcome) {
        registry.counter("omega.callbacks", "kind", kind.name(), "outcome", outcome)
                .increment();
    }

    private static double connections(AlphaClient alpha) {
        return alpha.status().stream()
                .filter(s -> s.state() == AlphaStatus.State.CONNECTED)
                .count();
    }
}
