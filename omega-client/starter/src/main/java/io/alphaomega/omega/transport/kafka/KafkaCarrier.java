package io.alphaomega.omega.transport.kafka;

import io.alphaomega.omega.context.SagaCarrier;
import java.nio.charset.StandardCharsets;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.jspecify.annotations.Nullable;

/** The headers of a record of Kafka: of several of one name, the last counts. */
record KafkaCarrier(Headers headers) implements SagaCarrier.Headers {
    @Override
    public @Nullable String get(String name) {
        Header found = headers.lastHeader(name);
        return found == null || found.value() == null ? null : new String(found.value(), StandardCharsets.UTF_8);
    }

    @Override
    public void set(String name, String value) {
        headers.remove(name).add(name, value.getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public void remove(String name) {
        headers.remove(name);
    }
}
