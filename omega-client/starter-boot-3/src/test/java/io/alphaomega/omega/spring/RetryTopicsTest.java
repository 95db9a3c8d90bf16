package io.alphaomega.omega.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.alphaomega.omega.spring.autoconfigure.OmegaKafkaRetryTopicsAutoConfiguration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.kafka.annotation.KafkaHandler;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.kafka.annotation.RetryableTopic;
import org.springframework.kafka.core.DefaultKafkaProducerFactory;
import org.springframework.kafka.core.KafkaTemplate;
import org.springframework.kafka.retrytopic.RetryTopicConfiguration;
import org.springframework.kafka.retrytopic.RetryTopicConfigurationBuilder;
import reactor.core.publisher.Mono;

/** What a start says of listeners whose failures Spring Kafka 3 would not hear of. */
class RetryTopicsTest {
    private final ApplicationContextRunner service = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(OmegaKafkaRetryTopicsAutoConfiguration.class));

    static class Annotated {
        @RetryableTopic
        @KafkaListener(topics = "orders")
        CompletableFuture<Void> order(String item) {
            return CompletableFuture.completedFuture(null);
        }
    }

    @RetryableTopic
    @KafkaListener(topics = "orders")
    static class OfAClass {
        @KafkaHandler
        CompletableFuture<Void> order(String item) {
            return CompletableFuture.completedFuture(null);
        }
    }

    static class Configured {
        @Bean
        static RetryTopicConfiguration retries() {
            return RetryTopicConfigurationBuilder.newInstance()
                    .includeTopic("orders")
                    .create(new KafkaTemplate<String, String>(new DefaultKafkaProducerFactory<>(Map.of())));
        }

        @KafkaListener(topics = "orders")
        Mono<Void> order(String item) {
            return Mono.empty();
        }
    }

    static class Returning {
        @RetryableTopic
        @KafkaListener(topics = "orders")
        void order(String item) {}

        @KafkaListener(topics = "gossip")
        CompletableFuture<Void> gossip(String item) {
            return CompletableFuture.completedFuture(null);
        }
    }

    @Test
    void one_that_may_fail_after_it_has_returned_and_has_retry_topics_does_not_start() {
        for (Class<?> listeners : List.of(Annotated.class, OfAClass.class, Configured.class)) {
            service.withUserConfiguration(listeners)
                    .run(context -> assertThat(context)
                            .getFailure()
                            .hasMessageStartingWith(
                                    "RetryTopicsTest." + listeners.getSimpleName() + ".order(String) has retry topics")
                            .hasMessageContaining("The record would be lost."));
        }
    }

    @Test
    void others_do() {
        service.withUserConfiguration(Returning.class)
                .run(context -> assertThat(context).hasNotFailed());
    }
}
