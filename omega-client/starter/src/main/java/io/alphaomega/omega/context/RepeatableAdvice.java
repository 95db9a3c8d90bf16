package io.alphaomega.omega.context;

import java.lang.reflect.AccessibleObject;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.stream.Stream;
import org.aopalliance.aop.Advice;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.IntroductionInfo;
import org.springframework.aop.ProxyMethodInvocation;

/**
 * Advice that may proceed as often as it likes. An invocation remembers which advice it has passed, so a second
 * {@code proceed()} on the same object skips all advice further in, as the retries of Spring AMQP 4 do. Here each
 * {@code proceed()} is one of a copy, and passes all of it.
 */
public final class RepeatableAdvice implements MethodInterceptor {
    private final MethodInterceptor advice;

    private RepeatableAdvice(MethodInterceptor advice) {
        this.advice = advice;
    }

    /** The advice, made repeatable if it can repeat anything: only what surrounds a call can. */
    public static Advice of(Advice advice) {
        boolean surrounds = advice instanceof MethodInterceptor && !(advice instanceof IntroductionInfo);
        return surrounds && !(advice instanceof RepeatableAdvice)
                ? new RepeatableAdvice((MethodInterceptor) advice)
                : advice;
    }

    /** A chain of advice that ends with {@code last}, which is called however often what stands before it proceeds. */
    public static Advice[] innermost(Advice last, Advice... before) {
        return Stream.concat(Arrays.stream(before).map(RepeatableAdvice::of), Stream.of(last))
                .toArray(Advice[]::new);
    }

    @Override
    public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
        return advice.invoke(
                invocation instanceof ProxyMethodInvocation proxied ? new RepeatableInvocation(proxied) : invocation);
    }

    /** @param invocation which never proceeds itself, so it stays where it is */
    private record RepeatableInvocation(ProxyMethodInvocation invocation) implements ProxyMethodInvocation {
        @Override
        public @Nullable Object proceed() throws Throwable {
            return invocation.invocableClone().proceed();
        }

        @Override
        public MethodInvocation invocableClone() {
            return invocation.invocableClone();
        }

        @Override
        public MethodInvocation invocableClone(@Nullable Object... arguments) {
            return invocation.invocableClone(arguments);
        }

        @Override
        public Object getProxy() {
            return invocation.getProxy();
        }

        @Override
        public @Nullable Object getThis() {
            return invocation.getThis();
        }

        @Override
        public AccessibleObject getStaticPart() {
            return invocation.getStaticPart();
        }

        @Override
        public Method getMethod() {
            return invocation.getMethod();
        }

        @Override
        @SuppressWarnings("NullAway") // Spring 6 does not say that an argument may be null.
        public @Nullable Object[] getArguments() {
            return invocation.getArguments();
        }

        @Override
        public void setArguments(@Nullable Object... arguments) {
            invocation.setArguments(arguments);
        }

        @Override
        public void setUserAttribute(String key, @Nullable Object value) {
            invocation.setUserAttribute(key, value);
        }

        @Override
        public @Nullable Object getUserAttribute(String key) {
            return invocation.getUserAttribute(key);
        }
    }
}
