package io.alphaomega.omega.spring;

import io.alphaomega.omega.Compensable;
import io.alphaomega.omega.SagaEnd;
import io.alphaomega.omega.SagaStart;
import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.springframework.aop.framework.AopInfrastructureBean;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils.MethodFilter;

/**
 * Finds the beans that use omega's annotations, offers their callbacks, and refuses what would make sagas lie: the
 * annotations before a bean is proxied, the proxies when all are made.
 */
final class AnnotatedBeans implements BeanPostProcessor, SmartInitializingSingleton {
    private static final List<Class<? extends Annotation>> ANNOTATIONS =
            List.of(SagaStart.class, SagaEnd.class, Compensable.class);

    private final ConfigurableListableBeanFactory beans;
    private final OmegaDefinitions definitions;
    private final Callbacks callbacks;
    private final AfterMethods afterMethods;
    private final Supplier<LocalWork> localWork;
    private final Supplier<Payloads> payloads;
    private final Supplier<OmegaProperties> properties;
    private final Supplier<RetentionCheck> retention;
    private final Set<String> passed = ConcurrentHashMap.newKeySet();
    private final Map<String, Class<?>> annotated = new ConcurrentHashMap<>();

    /**
     * @param localWork asked for when all beans are there
     * @param payloads likewise
     * @param properties likewise
     * @param retention likewise
     */
    AnnotatedBeans(
            ConfigurableListableBeanFactory beans,
            OmegaDefinitions definitions,
            Callbacks callbacks,
            Supplier<LocalWork> localWork,
            Supplier<Payloads> payloads,
            Supplier<OmegaProperties> properties,
            Supplier<RetentionCheck> retention) {
        this.beans = beans;
        this.definitions = definitions;
        this.callbacks = callbacks;
        this.afterMethods = new AfterMethods(definitions, callbacks);
        this.localWork = localWork;
        this.payloads = payloads;
        this.properties = properties;
        this.retention = retention;
    }

    @Override
    public Object postProcessBeforeInitialization(Object bean, String beanName) {
        passed.add(beanName);
        if (!(bean instanceof AopInfrastructureBean)) read(beanName, ClassUtils.getUserClass(bean));
        return bean;
    }

    private void read(String beanName, Class<?> beanClass) {
        for (Method method : annotatedMethods(beanClass)) {
            annotated.put(beanName, beanClass);
            definitions.saga(method, beanClass);
            BranchDefinition branch = definitions.branch(method, beanClass);
            if (branch != null) {
                requireSingleton(beanName, method);
                branch.callbacks().forEach(callback -> callbacks.offer(beanName, callback));
                afterMethods.addBranch(beanName, beanClass, method);
            }
        }
        for (Method method : afterMethods(beanClass)) {
            requireSingleton(beanName, method);
            afterMethods.add(beanName, beanClass, method);
        }
    }

    @Override
    public void afterSingletonsInstantiated() {
        makeLazyOnes();
        readEarlyOnes();
        LaterChecks later = new LaterChecks();
        Unguarded unguarded = new Unguarded();
        List<AfterMethods.Bound> bound = afterMethods.bind();
        annotated.forEach((name, beanClass) -> {
            if (!beans.containsSingleton(name)) return;
            refuseSelfInvocations(beanClass);
            ProxyChecks checks = new ProxyChecks(beans.getBean(name), beanClass, localWork.get(), beans, later);
            for (Method method : annotatedMethods(beanClass)) {
                BranchDefinition branch = definitions.branch(method, beanClass);
                checks.check(method, definitions.saga(method, beanClass), branch);
                if (branch == null) continue;
                payloads.get().check(branch, localWork.get().keepsResults(branch));
                unguarded.add(branch, localWork.get());
            }
        });
        later.warn();
        if (properties.get().fence().enabled()) unguarded.warn();
        for (AfterMethods.Bound each : bound) {
            new ProxyChecks(beans.getBean(each.bean()), each.beanClass(), localWork.get(), beans, later)
                    .checkCallback(each.branch(), each.callback());
        }
        checkRetention();
    }

