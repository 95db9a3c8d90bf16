package io.alphaomega.omega.transport.rabbit;

import java.lang.reflect.Field;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.springframework.amqp.rabbit.core.RabbitTemplate;
import org.springframework.core.retry.RetryListener;
import org.springframework.core.retry.RetryPolicy;
import org.springframework.core.retry.RetryState;
import org.springframework.core.retry.RetryTemplate;
import org.springframework.core.retry.Retryable;
import org.springframework.core.retry.support.CompositeRetryListener;
import org.springframework.util.ReflectionUtils;

/** The retries of templates for RabbitMQ, by Spring 7. */
final class RabbitRetries {
    private RabbitRetries() {}

    /** Has somebody told, on the thread that sends, whether the same message is published again. */
    static void listen(RabbitTemplate template, Consumer<Boolean> again) {
        RetryTemplate retries = retriesOf(template);
        if (retries == null) return;
        RetryListener listener = new RetryListener() {
            @Override
            public void beforeRetry(RetryPolicy policy, Retryable<?> retryable, RetryState state) {
                again.accept(true);
            }
        };
        retries.setRetryListener(new CompositeRetryListener(List.of(retries.getRetryListener(), listener)));
    }

    /** Which only the field of the template tells. */
    private static @Nullable RetryTemplate retriesOf(RabbitTemplate template) {
        Field field = ReflectionUtils.findField(RabbitTemplate.class, "retryTemplate", RetryTemplate.class);
        if (field == null) return null;
        ReflectionUtils.makeAccessible(field);
        return (RetryTemplate) ReflectionUtils.getField(field, template);
    }
}
