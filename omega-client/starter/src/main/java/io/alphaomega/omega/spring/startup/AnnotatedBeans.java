package io.alphaomega.omega.spring.startup;

import io.alphaomega.omega.Compensable;
import io.alphaomega.omega.spring.advice.Decorators;
import io.alphaomega.omega.spring.advice.RepeatableAdvisors;
import io.alphaomega.omega.spring.config.IntendedClients;
import io.alphaomega.omega.spring.config.OmegaConfigurationException;
import io.alphaomega.omega.spring.config.OmegaProperties;
import io.alphaomega.omega.spring.definition.AfterMethods;
import io.alphaomega.omega.spring.definition.AnnotatedMethods;
import io.alphaomega.omega.spring.definition.BranchDefinition;
import io.alphaomega.omega.spring.definition.Bystanders;
import io.alphaomega.omega.spring.definition.CallbackFinder;
import io.alphaomega.omega.spring.definition.FinalBeans;
import io.alphaomega.omega.spring.definition.LateSingletons;
import io.alphaomega.omega.spring.definition.OfferedCallbacks;
import io.alphaomega.omega.spring.definition.OmegaDefinitions;
import io.alphaomega.omega.spring.definition.Participants;
import io.alphaomega.omega.spring.definition.RetentionCheck;
import io.alphaomega.omega.spring.definition.SagaDefinition;
import io.alphaomega.omega.spring.definition.SagaStarts;
import io.alphaomega.omega.spring.fencing.FencedExecution;
import io.alphaomega.omega.spring.method.Names;
import io.alphaomega.omega.spring.payload.Payloads;
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
import org.springframework.aop.framework.Advised;
import org.springframework.aop.framework.AopInfrastructureBean;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.annotation.Configurable;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.util.ClassUtils;

/**
 * Finds the beans that use omega's annotations, offers their callbacks, and refuses what would make sagas lie: the
 * annotations before a bean is proxied, the proxies when all are made.
 */
public final class AnnotatedBeans implements BeanPostProcessor, SmartInitializingSingleton {
    private final ConfigurableListableBeanFactory beans;
    private final OmegaDefinitions definitions;
    private final FinalBeans finalBeans;
    private final OfferedCallbacks callbacks;
    private final AfterMethods afterMethods;
    private final Supplier<FencedExecution> localWork;
    private final Supplier<Payloads> payloads;
    private final Supplier<OmegaProperties> properties;
    private final Supplier<RetentionCheck> retention;
    private final Set<String> passed = ConcurrentHashMap.newKeySet();
    private final Map<String, Class<?>> annotated = new ConcurrentHashMap<>();

    /** Objects that have come by under a name that no bean has, so far. */
    private final Map<String, Class<?>> nameless = new ConcurrentHashMap<>();

    private final Bystanders bystanders = new Bystanders();
    private volatile boolean started;

    /**
     * @param localWork asked for when all beans are there
     * @param payloads likewise
     * @param properties likewise
     * @param retention likewise
     */
    public AnnotatedBeans(
            ConfigurableListableBeanFactory beans,
            OmegaDefinitions definitions,
            OfferedCallbacks callbacks,
            Supplier<FencedExecution> localWork,
            Supplier<Payloads> payloads,
            Supplier<OmegaProperties> properties,
            Supplier<RetentionCheck> retention) {
        this.beans = beans;
        this.definitions = definitions;
        this.finalBeans = new FinalBeans(beans, definitions);
        this.callbacks = callbacks;
        this.afterMethods = new AfterMethods(definitions, callbacks, bystanders::isMocked);
        this.localWork = localWork;
        this.payloads = payloads;
        this.properties = properties;
        this.retention = retention;
    }

    @Override
    public Object postProcessBeforeInitialization(Object bean, String beanName) {
        come(bean instanceof FactoryBean ? BeanFactory.FACTORY_BEAN_PREFIX + beanName : beanName, bean);
        return bean;
    }

    /** The product of a factory bean comes by here only. */
    @Override
    public Object postProcessAfterInitialization(Object bean, String beanName) {
        boolean mayBeProduct = !started || isOfFactory(beanName);
        if (mayBeProduct && !(bean instanceof FactoryBean) && !passed.contains(beanName)) come(beanName, bean);
        return bean;
    }

