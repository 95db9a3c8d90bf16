package io.alphaomega.omega.spring;

import io.alphaomega.omega.stream.AlphaClient;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** What operators see of omega: health and metrics. */
@AutoConfiguration(
        after = OmegaAutoConfiguration.class,
        afterName = "org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration")
@ConditionalOnBooleanProperty(name = "omega.enabled", matchIfMissing = true)
class OmegaActuatorAutoConfiguration {

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass({HealthIndicator.class, ConditionalOnEnabledHealthIndicator.class})
    static class HealthConfiguration {
        @Bean
        @ConditionalOnEnabledHealthIndicator("omega")
        @ConditionalOnMissingBean(name = "omegaHealthIndicator")
        HealthIndicator omegaHealthIndicator(AlphaClient alpha, OmegaProperties properties) {
            return new OmegaHealthIndicator(
                    alpha, new Status(properties.health().disconnectedStatus()));
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(MeterRegistry.class)
    @ConditionalOnBean(MeterRegistry.class)
    static class MetricsConfiguration {
        @Bean
        Tally omegaTally(MeterRegistry registry) {
            return new MicrometerTally(registry);
        }

        @Bean
        MeterBinder omegaConnections(AlphaClient alpha) {
            return registry -> MicrometerTally.gaugeConnections(registry, alpha);
        }
    }
}
