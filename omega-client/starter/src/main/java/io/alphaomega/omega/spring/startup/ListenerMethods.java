package io.alphaomega.omega.spring.startup;

import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.springframework.aop.scope.ScopedProxyUtils;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.util.ClassUtils;

/** The methods of beans to which messages come. */
public final class ListenerMethods {
    private ListenerMethods() {}

    /** Those with this annotation. */
    public static List<Method> of(ConfigurableListableBeanFactory beans, Class<? extends Annotation> listener) {
        List<Method> found = new ArrayList<>();
        for (String name : beans.getBeanDefinitionNames()) {
            Class<?> type = ScopedProxyUtils.isScopedTarget(name) ? null : beans.getType(name, false);
            if (type != null) found.addAll(of(ClassUtils.getUserClass(type), listener));
        }
        return found;
    }

    private static Set<Method> of(Class<?> beanClass, Class<? extends Annotation> listener) {
        if (!AnnotationUtils.isCandidateClass(beanClass, listener)) return Set.of();
        return MethodIntrospector.selectMethods(beanClass, (MethodIntrospector.MetadataLookup<Method>)
                        method -> AnnotatedElementUtils.hasAnnotation(method, listener) ? method : null)
                .keySet();
    }
}
