package io.alphaomega.omega.spring.autoconfigure;

import feign.Capability;
import io.alphaomega.omega.transport.feign.SagaCapability;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigureOrder;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;
import org.springframework.core.Ordered;

/** Sagas over Feign: Spring Cloud OpenFeign gives each client the capabilities that are beans. */
@AutoConfiguration(after = OmegaAutoConfiguration.class)
@AutoConfigureOrder(Ordered.LOWEST_PRECEDENCE)
@ConditionalOnBooleanProperty(name = "omega.enabled", matchIfMissing = true)
@ConditionalOnClass(Capability.class)
public class OmegaFeignAutoConfiguration {
    @Bean
    SagaCapability omegaFeignCapability() {
        return new SagaCapability();
    }
}
