package io.alphaomega.omega.spring;

import io.alphaomega.omega.context.SagaCarrier;
import io.alphaomega.omega.context.SagaProducerInterceptor;
import io.alphaomega.omega.context.SagaRecordAdvice;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.kafka.config.AbstractKafkaListenerContainerFactory;
import org.springframework.kafka.core.KafkaTemplate;
import org.springframework.kafka.core.RoutingKafkaTemplate;

/** Sagas over Kafka: out by an interceptor of producers, in by the advice of listeners. */
@AutoConfiguration(after = OmegaAutoConfiguration.class)
@ConditionalOnBooleanProperty(name = "omega.enabled", matchIfMissing = true)
@ConditionalOnClass(KafkaTemplate.class)
class OmegaKafkaAutoConfiguration {

    /** Of all factories, whoever has made them; a customizer of Boot's has room for one advice, and it may be taken. */
    @Bean
    static BeanPostProcessor omegaKafkaListeners(ObjectProvider<SagaCarrier> carrier) {
        SagaRecordAdvice advice = new SagaRecordAdvice(carrier::getObject);
        return new BeanPostProcessor() {
            @Override
            public Object postProcessAfterInitialization(Object bean, String name) {
                if (bean instanceof AbstractKafkaListenerContainerFactory<?, ?, ?> containers) {
                    advice.addTo(containers.getContainerProperties());
                }
                return bean;
            }
        };
    }

    @Bean
    static TemplateCheck<?> omegaKafkaTemplateCheck(ConfigurableListableBeanFactory beans) {
        return new TemplateCheck<>(
                beans,
                KafkaTemplate.class,
                // A routing one tells nobody which factories it has.
                template -> template instanceof RoutingKafkaTemplate
                        || SagaProducerInterceptor.isIn(template.getProducerFactory()),
                "Put SagaProducerInterceptor into interceptor.classes of their producers, or use Spring Boot's producer factory.");
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(Boot.KafkaProducers.class)
    static class Out {
        @Bean
        @Order(Ordered.LOWEST_PRECEDENCE)
        Boot.KafkaProducers omegaKafkaProducers() {
            return SagaProducerInterceptor::addTo;
        }
    }
}
