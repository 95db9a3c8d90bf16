package io.alphaomega.omega.spring.advice;

import io.alphaomega.omega.spring.execution.Futures;
import io.alphaomega.omega.spring.execution.Publishers;
import io.alphaomega.omega.spring.fencing.Attempt;
import io.alphaomega.omega.spring.fencing.FencedExecution;
import io.alphaomega.omega.spring.method.ReturnKind;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.ProxyMethodInvocation;

/**
 * Runs the business of a branch inside its local transaction: watches how that ends, and puts the fence's row into it.
 * The innermost advice.
 */
public final class FencedExecutionInterceptor implements MethodInterceptor {
    private final Supplier<FencedExecution> localWork;

    public FencedExecutionInterceptor(Supplier<FencedExecution> localWork) {
        this.localWork = localWork;
    }

    @Override
    public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
        ReturnKind later = ReturnKind.of(invocation);
        if (later.isReactive()) return Publishers.localWork(invocation, localWork);
        Attempt attempt = (Attempt) ((ProxyMethodInvocation) invocation).getUserAttribute(Attempt.ATTRIBUTE);
        if (attempt == null) return invocation.proceed();
        if (later == ReturnKind.NOW) return localWork.get().run(attempt, invocation::proceed);
        if (attempt.fenced()) {
            FencedExecution.Business waiting = () -> Futures.join(invocation.proceed());
            return CompletableFuture.completedFuture(localWork.get().run(attempt, waiting));
        }
        attempt.reached();
        return invocation.proceed();
    }
}
