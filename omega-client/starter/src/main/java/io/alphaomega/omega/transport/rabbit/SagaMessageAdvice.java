package io.alphaomega.omega.transport.rabbit;

import io.alphaomega.omega.context.Deliveries;
import io.alphaomega.omega.context.RepeatableAdvice;
import io.alphaomega.omega.context.SagaCarrier;
import io.alphaomega.omega.context.SagaHeaders;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;
import org.aopalliance.aop.Advice;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.amqp.core.Message;
import org.springframework.amqp.rabbit.config.AbstractRabbitListenerContainerFactory;
import org.springframework.amqp.rabbit.listener.AbstractMessageListenerContainer;

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
        Advice[] before = containers.getAdviceChain();
        if (before != null && Arrays.asList(before).contains(this)) return;
        containers.setAdviceChain(inside(before));
    }

    /**
     * Has the listener of a container that comes from no factory handle messages in their sagas; a second time does nothing.
     *
     * @param before the advice that it has; null for none
     */
    public void addTo(AbstractMessageListenerContainer container, Advice @Nullable [] before) {
        if (before != null && Arrays.asList(before).contains(this)) return;
        container.setAdviceChain(inside(before));
    }

    /** Retries of Spring AMQP 4 proceed several times with one invocation. */
    private Advice[] inside(Advice @Nullable [] before) {
        return RepeatableAdvice.innermost(this, before == null ? new Advice[0] : before);
    }

    @Override
    public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
        for (Object argument : invocation.getArguments()) {
            if (argument instanceof Message message) {
                SagaMessages.handle(
                        message, headers -> deliveries.handle(invocation, headers::get, SagaMessages.id(message)));
                return null;
            }
            if (argument instanceof List<?> several) return batch(invocation, several);
        }
        return invocation.proceed();
    }

    private @Nullable Object batch(MethodInvocation invocation, List<?> messages) throws Throwable {
        List<Message> of = messages.stream()
                .filter(Message.class::isInstance)
                .map(Message.class::cast)
                .toList();
        boolean hasSagas = of.stream()
                .anyMatch(each -> new RabbitCarrier(each.getMessageProperties()).get(SagaHeaders.SAGA) != null);
        return deliveries.batch(
                invocation,
                () -> "The listener of queue "
                        + of.get(0).getMessageProperties().getConsumerQueue(),
                hasSagas);
    }
}
