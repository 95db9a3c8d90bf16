package io.alphaomega.omega.spring.startup;

import io.alphaomega.omega.spring.advice.BranchInterceptor;
import io.alphaomega.omega.spring.advice.SagaInterceptor;
import io.alphaomega.omega.spring.config.OmegaConfigurationException;
import io.alphaomega.omega.spring.definition.AnnotatedMethods;
import io.alphaomega.omega.spring.definition.Participants;
import io.alphaomega.omega.spring.method.Names;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.framework.Advised;
import org.springframework.aop.framework.AopInfrastructureBean;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.beans.factory.config.AutowireCapableBeanFactory;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationListener;
import org.springframework.context.event.ContextRefreshedEvent;
import org.springframework.util.ClassUtils;

/**
 * Contexts below or above the one with omega that have none of their own. Spring's proxies of a context apply the advice of
 * its parent only if they are of AspectJ's kind, so the annotations of its beans may do nothing; that is refused. Contexts
 * without such beans, as that of the actuator on a port of its own or of a Feign client, are left as they are.
 */
public final class ChildContexts implements ApplicationListener<ContextRefreshedEvent> {
    /** Spring tells a context what is published in its children. */
    @Override
    public void onApplicationEvent(ContextRefreshedEvent refreshed) {
        ApplicationContext child = refreshed.getApplicationContext();
        if (!child.getEnvironment().getProperty("omega.enabled", Boolean.class, true)) return;
        AutowireCapableBeanFactory factory = child.getAutowireCapableBeanFactory();
        if (!(factory instanceof ConfigurableListableBeanFactory beans) || hasOmega(beans)) return;
        Check check = new Check("a child application context that has no omega of its own");
        check.all(beans);
        // What is lazy or of another scope comes by when it is made.
        beans.addBeanPostProcessor(check);
    }

    /** Here it has to be the child that looks: its parent knows nothing of omega. */
    static void requireNoneAbove(ConfigurableListableBeanFactory beans) {
        Check check = new Check("a parent application context that has no omega");
        ConfigurableListableBeanFactory above = parent(beans);
        while (above != null && !hasOmega(above)) {
            check.all(above);
            check.allToCome(above);
            above = parent(above);
        }
    }

    private static @Nullable ConfigurableListableBeanFactory parent(ConfigurableListableBeanFactory beans) {
        BeanFactory parent = beans.getParentBeanFactory();
        Object known = parent instanceof ApplicationContext context ? context.getAutowireCapableBeanFactory() : parent;
        return known instanceof ConfigurableListableBeanFactory above ? above : null;
    }

    private static boolean hasOmega(ConfigurableListableBeanFactory beans) {
        return beans.getBeanNamesForType(AnnotatedBeans.class, false, false).length > 0;
    }

    @Override
    public boolean supportsAsyncExecution() {
        return false; // A context fails to start on its own thread only.
    }

    /** Whether what is annotated is advised. */
    private record Check(String where) implements BeanPostProcessor {
        /** Those that are made. */
        void all(ConfigurableListableBeanFactory beans) {
            for (String name : beans.getBeanDefinitionNames()) {
                Object bean = beans.containsSingleton(name) ? beans.getSingleton(name) : null;
                if (bean instanceof FactoryBean) bean = product(beans, name);
                if (bean != null) require(bean, name);
            }
        }

        private static @Nullable Object product(ConfigurableListableBeanFactory beans, String name) {
            Class<?> type = beans.getType(name, false);
            boolean mayTakePart = type != null && !type.isInterface() && AnnotatedMethods.areIn(type);
            return mayTakePart && beans.isSingleton(name) ? beans.getBean(name) : null;
        }

        /** Those that are not, where there is no advice for them. */
        void allToCome(ConfigurableListableBeanFactory beans) {
            for (String name : beans.getBeanDefinitionNames()) {
                Class<?> type = beans.containsSingleton(name) ? null : beans.getType(name, false);
                if (type == null || type.isInterface()) continue; // What is an interface may be a client.
                Class<?> userClass = ClassUtils.getUserClass(type);
                AnnotatedMethods.parts(userClass).stream().findFirst().ifPresent(method -> {
                    throw refusal(method, name);
                });
            }
        }

        @Override
        public Object postProcessAfterInitialization(Object bean, String beanName) {
            require(bean, beanName);
            return bean;
        }

        private void require(Object bean, String name) {
            if (bean instanceof AopInfrastructureBean || bean instanceof FactoryBean) return;
            Class<?> beanClass = Participants.classOf(bean);
            if (beanClass == null) return;
            List<Method> sequels = AnnotatedMethods.sequels(beanClass);
            if (!sequels.isEmpty()) throw refusal(sequels.get(0), name);
            List<Method> parts = AnnotatedMethods.parts(beanClass);
            if (!parts.isEmpty() && !isAdvised(bean)) throw refusal(parts.get(0), name);
        }

        private static boolean isAdvised(Object bean) {
            return bean instanceof Advised advised
                    && Arrays.stream(advised.getAdvisors())
                            .anyMatch(advisor -> advisor.getAdvice() instanceof SagaInterceptor
                                    || advisor.getAdvice() instanceof BranchInterceptor);
        }

        private OmegaConfigurationException refusal(Method method, String name) {
            return new OmegaConfigurationException(
                    "%s has a saga annotation, but its bean '%s' is in %s: the annotation would do nothing."
                            .formatted(Names.of(method), name, where),
                    "Move the bean to the context with omega, or start omega in its context: have Spring Boot's"
                            + " auto-configuration there, and only there.");
        }
    }
}
