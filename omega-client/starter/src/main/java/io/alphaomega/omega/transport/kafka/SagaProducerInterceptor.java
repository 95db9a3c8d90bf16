package io.alphaomega.omega.transport.kafka;

import io.alphaomega.omega.context.OutgoingCall;
import io.alphaomega.omega.context.SagaContext;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerInterceptor;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.jspecify.annotations.Nullable;
import org.springframework.kafka.core.DefaultKafkaProducerFactory;
import org.springframework.kafka.core.ProducerFactory;
import org.springframework.kafka.support.KafkaHeaders;
import org.springframework.util.StringUtils;

/**
 * Sends the saga of the calling thread along with Kafka's records. Kafka calls it on the thread that sends, and makes it
 * itself: it is one of a producer's {@code interceptor.classes}, and the last, so that it sees what others have written.
 */
public final class SagaProducerInterceptor implements ProducerInterceptor<Object, Object> {

    /** Has a factory's producers, but for those that it has made already, send the saga along; a second time does nothing. */
    public static void addTo(DefaultKafkaProducerFactory<?, ?> producers) {
        if (isIn(producers)) return;
        List<Object> interceptors = new ArrayList<>(interceptorsOf(producers));
        interceptors.add(SagaProducerInterceptor.class.getName());
        producers.updateConfigs(Map.of(ProducerConfig.INTERCEPTOR_CLASSES_CONFIG, interceptors));
    }

    /** Whether the factory's producers send the saga along. */
    public static boolean isIn(ProducerFactory<?, ?> producers) {
        return interceptorsOf(producers).stream()
                .anyMatch(each -> each.equals(SagaProducerInterceptor.class)
                        || each.equals(SagaProducerInterceptor.class.getName()));
    }

    /** Names or classes, whichever of Kafka's ways they are written in. */
    private static Collection<?> interceptorsOf(ProducerFactory<?, ?> producers) {
        Object configured = producers.getConfigurationProperties().get(ProducerConfig.INTERCEPTOR_CLASSES_CONFIG);
        if (configured instanceof Collection<?> several) return several;
        if (configured instanceof String names) return List.of(StringUtils.tokenizeToStringArray(names, ","));
        return configured == null ? List.of() : List.of(configured);
    }

    /** A copy, so that who sends his record again sends another call, or the same if he has given it a key. */
    @Override
    public ProducerRecord<Object, Object> onSend(ProducerRecord<Object, Object> record) {
        ProducerRecord<Object, Object> sent = new ProducerRecord<>(
                record.topic(), record.partition(), record.timestamp(), record.key(), record.value(), record.headers());
        if (SagaContext.current().isEmpty() && isForwarded(sent)) return sent;
        OutgoingCall.send("SEND kafka/" + record.topic(), new KafkaCarrier(sent.headers()));
        return sent;
    }

    /** What a listener's container has put aside, for a later try or for people, is still the message it was. */
    private static boolean isForwarded(ProducerRecord<?, ?> record) {
        return record.headers().lastHeader(KafkaHeaders.ORIGINAL_TOPIC) != null
                || record.headers().lastHeader(KafkaHeaders.DLT_ORIGINAL_TOPIC) != null;
    }

    @Override
    public void onAcknowledgement(@Nullable RecordMetadata metadata, @Nullable Exception exception) {}

    @Override
    public void close() {}

    @Override
    public void configure(Map<String, ?> configuration) {}
}
