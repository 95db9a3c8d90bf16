package io.alphaomega.omega.transport;

import static org.assertj.core.api.Assertions.assertThat;

import io.alphaomega.omega.transport.kafka.SagaProducerInterceptor;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.kafka.core.DefaultKafkaProducerFactory;

/** Where the interceptor stands among others, however Kafka is told of these. */
class SagaProducerInterceptorTest {
    private static final String NAME = SagaProducerInterceptor.class.getName();

    @Test
    void it_is_the_last_one_however_the_others_are_configured() {
        assertThat(withOurs(Map.of())).isEqualTo(List.of(NAME));
        assertThat(withOurs(Map.of(ProducerConfig.INTERCEPTOR_CLASSES_CONFIG, "org.example.A, org.example.B")))
                .isEqualTo(List.of("org.example.A", "org.example.B", NAME));
        assertThat(withOurs(Map.of(ProducerConfig.INTERCEPTOR_CLASSES_CONFIG, List.of("org.example.A"))))
                .isEqualTo(List.of("org.example.A", NAME));
        assertThat(withOurs(Map.of(ProducerConfig.INTERCEPTOR_CLASSES_CONFIG, String.class)))
                .isEqualTo(List.of(String.class, NAME));
    }

    @Test
    void it_is_there_once() {
        Map<String, Object> configured = Map.of(ProducerConfig.INTERCEPTOR_CLASSES_CONFIG, NAME);
        assertThat(withOurs(configured)).isEqualTo(NAME);
    }

    private static @Nullable Object withOurs(Map<String, Object> configured) {
        DefaultKafkaProducerFactory<Object, Object> producers = new DefaultKafkaProducerFactory<>(configured);
        SagaProducerInterceptor.addTo(producers);
        SagaProducerInterceptor.addTo(producers);
        assertThat(SagaProducerInterceptor.isIn(producers)).isTrue();
        return producers.getConfigurationProperties().get(ProducerConfig.INTERCEPTOR_CLASSES_CONFIG);
    }
}
