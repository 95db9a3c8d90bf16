package io.alphaomega.omega.spring.method;

import java.lang.annotation.Annotation;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.stream.Collectors;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;
import org.springframework.util.ClassUtils;

/** How sentences name methods. */
public final class Names {
    private Names() {}

    /** {@code HotelService.book}. */
    public static String operation(Class<?> beanClass, Method method) {
        return ClassUtils.getShortName(beanClass) + "." + method.getName();
    }

    /** {@code HotelService.book(String, int)}. */
    public static String of(Method method) {
        return ClassUtils.getShortName(method.getDeclaringClass()) + "." + method.getName() + "("
                + types(Arrays.copyOf(method.getParameterTypes(), KotlinFunctions.parameterCount(method))) + ")";
    }

    /**
     * {@code @Participate}: the annotation as it is written, on the method or its type; it may be one that only has the wanted
     * one.
     */
    public static String annotation(Method method, Class<? extends Annotation> wanted) {
        MergedAnnotation<?> found = find(method, wanted);
        if (!found.isPresent()) found = find(method.getDeclaringClass(), wanted);
        Class<?> written = found.isPresent() ? found.getRoot().getType() : wanted;
        return "@" + written.getSimpleName();
    }

    private static MergedAnnotation<?> find(AnnotatedElement on, Class<? extends Annotation> wanted) {
        return MergedAnnotations.from(on, SearchStrategy.TYPE_HIERARCHY).get(wanted);
    }

    static String types(Class<?>... types) {
        return Arrays.stream(types).map(Class::getSimpleName).collect(Collectors.joining(", "));
    }
}
