package io.alphaomega.omega.spring.definition;

import io.alphaomega.omega.spring.config.OmegaConfigurationException;
import io.alphaomega.omega.spring.method.Names;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import org.springframework.aop.framework.Advised;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

/**
 * Finished objects that are registered (by {@code registerSingleton}): Spring puts no proxy around them, and no
 * post-processor sees one. Those of startup are looked at then, later ones before the next saga or branch begins.
 */
public final class LateSingletons {
    private final ConfigurableListableBeanFactory beans;

    /** How many singletons there were at the last look; none before startup is over. */
    private volatile int seen = -1;

    public LateSingletons(ConfigurableListableBeanFactory beans) {
        this.beans = beans;
    }

    void started() {
        seen = beans.getSingletonCount();
    }

    /** @throws OmegaConfigurationException if one is there whose annotations do nothing */
    void refuse() {
        int before = seen;
        int now = beans.getSingletonCount();
        if (before < 0 || now == before) return;
        for (String name : beans.getSingletonNames()) {
            if (!beans.containsBeanDefinition(name)) require(name);
        }
        seen = now;
    }

    private void require(String name) {
        Object bean = beans.getSingleton(name);
        Class<?> beanClass = bean == null || bean instanceof Advised ? null : Participants.classOf(bean);
        if (beanClass != null && AnnotatedMethods.areIn(beanClass)) throw refusal(name, beanClass);
    }

    public static OmegaConfigurationException refusal(String name, Class<?> beanClass) {
        List<Method> methods = new ArrayList<>(AnnotatedMethods.parts(beanClass));
        methods.addAll(AnnotatedMethods.sequels(beanClass));
        return new OmegaConfigurationException(
                "%s has a saga annotation, but its bean '%s' was registered as a finished object (registerSingleton), around which Spring puts no proxy: nothing would happen."
                        .formatted(Names.of(methods.get(0)), name),
                "Register a bean definition, as by registerBean(\"%s\", %s.class, () -> …)."
                        .formatted(name, beanClass.getSimpleName()));
    }
}
