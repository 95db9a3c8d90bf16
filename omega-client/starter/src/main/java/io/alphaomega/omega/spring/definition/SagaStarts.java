package io.alphaomega.omega.spring.definition;

import io.alphaomega.omega.AfterAbort;
import io.alphaomega.omega.AfterCommit;
import io.alphaomega.omega.Compensable;
import io.alphaomega.omega.SagaEnd;
import io.alphaomega.omega.SagaStart;
import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.Pointcut;
import org.springframework.aop.support.AopUtils;
import org.springframework.aop.support.StaticMethodMatcherPointcut;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/**
 * Where {@link SagaStart} stands: on a method, or on its class or an interface for all its public methods that say nothing of
 * sagas themselves. Which those are is read as of {@code @Transactional}.
 */
public final class SagaStarts {
    /** Who says one of these has another part in sagas than to begin them. */
    private static final List<Class<? extends Annotation>> OTHER_PARTS =
            List.of(SagaEnd.class, Compensable.class, AfterCommit.class, AfterAbort.class);

    private SagaStarts() {}

    /** What the method says, or its type for it. */
    public static @Nullable SagaStart of(Method method, Class<?> beanClass) {
        SagaStart own = AnnotatedElementUtils.findMergedAnnotation(method, SagaStart.class);
        return own == null ? ofType(method, beanClass) : own;
    }

    /** Whether the class, or what it extends or implements, says it. */
    static boolean isAnnotatedType(Class<?> beanClass) {
        return AnnotatedElementUtils.hasAnnotation(beanClass, SagaStart.class);
    }

    /** Whether the type of the method says it, and the method itself does not. */
    public static boolean isStartByType(Method method, Class<?> beanClass) {
        return !AnnotatedElementUtils.hasAnnotation(method, SagaStart.class) && ofType(method, beanClass) != null;
    }

    /** The methods that a type says it for. */
    public static Pointcut ofTypes() {
        StaticMethodMatcherPointcut pointcut = new StaticMethodMatcherPointcut() {
            @Override
            public boolean matches(Method method, Class<?> targetClass) {
                return isStartByType(AopUtils.getMostSpecificMethod(method, targetClass), targetClass);
            }
        };
        pointcut.setClassFilter(SagaStarts::isAnnotatedType);
        return pointcut;
    }

    private static @Nullable SagaStart ofType(Method method, Class<?> beanClass) {
        SagaStart start = AnnotatedElementUtils.findMergedAnnotation(method.getDeclaringClass(), SagaStart.class);
        return start != null && mayBegin(method, ClassUtils.getUserClass(beanClass)) ? start : null;
    }

    private static boolean mayBegin(Method method, Class<?> beanClass) {
        return Modifier.isPublic(method.getModifiers())
                && !Modifier.isStatic(method.getModifiers())
                && !method.isSynthetic()
                && ReflectionUtils.findMethod(Object.class, method.getName(), method.getParameterTypes()) == null
                && OTHER_PARTS.stream().noneMatch(part -> AnnotatedElementUtils.hasAnnotation(method, part))
                && CallbackFinder.named(beanClass).stream().noneMatch(name -> CallbackFinder.isNamed(method, name));
    }
}
