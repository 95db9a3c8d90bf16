package io.alphaomega.omega.spring;

import io.alphaomega.omega.stream.AlphaClient;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** What operators see of omega: health and metrics. */
@AutoConfiguration(
        after = OmegaAutoConfiguration.class,
        afterName = {
            "org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration",
            "org.springframework.boot.actuate.autoconfigure.metrics.CompositeMeterRegistryAutoConfiguration"
        })
@ConditionalOnBooleanProperty(name = "omega.enabled", matchIfMissing = true)
@Import(OmegaHealthConfiguration.class)
class OmegaActuatorAutoConfiguration {

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
