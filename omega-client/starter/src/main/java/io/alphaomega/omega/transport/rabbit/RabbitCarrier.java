package io.alphaomega.omega.transport.rabbit;

import io.alphaomega.omega.context.SagaCarrier;
import org.jspecify.annotations.Nullable;
import org.springframework.amqp.core.MessageProperties;

/** The headers of a message of RabbitMQ. */
record RabbitCarrier(MessageProperties properties) implements SagaCarrier.Headers {
    @Override
    public @Nullable String get(String name) {
        Object found = properties.getHeaders().get(name);
        return found == null ? null : found.toString();
    }

    @Override
    public void set(String name, String value) {
        properties.setHeader(name, value);
    }

    @Override
    public void remove(String name) {
        properties.getHeaders().remove(name);
    }
}
