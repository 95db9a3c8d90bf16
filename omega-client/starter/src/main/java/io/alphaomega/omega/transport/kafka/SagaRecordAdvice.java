package io.alphaomega.omega.transport.kafka;

import io.alphaomega.omega.context.Deliveries;
import io.alphaomega.omega.context.MalformedSagaHeadersException;
import io.alphaomega.omega.context.RepeatableAdvice;
import io.alphaomega.omega.context.SagaCarrier;
import io.alphaomega.omega.context.SagaHeaders;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import java.util.stream.StreamSupport;
import org.aopalliance.aop.Advice;
import org.aopalliance.intercept.MethodInvocation;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.IntroductionInfo;
import org.springframework.aop.IntroductionInterceptor;
import org.springframework.kafka.listener.ContainerProperties;
import org.springframework.kafka.listener.DelegatingMessageListener;
import org.springframework.kafka.listener.adapter.AsyncRepliesAware;
import org.springframework.kafka.support.Acknowledgment;
import org.springframework.messaging.converter.MessageConversionException;
import org.springframework.util.ClassUtils;

/**
 * Has a listener of Kafka's records handle each in the saga that its headers name. A record that comes again is the same
 * call, and its branches are the same ones. The innermost advice of a listener: what tries again stands outside.
 *
 * <p>It says of the proxy that it makes of a listener that it delegates, because a container looks for the listener behind
 * that: whom it tells of failures that come later, and what it observes, would be lost otherwise.
 */
public final class SagaRecordAdvice implements IntroductionInterceptor, IntroductionInfo {
    private final Deliveries deliveries;

    /** @param carrier looked up at the first record */
    public SagaRecordAdvice(Supplier<SagaCarrier> carrier) {
        this.deliveries = new Deliveries(carrier);
    }

    /** Has the listeners of containers with these properties handle records in their sagas; a second time does nothing. */
    public void addTo(ContainerProperties container) {
        Advice[] before = container.getAdviceChain();
        if (Arrays.asList(before).contains(this)) return;
        container.setAdviceChain(RepeatableAdvice.innermost(this, before));
    }

    @Override
    public Class<?>[] getInterfaces() {
        return new Class<?>[] {DelegatingMessageListener.class};
    }

    @Override
    public boolean implementsInterface(Class<?> type) {
        return type.equals(DelegatingMessageListener.class);
    }

    @Override
    public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
        String called = invocation.getMethod().getName();
        if (called.equals("getDelegate")) return invocation.getThis();
        // Spring Kafka 4 asks it of what delegates, too, which a listener need not do.
        if (called.equals("isAsyncReplies")) {
            return invocation.getThis() instanceof AsyncRepliesAware listener && listener.isAsyncReplies();
        }
        @Nullable Object[] arguments = invocation.getArguments();
        if (!called.equals("onMessage") || arguments.length == 0) return invocation.proceed();
        if (!(arguments[0] instanceof ConsumerRecord<?, ?> record)) return batch(invocation, arguments[0]);
        KafkaCarrier headers = new KafkaCarrier(record.headers());
        try {
            if (!deliveries.handle(invocation, headers::get, position(record))) acknowledge(arguments);
            return null;
        } catch (MalformedSagaHeadersException malformed) {
            throw refusal(malformed);
        }
    }

    /** The record, if its headers do not name its call. */
    static String position(ConsumerRecord<?, ?> record) {
        return record.topic() + "-" + record.partition() + "@" + record.offset();
    }

    /** What no error handler tries again, unless it is told to. */
    static MessageConversionException refusal(MalformedSagaHeadersException malformed) {
        return new MessageConversionException(Deliveries.sentence(malformed), malformed);
    }

    /** Where the listener does it, and has not. */
    private static void acknowledge(@Nullable Object[] arguments) {
        for (Object argument : arguments) {
            if (argument instanceof Acknowledgment acknowledgment) acknowledgment.acknowledge();
        }
    }

    private @Nullable Object batch(MethodInvocation invocation, @Nullable Object records) throws Throwable {
        if (!(records instanceof Iterable<?> several)) return invocation.proceed();
        boolean hasSagas = StreamSupport.stream(several.spliterator(), false)
                .anyMatch(each -> each instanceof ConsumerRecord<?, ?> record
                        && record.headers().lastHeader(SagaHeaders.SAGA) != null);
        return deliveries.batch(invocation, () -> name(invocation, several), hasSagas);
    }

    private static String name(MethodInvocation invocation, Iterable<?> records) {
        Class<?> listener = ClassUtils.getUserClass(Objects.requireNonNull(invocation.getThis()));
        return listener.getSimpleName() + " of " + topics(records);
    }

    private static List<String> topics(Iterable<?> records) {
        return StreamSupport.stream(records.spliterator(), false)
                .filter(ConsumerRecord.class::isInstance)
                .map(each -> ((ConsumerRecord<?, ?>) each).topic())
                .distinct()
                .sorted()
                .toList();
    }
}
