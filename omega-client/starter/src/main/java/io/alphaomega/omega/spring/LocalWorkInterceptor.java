package io.alphaomega.omega.spring;

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
        Object attempt = ((ProxyMethodInvocation) invocation).getUserAttribute(BranchInterceptor.ATTEMPT);
        return attempt == null ? invocation.proceed() : localWork.get().run((Attempt) attempt, invocation::proceed);
    }
}
