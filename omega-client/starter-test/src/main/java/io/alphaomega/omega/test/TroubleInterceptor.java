package io.alphaomega.omega.test;

import io.alphaomega.omega.context.SagaContext;
import java.util.Objects;
import java.util.function.Supplier;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.core.Ordered;
import org.springframework.util.ClassUtils;

/** Makes go wrong what is planned of branches. Callbacks go wrong in alpha. */
abstract sealed class TroubleInterceptor implements MethodInterceptor {
    /** Omega's advice of a branch stands in between. */
    static final int OUTSIDE = Ordered.LOWEST_PRECEDENCE - 1001;

    static final int INSIDE = Ordered.LOWEST_PRECEDENCE - 999;

    private final Supplier<TestAlpha> alpha;

    private TroubleInterceptor(Supplier<TestAlpha> alpha) {
        this.alpha = alpha;
    }

    @Override
    public final @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
        if (SagaContext.current().filter(SagaContext::isForward).isEmpty()) return invocation.proceed();
        Class<?> bean = ClassUtils.getUserClass(
                Objects.requireNonNull(invocation.getThis()).getClass());
        if (bean.getName().contains("$MockitoMock$")) bean = bean.getSuperclass(); // A spy.
        return invoke(
                invocation,
                alpha.get(),
                ClassUtils.getShortName(bean) + "." + invocation.getMethod().getName());
    }

    abstract @Nullable Object invoke(MethodInvocation invocation, TestAlpha alpha, String operation) throws Throwable;

    /** The branch has ended, and alpha knows or will: only the caller does not. */
    static final class Outside extends TroubleInterceptor {
        Outside(Supplier<TestAlpha> alpha) {
            super(alpha);
        }

        @Override
        @Nullable
        Object invoke(MethodInvocation invocation, TestAlpha alpha, String operation) throws Throwable {
            Object result = invocation.proceed();
            Trouble trouble = alpha.troubles().next(operation, Trouble.Kind.FAIL, Trouble::isAfterEffect);
            if (trouble != null) throw trouble.exception();
            return result;
        }
    }

    /** The branch has begun, nothing is done. */
    static final class Inside extends TroubleInterceptor {
        Inside(Supplier<TestAlpha> alpha) {
            super(alpha);
        }

        @Override
        @Nullable
        Object invoke(MethodInvocation invocation, TestAlpha alpha, String operation) throws Throwable {
            String branch = SagaContext.current().orElseThrow().branch();
            if (branch.isEmpty()) return invocation.proceed(); // A mock, which takes part in nothing.
            alpha.awaitTime(branch);
            Trouble failure = alpha.troubles().next(operation, Trouble.Kind.FAIL, any -> !any.isAfterEffect());
            if (failure != null) throw failure.exception();
            return invocation.proceed();
        }
    }
}
