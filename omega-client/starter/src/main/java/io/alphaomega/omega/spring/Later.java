package io.alphaomega.omega.spring;

import java.lang.reflect.Method;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.WildcardType;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import org.aopalliance.intercept.MethodInvocation;
import org.springframework.aop.support.AopUtils;
import org.springframework.core.GenericTypeResolver;

/** When the work of a method is done: when it returns, or when what it returned is. */
enum Later {
    NOW,
    /** A {@code CompletableFuture}: the work has begun when it is returned. */
    FUTURE,
    /** Reactor's, which need not be there: nothing has begun before somebody subscribes. */
    MONO,
    FLUX;

    static Later of(Method method) {
        return switch (method.getReturnType().getName()) {
            case "java.util.concurrent.CompletableFuture", "java.util.concurrent.CompletionStage" -> FUTURE;
            case "reactor.core.publisher.Mono" -> MONO;
            case "reactor.core.publisher.Flux" -> FLUX;
            default -> NOW;
        };
    }

    static Later of(MethodInvocation invocation) {
        Object target = invocation.getThis();
        Method method = invocation.getMethod();
        return of(target == null ? method : AopUtils.getMostSpecificMethod(method, target.getClass()));
    }

    /** Whether work begins with a subscription, and runs on any thread. */
    boolean isReactive() {
        return this == MONO || this == FLUX;
    }

    /** The type of what the method says when its work is done. */
    static Type resultType(Method method, Class<?> beanClass) {
        Type declared = GenericTypeResolver.resolveType(method.getGenericReturnType(), beanClass);
        return switch (of(method)) {
            case NOW -> declared;
            case FUTURE, MONO ->
                declared instanceof ParameterizedType of ? valueType(of.getActualTypeArguments()[0]) : Object.class;
            case FLUX -> void.class;
        };
    }

    private static Type valueType(Type argument) {
        if (argument == Void.class) return void.class;
        return argument instanceof WildcardType any ? any.getUpperBounds()[0] : argument;
    }

    /** What failed, without what futures put around it. */
    static Throwable cause(Throwable failure) {
        Throwable cause = failure.getCause();
        boolean around = failure instanceof CompletionException || failure instanceof ExecutionException;
        return around && cause != null ? cause : failure;
    }
}
