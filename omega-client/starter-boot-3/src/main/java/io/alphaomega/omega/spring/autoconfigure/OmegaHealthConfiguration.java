package io.alphaomega.omega.spring.autoconfigure;

import io.alphaomega.omega.spring.config.OmegaProperties;
import io.alphaomega.omega.stream.AlphaClient;
import org.springframework.boot.actuate.autoconfigure.health.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.actuate.health.Health;
import org.springframework.boot.actuate.health.HealthIndicator;
import org.springframework.boot.actuate.health.Status;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Health as Boot 3 has it: up while a stream to some alpha is up. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass({HealthIndicator.class, ConditionalOnEnabledHealthIndicator.class})
class OmegaHealthConfiguration {
    @Bean
    @ConditionalOnEnabledHealthIndicator("omega")
    @ConditionalOnMissingBean(name = "omegaHealthIndicator")
    HealthIndicator omegaHealthIndicator(AlphaClient alpha, OmegaProperties properties) {
        Status disconnected = new Status(properties.health().disconnectedStatus());
        return () -> {
            AlphaHealth found = AlphaHealth.of(alpha);
            return (found.connected() ? Health.up() : Health.status(disconnected))
                    .withDetails(found.details())
                    .build();
        };
    }
}
