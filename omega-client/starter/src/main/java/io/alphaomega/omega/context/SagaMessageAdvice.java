package io.alphaomega.omega.context;

import io.alphaomega.omega.SagaException;
import io.alphaomega.omega.SagaRejectedException;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.function.Supplier;
import org.aopalliance.aop.Advice;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.amqp.AmqpRejectAndDontRequeueException;
import org.springframework.amqp.core.Message;
import org.springframework.amqp.rabbit.config.AbstractRabbitListenerContainerFactory;

/**
 * Has a listener of RabbitMQ's messages handle each in the saga that its headers name. A message that is delivered again is
 * the same call, and its branches are the same ones. The innermost advice of a listener: what tries again stands outside.
 */
public final class SagaMessageAdvice implements MethodInterceptor {
    private final Deliveries deliveries;

    /** @param carrier looked up at the first message */
    public SagaMessageAdvice(Supplier<SagaCarrier> carrier) {
        this.deliveries = new Deliveries(carrier);
    }

    /** Has the listeners of a factory's containers handle messages in their sagas; a second time does nothing. */
    public void addTo(AbstractRabbitListenerContainerFactory<?> containers) {
        Advice[] chain = containers.getAdviceChain();
        Advice[] before = chain == null ? new Advice[0] : chain;
        if (Arrays.asList(before).contains(this)) return;
        Advice[] after = Arrays.copyOf(before, before.length + 1);
        after[before.length] = this;
        containers.setAdviceChain(after);
    }

    @Override
    public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
        for (Object argument : invocation.getArguments()) {
            if (argument instanceof Message message) return handle(invocation, message);
            if (argument instanceof List<?> several) batch(several);
        }
        return invocation.proceed();
    }

    private @Nullable Object handle(MethodInvocation invocation, Message message) throws Throwable {
        String id = message.getMessageProperties().getMessageId();
        RabbitCarrier headers = new RabbitCarrier(message.getMessageProperties());
        try {
            boolean unused = deliveries.handle(
                    invocation, headers::get, id == null ? UUID.randomUUID().toString() : id);
            return null;
        } catch (MalformedSagaHeadersException malformed) {
            throw new AmqpRejectAndDontRequeueException(Deliveries.sentence(malformed), true, malformed);
        } catch (Throwable thrown) {
            if (headers.get(SagaHeaders.SAGA) == null) throw thrown;
            SagaException refused = refused(thrown);
            if (refused == null) throw thrown;
            // The broker would deliver it again at once, and again.
            throw new AmqpRejectAndDontRequeueException(refused.getMessage(), true, thrown);
        }
    }

    /** Whether it would fail again of the same: not if alpha is away, and not if a saga that began here has failed. */
    private static @Nullable SagaException refused(Throwable thrown) {
        Throwable each = thrown;
        for (int depth = 0; each != null && depth < 50; depth++, each = each.getCause()) {
            if (each instanceof SagaRejectedException rejected) return rejected;
            if (each.getClass().equals(SagaException.class)) return (SagaException) each;
        }
        return null;
    }

    private void batch(List<?> messages) {
        List<Message> of = messages.stream()
                .filter(Message.class::isInstance)
                .map(Message.class::cast)
                .toList();
        if (of.isEmpty()) return;
        boolean hasSagas = of.stream()
                .anyMatch(each -> new RabbitCarrier(each.getMessageProperties()).get(SagaHeaders.SAGA) != null);
        deliveries.batch(
                "The listener of queue " + of.get(0).getMessageProperties().getConsumerQueue(), hasSagas);
    }
}
