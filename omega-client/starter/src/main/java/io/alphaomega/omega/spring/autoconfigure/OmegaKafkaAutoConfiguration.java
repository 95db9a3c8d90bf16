package io.alphaomega.omega.spring.autoconfigure;

import io.alphaomega.omega.context.SagaCarrier;
import io.alphaomega.omega.spring.startup.BatchListenerCheck;
import io.alphaomega.omega.spring.startup.TemplateCheck;
import io.alphaomega.omega.transport.kafka.SagaProducerInterceptor;
import io.alphaomega.omega.transport.kafka.SagaRecordAdvice;
import java.lang.reflect.Method;
import java.util.List;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
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
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.Order;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.kafka.annotation.KafkaListenerAnnotationBeanPostProcessor;
import org.springframework.kafka.config.AbstractKafkaListenerContainerFactory;
import org.springframework.kafka.core.KafkaTemplate;
import org.springframework.kafka.core.RoutingKafkaTemplate;
import org.springframework.kafka.listener.AbstractMessageListenerContainer;
import org.springframework.messaging.Message;

/** Sagas over Kafka: out by an interceptor of producers, in by the advice of listeners. */
@AutoConfiguration(after = OmegaAutoConfiguration.class)
@AutoConfigureOrder(Ordered.LOWEST_PRECEDENCE)
@ConditionalOnBooleanProperty(name = "omega.enabled", matchIfMissing = true)
@ConditionalOnClass(KafkaTemplate.class)
public class OmegaKafkaAutoConfiguration {

    /**
     * For all factories, and containers that come from none. A customizer of Boot's has room for one advice, which may be
     * taken.
     */
    @Bean
    static BeanPostProcessor omegaKafkaListeners(ObjectProvider<SagaCarrier> carrier) {
        SagaRecordAdvice advice = new SagaRecordAdvice(carrier::getObject);
        return new BeanPostProcessor() {
            @Override
            public Object postProcessAfterInitialization(Object bean, String name) {
                if (bean instanceof AbstractKafkaListenerContainerFactory<?, ?, ?> containers) {
                    advice.addTo(containers.getContainerProperties());
                }
                if (bean instanceof AbstractMessageListenerContainer<?, ?> container) {
                    advice.addTo(container.getContainerProperties());
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

    @Bean
    static BatchListenerCheck omegaKafkaBatchCheck(ConfigurableListableBeanFactory beans) {
        return new BatchListenerCheck(
                beans, KafkaListener.class, method -> takesBatches(method, beans), "SagaRecords.handle(…)");
    }

    private static boolean takesBatches(Method method, ConfigurableListableBeanFactory beans) {
        if (BatchListenerCheck.takesSeveral(method, ConsumerRecord.class, Message.class)) return true;
        if (List.of(method.getParameterTypes()).contains(ConsumerRecords.class)) return true;
        return AnnotatedElementUtils.getAllMergedAnnotations(method, KafkaListener.class).stream()
                .anyMatch(listener -> takesBatches(listener, beans));
    }

    private static boolean takesBatches(KafkaListener listener, ConfigurableListableBeanFactory beans) {
        String said = beans.resolveEmbeddedValue(listener.batch());
        if (said != null && !said.isEmpty()) return Boolean.parseBoolean(said);
        String factory = listener.containerFactory().isEmpty()
                ? KafkaListenerAnnotationBeanPostProcessor.DEFAULT_KAFKA_LISTENER_CONTAINER_FACTORY_BEAN_NAME
                : listener.containerFactory();
        return beans.containsBean(factory)
                && beans.getBean(factory) instanceof AbstractKafkaListenerContainerFactory<?, ?, ?> containers
                && Boolean.TRUE.equals(containers.isBatchListener());
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
