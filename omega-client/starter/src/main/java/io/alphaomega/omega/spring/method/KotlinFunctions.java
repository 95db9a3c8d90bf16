package io.alphaomega.omega.spring.method;

import java.lang.reflect.Method;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.WildcardType;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.springframework.core.KotlinDetector;
import org.springframework.core.ResolvableType;
import org.springframework.util.ClassUtils;

/**
 * How Kotlin compiles functions that may suspend: with a last parameter, the continuation, which is told the result.
 * Knows names only; what needs Kotlin itself is in {@link Coroutines}.
 */
public final class KotlinFunctions {
    private static final String CONTINUATION = "kotlin.coroutines.Continuation";
    private static final String FLOW = "kotlinx.coroutines.flow.Flow";

    /** Whether Spring can call them: it does so by Reactor. */
    private static final boolean PRESENT =
            isPresent("kotlinx.coroutines.reactor.MonoKt") && isPresent("kotlin.reflect.full.KClasses");

    private KotlinFunctions() {}

    private static boolean isPresent(String name) {
        return ClassUtils.isPresent(name, KotlinFunctions.class.getClassLoader());
    }

    public static boolean isSuspend(Method method) {
        int count = method.getParameterCount();
        return count > 0 && method.getParameterTypes()[count - 1].getName().equals(CONTINUATION);
    }

    /** Whether it returns a {@code Flow}, at once or after it has suspended. */
    public static boolean returnsFlow(Method method) {
        Class<?> result =
                isSuspend(method) ? ResolvableType.forType(resultType(method)).toClass() : method.getReturnType();
        return result.getName().equals(FLOW);
    }

    /** Whether that is a {@code Flow}. */
    static boolean isFlow(Object returned) {
        return PRESENT && Coroutines.isFlow(returned);
    }

    /** Whether Spring takes the method for what it looks like, and has what it calls such a one with. */
    public static boolean areCallable(Method method) {
        return PRESENT && (!isSuspend(method) || KotlinDetector.isSuspendingFunction(method));
    }

    /** How many parameters its callers see. */
    public static int parameterCount(Method method) {
        return isSuspend(method) ? method.getParameterCount() - 1 : method.getParameterCount();
    }

    /** What its callers have passed. */
    public static @Nullable Object[] arguments(Method method, @Nullable Object[] arguments) {
        return isSuspend(method) ? Arrays.copyOf(arguments, arguments.length - 1) : arguments;
    }

    /** The declared type of its result. */
    public static Type resultType(Method method) {
        if (!isSuspend(method)) return method.getGenericReturnType();
        Type continuation = method.getGenericParameterTypes()[method.getParameterCount() - 1];
        if (!(continuation instanceof ParameterizedType of)) return Object.class;
        Type told = of.getActualTypeArguments()[0];
        return told instanceof WildcardType any && any.getLowerBounds().length > 0 ? any.getLowerBounds()[0] : told;
    }
}
