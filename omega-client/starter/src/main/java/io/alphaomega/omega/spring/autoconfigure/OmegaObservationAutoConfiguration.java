package io.alphaomega.omega.spring.autoconfigure;

import io.alphaomega.omega.observation.BranchObservationConvention;
import io.alphaomega.omega.observation.CallbackObservationConvention;
import io.alphaomega.omega.observation.SagaObservationConvention;
import io.alphaomega.omega.spring.observe.CallbackTracing;
import io.alphaomega.omega.spring.observe.ForwardSampler;
import io.alphaomega.omega.spring.observe.MicrometerObservations;
import io.alphaomega.omega.spring.observe.Observations;
import io.alphaomega.omega.spring.observe.Traceparent;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.tracing.Tracer;
import io.opentelemetry.sdk.trace.samplers.Sampler;
import java.util.function.Supplier;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigureOrder;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;

/** Observations of sagas, branches and callbacks, and their spans, in services that have what it takes. */
@AutoConfiguration(
        after = OmegaAutoConfiguration.class,
        afterName = {
            "org.springframework.boot.micrometer.observation.autoconfigure.ObservationAutoConfiguration",
            "org.springframework.boot.micrometer.tracing.autoconfigure.MicrometerTracingAutoConfiguration",
            "org.springframework.boot.micrometer.tracing.autoconfigure.NoopTracerAutoConfiguration",
            "org.springframework.boot.micrometer.tracing.brave.autoconfigure.BraveAutoConfiguration",
            "org.springframework.boot.micrometer.tracing.opentelemetry.autoconfigure.OpenTelemetryTracingAutoConfiguration",
            "org.springframework.boot.actuate.autoconfigure.observation.ObservationAutoConfiguration",
            "org.springframework.boot.actuate.autoconfigure.tracing.MicrometerTracingAutoConfiguration",
            "org.springframework.boot.actuate.autoconfigure.tracing.NoopTracerAutoConfiguration",
            "org.springframework.boot.actuate.autoconfigure.tracing.BraveAutoConfiguration",
            "org.springframework.boot.actuate.autoconfigure.tracing.OpenTelemetryTracingAutoConfiguration"
        })
@AutoConfigureOrder(Ordered.LOWEST_PRECEDENCE)
@ConditionalOnBooleanProperty(name = "omega.enabled", matchIfMissing = true)
@ConditionalOnBean(ObservationRegistry.class)
public class OmegaObservationAutoConfiguration {
    /** W3C trace context of the span that a thread is in, or empty. */
    interface CurrentSpan extends Supplier<String> {}

    @Bean
    Observations omegaObservations(
            ObservationRegistry registry,
            ObjectProvider<SagaObservationConvention> sagas,
            ObjectProvider<BranchObservationConvention> branches,
            ObjectProvider<CallbackObservationConvention> callbacks,
            ObjectProvider<CurrentSpan> currentSpan) {
        return new MicrometerObservations(
                registry,
                new MicrometerObservations.Conventions(
                        sagas.getIfAvailable(() -> new SagaObservationConvention() {}),
                        branches.getIfAvailable(() -> new BranchObservationConvention() {}),
                        callbacks.getIfAvailable(() -> new CallbackObservationConvention() {})),
                currentSpan.getIfAvailable(() -> () -> ""));
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(Tracer.class)
    @ConditionalOnBean(Tracer.class)
    static class TracingConfiguration {
        /** Before Micrometer's own, which takes every observation. */
        private static final int ORDER = 0;

        @Bean
        CurrentSpan omegaCurrentSpan(Tracer tracer) {
            return () -> Traceparent.current(tracer);
        }

        @Bean
        @Order(ORDER)
        CallbackTracing omegaCallbackTracing(Tracer tracer) {
            return new CallbackTracing(tracer);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass({Tracer.class, Sampler.class, Boot.Tracing.class})
    static class SamplingConfiguration {
        /** First, so that a customizer of the service's own has the last word. */
        @Bean
        @Order(Ordered.HIGHEST_PRECEDENCE)
        Boot.Tracing omegaForwardSampling(ObjectProvider<Sampler> samplers) {
            return tracing -> samplers.ifUnique(sampler -> tracing.setSampler(new ForwardSampler(sampler)));
        }
    }
}
