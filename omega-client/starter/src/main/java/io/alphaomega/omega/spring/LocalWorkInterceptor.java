package io.alphaomega.omega.spring;

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
final class LocalWorkInterceptor implements MethodInterceptor {
    private final Supplier<LocalWork> localWork;

    LocalWorkInterceptor(Supplier<LocalWork> localWork) {
        this.localWork = localWork;
    }

    @Override
    public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
        Later later = Later.of(invocation);
        if (later.isReactive()) return Publishers.localWork(invocation, localWork);
        Attempt attempt = (Attempt) ((ProxyMethodInvocation) invocation).getUserAttribute(BranchInterceptor.ATTEMPT);
        if (attempt == null) return invocation.proceed();
        if (later == Later.NOW) return localWork.get().run(attempt, invocation::proceed);
        if (attempt.fenced()) {
            LocalWork.Business waiting = () -> Futures.join(invocation.proceed());
            return CompletableFuture.completedFuture(localWork.get().run(attempt, waiting));
        }
        attempt.reached();
        return invocation.proceed();
    }
}
