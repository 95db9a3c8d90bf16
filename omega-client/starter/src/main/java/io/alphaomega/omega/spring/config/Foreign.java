package io.alphaomega.omega.spring.config;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/** Objects of libraries that a service need not have. */
public final class Foreign {
    private Foreign() {}

    /**
     * What a method without parameters returns; null if the object has none of that name. An interface's is taken where
     * there is one, since the class of a proxy and those that a library hides need not be accessible.
     */
    public static @Nullable Object ask(Object of, String question) {
        List<Class<?>> types = new ArrayList<>(Arrays.asList(ClassUtils.getAllInterfacesForClass(of.getClass())));
        types.add(of.getClass());
        for (Class<?> type : types) {
            Method method = ReflectionUtils.findMethod(type, question);
            if (method != null) return ReflectionUtils.invokeMethod(method, of);
        }
        return null;
    }
}
