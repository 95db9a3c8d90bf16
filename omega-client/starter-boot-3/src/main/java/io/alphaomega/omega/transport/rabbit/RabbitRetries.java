package io.alphaomega.omega.transport.rabbit;

import java.lang.reflect.Field;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.springframework.amqp.rabbit.core.RabbitTemplate;
import org.springframework.retry.RetryCallback;
import org.springframework.retry.RetryContext;
import org.springframework.retry.RetryListener;
import org.springframework.retry.support.RetryTemplate;
import org.springframework.util.ReflectionUtils;

/** The retries of templates for RabbitMQ, by Spring Retry. */
final class RabbitRetries {
    private RabbitRetries() {}

    /** Has somebody told, on the thread that sends, whether the same message is published again. */
    static void listen(RabbitTemplate template, Consumer<Boolean> again) {
        RetryTemplate retries = retriesOf(template);
        if (retries != null) retries.registerListener(new Listener(again));
    }

    /** Which only the field of the template tells. */
    private static @Nullable RetryTemplate retriesOf(RabbitTemplate template) {
        Field field = ReflectionUtils.findField(RabbitTemplate.class, "retryTemplate", RetryTemplate.class);
        if (field == null) return null;
        ReflectionUtils.makeAccessible(field);
        return (RetryTemplate) ReflectionUtils.getField(field, template);
    }

    /** It hears of failures; after the last one there is no retry, but the end. */
    private record Listener(Consumer<Boolean> again) implements RetryListener {
        @Override
        public <T, E extends Throwable> void onError(
                RetryContext context, RetryCallback<T, E> callback, Throwable failure) {
            again.accept(true);
        }

        @Override
        public <T, E extends Throwable> void close(
                RetryContext context, RetryCallback<T, E> callback, @Nullable Throwable failure) {
            again.accept(false);
        }
    }
}
