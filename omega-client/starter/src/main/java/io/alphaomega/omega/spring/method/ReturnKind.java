package io.alphaomega.omega.spring.method;

import java.lang.reflect.Method;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.WildcardType;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.ProxyMethodInvocation;
import org.springframework.aop.support.AopUtils;

/** When the work of a method is done: when it returns, or when what it returned is. */
public enum ReturnKind {
    NOW,
    /** A {@code CompletableFuture}: the work has begun when it is returned. */
    FUTURE,
    /** Reactor's, which need not be there: nothing has begun before somebody subscribes. To advice, a suspend function. */
    MONO,
    /** Or a {@code Flow}. */
    FLUX;

    public static ReturnKind of(Method method) {
        if (KotlinFunctions.returnsFlow(method)) return FLUX;
        if (KotlinFunctions.isSuspend(method)) return MONO;
        return switch (method.getReturnType().getName()) {
            case "java.util.concurrent.CompletableFuture", "java.util.concurrent.CompletionStage" -> FUTURE;
            case "reactor.core.publisher.Mono" -> MONO;
            case "reactor.core.publisher.Flux" -> FLUX;
            default -> NOW;
        };
    }

    public static ReturnKind of(MethodInvocation invocation) {
        return of(called(invocation));
    }

    /** The method of the bean's class. */
    public static Method called(MethodInvocation invocation) {
        Object target = invocation.getThis();
        Method method = invocation.getMethod();
        return target == null ? method : AopUtils.getMostSpecificMethod(method, target.getClass());
    }

    /** Calls the method once more, in the saga that this thread is in. */
    public static @Nullable Object proceed(ProxyMethodInvocation invocation) throws Throwable {
        return KotlinFunctions.isSuspend(invocation.getMethod())
                ? Coroutines.proceed(invocation)
                : invocation.invocableClone().proceed();
    }

    /** How sentences say it, such as "returns a Mono". */
    public static String said(Method method) {
        return KotlinFunctions.isSuspend(method)
                ? "is a suspend function"
                : "returns a " + method.getReturnType().getSimpleName();
    }

    /** Whether work begins with a subscription, and runs on any thread. */
    public boolean isReactive() {
        return this == MONO || this == FLUX;
    }

    /** The type of what the method says when its work is done. */
    public static Type resultType(Method method, Class<?> beanClass) {
        Type declared = ResolvedTypes.of(KotlinFunctions.resultType(method), beanClass);
        ReturnKind later = of(method);
        if (later == MONO && KotlinFunctions.isSuspend(method)) return valueType(declared);
        return switch (later) {
            case NOW -> declared;
            case FUTURE, MONO ->
                declared instanceof ParameterizedType of ? valueType(of.getActualTypeArguments()[0]) : Object.class;
            case FLUX -> void.class;
        };
    }

    private static Type valueType(Type argument) {
        if (argument == Void.class || argument.getTypeName().equals("kotlin.Unit")) return void.class;
        return argument instanceof WildcardType any ? any.getUpperBounds()[0] : argument;
    }

    /** What failed, without what futures put around it. */
    public static Throwable cause(Throwable failure) {
        Throwable cause = failure.getCause();
        boolean around = failure instanceof CompletionException || failure instanceof ExecutionException;
        return around && cause != null ? cause : failure;
    }
}
