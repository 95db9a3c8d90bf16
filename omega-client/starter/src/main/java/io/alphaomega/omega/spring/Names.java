package io.alphaomega.omega.spring;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.stream.Collectors;
import org.springframework.util.ClassUtils;

/** How sentences name methods. */
final class Names {
    private Names() {}

    /** {@code HotelService.book}. */
    static String operation(Class<?> beanClass, Method method) {
        return ClassUtils.getShortName(beanClass) + "." + method.getName();
    }

    /** {@code HotelService.book(String, int)}. */
    static String of(Method method) {
        return ClassUtils.getShortName(method.getDeclaringClass()) + "." + method.getName() + "("
                + types(method.getParameterTypes()) + ")";
    }

    static String types(Class<?>... types) {
        return Arrays.stream(types).map(Class::getSimpleName).collect(Collectors.joining(", "));
    }
}
