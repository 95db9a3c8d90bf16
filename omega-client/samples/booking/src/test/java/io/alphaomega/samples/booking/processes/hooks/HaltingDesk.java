package io.alphaomega.samples.booking.processes.hooks;

import org.aspectj.lang.ProceedingJoinPoint;
import org.aspectj.lang.annotation.Around;
import org.aspectj.lang.annotation.Aspect;
import org.jspecify.annotations.Nullable;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Halts a service in one of its business methods, by an order {@code METHOD:POINT}: {@code before} the method's work,
 * {@code after} it but before the commit, or once it is {@code committed} but before alpha is told.
 */
@Aspect
@Order(Ordered.LOWEST_PRECEDENCE)
final class HaltingDesk {
    @Around("execution(public void io.alphaomega.samples.booking..*Desk.*(..))"
            + " || execution(public void io.alphaomega.samples.booking..*Ledger.*(..))")
    public @Nullable Object call(ProceedingJoinPoint call) throws Throwable {
        String point = Halt.take(call.getSignature().getName() + ":").orElse("");
        if (point.equals("before")) Halt.now();
        if (point.equals("committed")) {
            TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
                @Override
                public void afterCommit() {
                    Halt.now();
                }
            });
        }
        Object result = call.proceed();
        if (point.equals("after")) Halt.now();
        return result;
    }
}
