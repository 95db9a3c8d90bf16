package io.alphaomega.omega.spring.autoconfigure;

import io.alphaomega.omega.context.SagaCarrier;
import io.alphaomega.omega.spring.startup.BatchListenerCheck;
import io.alphaomega.omega.spring.startup.TemplateCheck;
import io.alphaomega.omega.transport.rabbit.SagaMessageAdvice;
import io.alphaomega.omega.transport.rabbit.SagaMessagePostProcessor;
import org.aopalliance.aop.Advice;
import org.jspecify.annotations.Nullable;
import org.springframework.amqp.core.Message;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.amqp.rabbit.config.AbstractRabbitListenerContainerFactory;
import org.springframework.amqp.rabbit.core.RabbitTemplate;
import org.springframework.amqp.rabbit.listener.AbstractMessageListenerContainer;
import org.springframework.beans.PropertyAccessorFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigureOrder;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;

/** Sagas over RabbitMQ: out by a post-processor of messages, in by the advice of listeners. */
@AutoConfiguration(after = OmegaAutoConfiguration.class)
@AutoConfigureOrder(Ordered.LOWEST_PRECEDENCE)
@ConditionalOnBooleanProperty(name = "omega.enabled", matchIfMissing = true)
@ConditionalOnClass(RabbitTemplate.class)
public class OmegaRabbitAutoConfiguration {

    /** After Spring Boot has set the advice that tries again, which stands outside. */
    @Bean
    static BeanPostProcessor omegaRabbitListeners(ObjectProvider<SagaCarrier> carrier) {
        SagaMessageAdvice advice = new SagaMessageAdvice(carrier::getObject);
        return new BeanPostProcessor() {
            // A container that comes from no factory: it makes its proxy while it is initialized.
            @Override
            public Object postProcessBeforeInitialization(Object bean, String name) {
                if (bean instanceof AbstractMessageListenerContainer container)
                    advice.addTo(container, chain(container));
                return bean;
            }

            @Override
            public Object postProcessAfterInitialization(Object bean, String name) {
                if (bean instanceof AbstractRabbitListenerContainerFactory<?> containers) advice.addTo(containers);
                return bean;
            }
        };
    }

    /** Which a container takes, but does not show. */
    private static Advice @Nullable [] chain(AbstractMessageListenerContainer container) {
        return (Advice[])
                PropertyAccessorFactory.forDirectFieldAccess(container).getPropertyValue("adviceChain");
    }

    @Bean
    static TemplateCheck<?> omegaRabbitTemplateCheck(ConfigurableListableBeanFactory beans) {
        return new TemplateCheck<>(
                beans,
                RabbitTemplate.class,
                SagaMessagePostProcessor::isIn,
                "Apply SagaMessagePostProcessor.addTo(…) to them, or make them with Spring Boot's RabbitTemplateConfigurer and customizers.");
    }

    /** Its factories do not say whether they make containers of batches; the listener's parameters do. */
    @Bean
    static BatchListenerCheck omegaRabbitBatchCheck(ConfigurableListableBeanFactory beans) {
        return new BatchListenerCheck(
                beans,
                RabbitListener.class,
                method -> BatchListenerCheck.takesSeveral(
                        method, Message.class, org.springframework.messaging.Message.class),
                "SagaMessages.handle(…)");
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(Boot.RabbitTemplates.class)
    static class Out {
        @Bean
        @Order(Ordered.LOWEST_PRECEDENCE)
        Boot.RabbitTemplates omegaRabbitTemplates() {
            return SagaMessagePostProcessor::addTo;
        }
    }
}
