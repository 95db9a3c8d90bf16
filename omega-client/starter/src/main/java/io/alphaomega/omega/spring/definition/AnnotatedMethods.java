package io.alphaomega.omega.spring.definition;

import io.alphaomega.omega.Compensable;
import io.alphaomega.omega.SagaEnd;
import io.alphaomega.omega.SagaStart;
import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.util.List;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.util.ReflectionUtils.MethodFilter;

/** The methods of a class with omega's annotations, written there or on what they override. */
public final class AnnotatedMethods {
    static final List<Class<? extends Annotation>> PARTS = List.of(SagaStart.class, SagaEnd.class, Compensable.class);

    private AnnotatedMethods() {}

    /** Those that have a part in sagas. */
    public static List<Method> parts(Class<?> beanClass) {
        boolean byType = SagaStarts.isAnnotatedType(beanClass);
        return methods(
                beanClass,
                PARTS,
                method -> has(method, PARTS) || (byType && SagaStarts.isStartByType(method, beanClass)));
    }

    /** Those that follow the decision. */
    public static List<Method> sequels(Class<?> beanClass) {
        return methods(beanClass, AfterMethods.ANNOTATIONS, method -> has(method, AfterMethods.ANNOTATIONS));
    }

    public static boolean areIn(Class<?> beanClass) {
        return !parts(beanClass).isEmpty() || !sequels(beanClass).isEmpty();
    }

    private static boolean has(Method method, List<Class<? extends Annotation>> annotations) {
        return annotations.stream().anyMatch(each -> AnnotatedElementUtils.hasAnnotation(method, each));
    }

    private static List<Method> methods(
            Class<?> beanClass, List<Class<? extends Annotation>> annotations, MethodFilter which) {
        if (!AnnotationUtils.isCandidateClass(beanClass, annotations)) return List.of();
        return List.copyOf(MethodIntrospector.selectMethods(beanClass, which));
    }
}