    /** What is made by {@code new} and configured by Spring may have no name at all. */
    private boolean isOfFactory(String beanName) {
        return !beanName.isEmpty() && beans.containsLocalBean(BeanFactory.FACTORY_BEAN_PREFIX + beanName);
    }

    private void come(String beanName, Object bean) {
        if (!started) passed.add(beanName);
        if (bean instanceof AopInfrastructureBean) return;
        Class<?> beanClass = Participants.classOf(bean);
        if (beanClass == null) {
            bystanders.add(beanName, bean);
            return;
        }
        if (read(beanName, beanClass)) finalBeans.require(beanName, bean, beanClass);
    }

    /** Whether there was something, and it is known under its name. */
    private boolean read(String beanName, Class<?> beanClass) {
        List<Method> parts = AnnotatedMethods.parts(beanClass);
        List<Method> sequels = AnnotatedMethods.sequels(beanClass);
        if (parts.isEmpty() && sequels.isEmpty()) return false;
        if (!parts.isEmpty()) refuseConfigurable(beanName, beanClass, parts.get(0));
        if (!beans.containsLocalBean(beanName) && !started) {
            nameless.put(beanName, beanClass);
            return false;
        }
        for (Method method : parts) {
            annotated.put(beanName, beanClass);
            definitions.saga(method, beanClass);
            BranchDefinition branch = definitions.branch(method, beanClass);
            if (branch == null) continue;
            requireFindable(beanName, method);
            if (started) {
                callbacks.requireOffered(beanName, branch.compensation());
                continue;
            }
            branch.callbacks().forEach(callback -> callbacks.offerOfClass(beanName, callback));
            afterMethods.addBranch(beanName, beanClass, method);
        }
        for (Method method : sequels) {
            requireFindable(beanName, method);
            if (started) afterMethods.requireAdded(beanName, method);
            else afterMethods.add(beanName, beanClass, method);
        }
        return true;
    }

    @Override
    public void afterSingletonsInstantiated() {
        makeLazyOnes();
        readEarlyOnes();
        readNamelessOnes();
        ParentContexts.requireClientBeside(beans, callbacks);
        ChildContexts.requireNoneAbove(beans);
        AsyncChecks later = new AsyncChecks();
        Unguarded unguarded = new Unguarded();
        List<AfterMethods.Bound> bound = afterMethods.bind();
        callbacks.settle(made());
        started = true;
        annotated.forEach((name, beanClass) -> {
            refuseSelfInvocations(beanClass);
            if (!beans.containsSingleton(BeanFactoryUtils.transformedBeanName(name))) return;
            requireDefinition(name, beanClass);
            Object bean = beans.getBean(name);
            if (bean instanceof Advised advised) RepeatableAdvisors.make(advised);
            ProxyChecks checks = new ProxyChecks(bean, beanClass, localWork.get(), beans, later);
            for (Method method : AnnotatedMethods.parts(beanClass)) {
                BranchDefinition branch = definitions.branch(method, beanClass);
                checks.check(method, definitions.saga(method, beanClass), branch);
                if (branch == null) continue;
                payloads.get().check(branch, localWork.get().keepsResults(branch));
                unguarded.add(branch, localWork.get());
            }
        });
        Decorators.refuse(made(), annotated);
        later.warn();
        bystanders.warn(IntendedClients.of(beans));
        if (properties.get().fence().enabled()) unguarded.warn();
        for (AfterMethods.Bound each : bound) {
            new ProxyChecks(beans.getBean(each.bean()), each.beanClass(), localWork.get(), beans, later)
                    .checkCallback(each.branch(), each.callback());
        }
        checkRetention();
        definitions.started();
    }

    /** Those with annotations that are there. */
    private Map<String, Object> made() {
        Map<String, Object> made = new HashMap<>();
        annotated.keySet().stream()
                .filter(name -> beans.containsSingleton(BeanFactoryUtils.transformedBeanName(name)))
                .forEach(name -> made.put(name, beans.getBean(name)));
        return made;
    }

