package io.alphaomega.omega.transport;

import io.alphaomega.omega.context.SagaContext;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.aopalliance.intercept.MethodInterceptor;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.context.annotation.Bean;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.kafka.config.ConcurrentKafkaListenerContainerFactory;
import org.springframework.kafka.core.ConsumerFactory;
import org.springframework.kafka.listener.ContainerProperties;
import org.springframework.kafka.listener.KafkaMessageListenerContainer;
import org.springframework.kafka.listener.MessageListener;

/** A listener that advice calls again in place, one whose container comes from no factory, and a careless one of batches. */
class KafkaRetries {
    private final Stock stock;
    private final Orders orders;
    final List<String> sagas = new CopyOnWriteArrayList<>();

    KafkaRetries(Stock stock, Orders orders) {
        this.stock = stock;
        this.orders = orders;
    }

    @Bean
    static ConcurrentKafkaListenerContainerFactory<Object, Object> repeating(
            BeanFactory beans, ConsumerFactory<Object, Object> consumers) {
        ConcurrentKafkaListenerContainerFactory<Object, Object> factory =
                BootUnderTest.kafkaListeners(beans, consumers);
        MethodInterceptor twice = invocation -> {
            try {
                return invocation.proceed();
            } catch (IllegalStateException notYet) {
                return invocation.proceed();
            }
        };
        factory.getContainerProperties().setAdviceChain(twice);
        return factory;
    }

    @Bean
    KafkaMessageListenerContainer<Object, Object> byHandContainer(ConsumerFactory<Object, Object> consumers) {
        ContainerProperties properties = new ContainerProperties("by-hand");
        properties.setGroupId("by-hand");
        properties.setPollTimeout(100);
        properties.setMessageListener((MessageListener<Object, Object>) record -> {
            stock.take(String.valueOf(record.value()));
            orders.close();
        });
        return new KafkaMessageListenerContainer<>(consumers, properties);
    }

    @KafkaListener(topics = "repeated", containerFactory = "repeating")
    void repeated(String item) {
        sagas.add(SagaContext.current().map(SagaContext::saga).orElse("none"));
        stock.take(item);
        if (sagas.size() < 2) throw new IllegalStateException("not yet");
        orders.close();
    }

    @KafkaListener(topics = "careless", batch = "true")
    void careless(List<ConsumerRecord<String, String>> batch) {
        for (ConsumerRecord<String, String> order : batch) stock.take(order.value());
    }
}
