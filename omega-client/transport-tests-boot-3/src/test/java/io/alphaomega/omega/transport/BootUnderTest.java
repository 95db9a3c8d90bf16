package io.alphaomega.omega.transport;

import io.grpc.ServerBuilder;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import java.net.InetSocketAddress;
import org.aopalliance.aop.Advice;
import org.springframework.amqp.rabbit.config.RetryInterceptorBuilder;
import org.springframework.amqp.rabbit.config.SimpleRabbitListenerContainerFactory;
import org.springframework.amqp.rabbit.connection.ConnectionFactory;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.boot.autoconfigure.amqp.SimpleRabbitListenerContainerFactoryConfigurer;
import org.springframework.boot.autoconfigure.kafka.ConcurrentKafkaListenerContainerFactoryConfigurer;
import org.springframework.boot.web.client.RestTemplateBuilder;
import org.springframework.http.client.ClientHttpRequestInterceptor;
import org.springframework.kafka.config.ConcurrentKafkaListenerContainerFactory;
import org.springframework.kafka.core.ConsumerFactory;
import org.springframework.web.client.RestTemplate;

/** What tests use of Spring Boot 3, and of its gRPC, that is elsewhere in Boot 4. */
public final class BootUnderTest {
    /** Whether an error handler is told of a listener whose future fails; Spring Kafka 3 does so with retry topics only. */
    static final boolean KAFKA_HEARS_OF_LATE_FAILURES = false;

    private BootUnderTest() {}

    /** By the Netty that omega has. */
    public static ServerBuilder<?> grpcServerAt(InetSocketAddress address) {
        return NettyServerBuilder.forAddress(address);
    }

    /** A RestTemplate as services have it. */
    static RestTemplate restTemplate(BeanFactory beans, ClientHttpRequestInterceptor... interceptors) {
        return beans.getBean(RestTemplateBuilder.class)
                .additionalInterceptors(interceptors)
                .build();
    }

    /** A second one, as services configure it. */
    static ConcurrentKafkaListenerContainerFactory<Object, Object> kafkaListeners(
            BeanFactory beans, ConsumerFactory<Object, Object> consumers) {
        ConcurrentKafkaListenerContainerFactory<Object, Object> factory =
                new ConcurrentKafkaListenerContainerFactory<>();
        beans.getBean(ConcurrentKafkaListenerContainerFactoryConfigurer.class).configure(factory, consumers);
        return factory;
    }

    /** A second one, as services configure it. */
    static SimpleRabbitListenerContainerFactory rabbitListeners(BeanFactory beans, ConnectionFactory connections) {
        SimpleRabbitListenerContainerFactory factory = new SimpleRabbitListenerContainerFactory();
        beans.getBean(SimpleRabbitListenerContainerFactoryConfigurer.class).configure(factory, connections);
        return factory;
    }

    /** Advice as Boot makes it of spring.rabbitmq.listener.simple.retry.enabled. */
    static Advice twoRabbitRetries() {
        return RetryInterceptorBuilder.stateless()
                .maxAttempts(3)
                .backOffOptions(1, 1, 1)
                .build();
    }
}
