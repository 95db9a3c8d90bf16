package io.alphaomega.omega.spring.autoconfigure;

import io.alphaomega.omega.Omega;
import io.alphaomega.omega.SagaException;
import io.alphaomega.omega.SagaTemplate;
import io.alphaomega.omega.context.SagaCarrier;
import io.alphaomega.omega.spring.template.DefaultOmega;
import io.alphaomega.omega.spring.template.DisabledSagas;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigureOrder;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.core.Ordered;

/** What is left where omega is switched off: the beans that services have injected, which know of no saga. */
@AutoConfiguration
@AutoConfigureOrder(Ordered.LOWEST_PRECEDENCE)
@ConditionalOnBooleanProperty(name = "omega.enabled", havingValue = false)
public class OmegaDisabledAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean
    Omega omega() {
        return new DefaultOmega((saga, reason) -> {
            throw new SagaException("Omega is switched off (omega.enabled): there is nothing to abort.");
        });
    }

    @Bean
    @ConditionalOnMissingBean
    SagaTemplate sagaTemplate() {
        return new DisabledSagas();
    }

    @Bean
    @ConditionalOnMissingBean
    SagaCarrier sagaCarrier() {
        return SagaCarrier.switchedOff();
    }
}
