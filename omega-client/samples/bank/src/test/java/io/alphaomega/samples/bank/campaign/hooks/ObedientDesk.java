package io.alphaomega.samples.bank.campaign.hooks;

import org.aspectj.lang.ProceedingJoinPoint;
import org.aspectj.lang.annotation.Around;
import org.aspectj.lang.annotation.Aspect;
import org.jspecify.annotations.Nullable;
import org.springframework.core.Ordered;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** Lets an {@link Order} be obeyed in a service's business methods, inside their transactions. */
@Aspect
@org.springframework.core.annotation.Order(Ordered.LOWEST_PRECEDENCE)
final class ObedientDesk {
    @Around("execution(public void io.alphaomega.samples.bank..AccountDesk.*(..))"
            + " || execution(public void io.alphaomega.samples.bank..TransferBook.*(..))")
    public @Nullable Object call(ProceedingJoinPoint call) throws Throwable {
        Order order = Order.take(call.getSignature().getName()).orElse(null);
        if (order == null) return call.proceed();
        if (order.point().equals("before")) order.obey();
        if (order.point().equals("committed")) {
            TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
                @Override
                public void afterCommit() {
                    order.obey();
                }
            });
        }
        Object result = call.proceed();
        if (order.point().equals("after")) order.obey();
        return result;
    }
}