    private void checkRetention() {
        RetentionCheck check = retention.get();
        List<BranchDefinition> fenced = new ArrayList<>();
        annotated.forEach((name, beanClass) -> {
            for (Method method : AnnotatedMethods.parts(beanClass)) {
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
            boolean product = beans.containsSingleton(name) && beans.isFactoryBean(name);
            if (definition.isAbstract() || (beans.containsSingleton(name) && !product)) continue;
            Class<?> type = beans.getType(name, false);
            if (type == null || AopInfrastructureBean.class.isAssignableFrom(type)) continue;
            Class<?> userClass = ClassUtils.getUserClass(type);
            if (!AnnotatedMethods.areIn(userClass)) continue;
            if (beans.isSingleton(name)) make(name);
            else requireNothingToFind(name, userClass);
        }
    }

    /** What has been made already, and has not come by then, comes by now. */
    private void make(String name) {
        Object bean = beans.getBean(name);
        if (!passed.contains(name)) come(name, bean);
    }

    private void requireNothingToFind(String name, Class<?> userClass) {
        CallbackFinder.branches(userClass).forEach(method -> requireFindable(name, method));
        AnnotatedMethods.sequels(userClass).forEach(method -> requireFindable(name, method));
    }

    /** What was made before this processor, because another one needed it, or by hand, has not come by. */
    private void readEarlyOnes() {
        for (String name : beans.getSingletonNames()) {
            Object early = passed.contains(name) ? null : beans.getSingleton(name);
            if (early == null) continue;
            String itsName = early instanceof FactoryBean ? BeanFactory.FACTORY_BEAN_PREFIX + name : name;
            if (!passed.contains(itsName)) come(itsName, early);
        }
    }

    /** Those that were registered under their names later. */
    private void readNamelessOnes() {
        nameless.forEach((name, beanClass) -> {
            if (beans.containsLocalBean(name)) {
                boolean unused = read(name, beanClass);
                return;
            }
            requireNothingToFind(name, beanClass);
        });
    }

    /** An object that was registered as it is has no proxy, unless it was registered with one. */
    private void requireDefinition(String name, Class<?> beanClass) {
        if (beans.containsBeanDefinition(BeanFactoryUtils.transformedBeanName(name))
                || beans.getBean(name) instanceof Advised) return;
        throw LateSingletons.refusal(name, beanClass);
    }

    private static void refuseSelfInvocations(Class<?> beanClass) {
        // What a type says of all its methods is no promise of one when another calls it.
        List<Method> promised = AnnotatedMethods.parts(beanClass).stream()
                .filter(method -> !SagaStarts.isStartByType(method, beanClass))
                .toList();
        String found = SelfInvocations.find(beanClass, promised);
        if (found == null) return;
        throw new OmegaConfigurationException(
                "In %s, %s: the call does not pass Spring's proxy, so its saga annotation would do nothing."
                        .formatted(beanClass.getName(), found),
                "Move one of the two methods to another bean.");
    }

    /** That alpha's callbacks find the bean, and the object that ran the branch. */
    private void requireFindable(String beanName, Method method) {
        if (!beans.containsLocalBean(beanName)) {
            throw new OmegaConfigurationException(
                    "%s is %s, but its object, which Spring calls '%s', is no bean that can be looked up: it was made by hand (as by createBean), or is a bean within another. Alpha's callbacks could not find it."
                            .formatted(Names.of(method), annotation(method), beanName),
                    "Make it a bean of its own, or move the method into one.");
        }
        if (!beans.isSingleton(beanName)) {
            throw new OmegaConfigurationException(
                    "%s is %s, but its bean '%s' is not a singleton: alpha's callbacks could not find the right one."
                            .formatted(Names.of(method), annotation(method), beanName),
                    "Make the bean a singleton, or move the method into one.");
        }
    }

    /** What AspectJ has Spring configure where {@code new} makes it stays as it is. */
    private void refuseConfigurable(String beanName, Class<?> beanClass, Method method) {
        if (!AnnotatedElementUtils.hasAnnotation(beanClass, Configurable.class)) return;
        if (beans.containsLocalBean(beanName) && beans.isSingleton(beanName)) return;
        throw new OmegaConfigurationException(
                "%s has a saga annotation, but its class is @Configurable: Spring puts no proxy around an object that is made by new, so nothing would happen."
                        .formatted(Names.of(method)),
                "Move the method into a bean, and let the object call that.");
    }

    private static String annotation(Method method) {
        return Stream.concat(Stream.of(Compensable.class), AfterMethods.ANNOTATIONS.stream())
                .filter(annotation -> AnnotatedElementUtils.hasAnnotation(method, annotation))
                .map(annotation -> Names.annotation(method, annotation))
                .collect(Collectors.joining(" and "));
    }
}