    private void checkRetention() {
        RetentionCheck check = retention.get();
        List<BranchDefinition> fenced = new ArrayList<>();
        annotated.forEach((name, beanClass) -> {
            for (Method method : annotatedMethods(beanClass)) {
                SagaDefinition saga = definitions.saga(method, beanClass);
                BranchDefinition branch = definitions.branch(method, beanClass);
                if (saga != null) check.add(saga);
                if (branch != null && localWork.get().fences(branch)) fenced.add(branch);
            }
        });
        fenced.forEach(check::require);
    }

    /** Alpha may call back a bean that nobody here has called yet. */
    private void makeLazyOnes() {
        for (String name : beans.getBeanDefinitionNames()) {
            BeanDefinition definition = beans.getMergedBeanDefinition(name);
            if (definition.isAbstract() || beans.containsSingleton(name)) continue;
            Class<?> type = beans.getType(name, false);
            if (type == null) continue;
            Class<?> userClass = ClassUtils.getUserClass(type);
            if (!definition.isSingleton()) {
                afterMethods(userClass).forEach(method -> requireSingleton(name, method));
                continue;
            }
            boolean needed = !annotatedMethods(userClass).isEmpty()
                    || !afterMethods(userClass).isEmpty();
            if (needed) beans.getBean(name);
        }
    }

    /** What was made before this processor, because another one needed it, has not come by. */
    private void readEarlyOnes() {
        for (String name : beans.getBeanDefinitionNames()) {
            if (passed.contains(name)) continue;
            Object early = beans.getSingleton(name);
            if (early != null && !(early instanceof AopInfrastructureBean)) {
                read(name, AopProxyUtils.ultimateTargetClass(early));
            }
        }
    }

    private static void refuseSelfInvocations(Class<?> beanClass) {
        Map<String, String> annotated = new HashMap<>();
        for (Method method : annotatedMethods(beanClass)) {
            // What a type says of all its methods is no promise of one when another calls it.
            if (!SagaStarts.isStartByType(method, beanClass))
                annotated.put(SelfInvocations.key(method), Names.of(method));
        }
        String found = SelfInvocations.find(beanClass, annotated);
        if (found == null) return;
        throw new OmegaConfigurationException(
                "In %s, %s: the call does not pass Spring's proxy, so its saga annotation would do nothing."
                        .formatted(beanClass.getName(), found),
                "Move one of the two methods to another bean.");
    }

    private void requireSingleton(String beanName, Method method) {
        if (beans.containsBeanDefinition(beanName)
                && !beans.getMergedBeanDefinition(beanName).isSingleton()) {
            throw new OmegaConfigurationException(
                    "%s is %s, but its bean '%s' is not a singleton: alpha's callbacks could not find the right one."
                            .formatted(Names.of(method), annotation(method), beanName),
                    "Make the bean a singleton, or move the method into one.");
        }
    }

    private static String annotation(Method method) {
        return Stream.concat(Stream.of(Compensable.class), AfterMethods.ANNOTATIONS.stream())
                .filter(annotation -> AnnotatedElementUtils.hasAnnotation(method, annotation))
                .map(annotation -> Names.annotation(method, annotation))
                .collect(Collectors.joining(" and "));
    }

    private static List<Method> annotatedMethods(Class<?> beanClass) {
        boolean byType = SagaStarts.isAnnotatedType(beanClass);
        return methods(
                beanClass,
                ANNOTATIONS,
                method -> has(method, ANNOTATIONS) || (byType && SagaStarts.isStartByType(method, beanClass)));
    }

    private static List<Method> afterMethods(Class<?> beanClass) {
        return methods(beanClass, AfterMethods.ANNOTATIONS, method -> has(method, AfterMethods.ANNOTATIONS));
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
