package io.alphaomega.omega.spring.definition;

import io.alphaomega.omega.spring.config.OmegaConfigurationException;
import io.alphaomega.omega.spring.method.Names;
import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.config.SmartInstantiationAwareBeanPostProcessor;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.util.ClassUtils;

/** Final classes, and final methods of others: only a proxy by interface can stand in front of them. */
public final class FinalBeans {
    private final ConfigurableListableBeanFactory beans;
    private final OmegaDefinitions definitions;

    public FinalBeans(ConfigurableListableBeanFactory beans, OmegaDefinitions definitions) {
        this.beans = beans;
        this.definitions = definitions;
    }

    /** Whether a proxy by interface has the method of that class. */
    public static boolean isOfInterface(Method method, Class<?> beanClass) {
        return ClassUtils.getAllInterfacesForClassAsSet(beanClass).stream()
                .anyMatch(each -> ClassUtils.hasMethod(each, method.getName(), method.getParameterTypes()));
    }

    /**
     * Requires that a proxy can stand in front of the annotated methods of the bean.
     *
     * @throws OmegaConfigurationException if Spring's proxy of the bean could not intercept what omega needs it for
     */
    public void require(String beanName, Object bean, Class<?> beanClass) {
        if (Proxy.isProxyClass(bean.getClass())) return;
        roles(beanClass).forEach((method, role) -> {
            boolean isFinal = Modifier.isFinal(method.getModifiers()) || Modifier.isFinal(beanClass.getModifiers());
            if (!isFinal || isProxiedByInterface(BeanFactoryUtils.transformedBeanName(beanName), beanClass)) return;
            AnnotationReader.requireNotFinal(method, beanClass, role);
        });
    }

    /** What is called through the proxy, and what it is. */
    private Map<Method, String> roles(Class<?> beanClass) {
        Map<Method, String> roles = new LinkedHashMap<>();
        for (Method method : AnnotatedMethods.parts(beanClass)) {
            roles.put(method, "is " + annotation(method, AnnotatedMethods.PARTS));
            BranchDefinition branch = definitions.branch(method, beanClass);
            if (branch == null) continue;
            put(roles, branch.compensation());
            if (branch.confirmation() != null) put(roles, branch.confirmation());
        }
        for (Method method : AnnotatedMethods.sequels(beanClass)) {
            roles.put(method, "is " + annotation(method, AfterMethods.ANNOTATIONS));
        }
        return roles;
    }

    private static void put(Map<Method, String> roles, CallbackMethod callback) {
        roles.putIfAbsent(callback.method(), "is " + callback.role().predicate);
    }

    private static String annotation(Method method, List<Class<? extends Annotation>> any) {
        return any.stream()
                .filter(each -> AnnotatedElementUtils.hasAnnotation(method, each)
                        || AnnotatedElementUtils.hasAnnotation(method.getDeclaringClass(), each))
                .findFirst()
                .map(each -> Names.annotation(method, each))
                .orElse("annotated");
    }

    /** As Spring says beforehand; that it cannot make another proxy of it, it says by an exception. */
    private boolean isProxiedByInterface(String beanName, Class<?> beanClass) {
        return beans.getBeanProvider(SmartInstantiationAwareBeanPostProcessor.class).stream()
                .anyMatch(each -> isProxiedByInterface(each, beanName, beanClass));
    }

    private static boolean isProxiedByInterface(
            SmartInstantiationAwareBeanPostProcessor processor, String beanName, Class<?> beanClass) {
        try {
            Class<?> type = processor.determineBeanType(beanClass, beanName);
            return type != null && Proxy.isProxyClass(type);
        } catch (RuntimeException itIsFinal) {
            return false;
        }
    }
}
