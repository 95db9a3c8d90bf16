package io.alphaomega.omega.spring.startup;

import io.alphaomega.omega.spring.advice.AdviceOrder;
import io.alphaomega.omega.spring.advice.BranchInterceptor;
import io.alphaomega.omega.spring.advice.FencedExecutionInterceptor;
import io.alphaomega.omega.spring.advice.SagaInterceptor;
import io.alphaomega.omega.spring.config.OmegaConfigurationException;
import io.alphaomega.omega.spring.definition.BranchDefinition;
import io.alphaomega.omega.spring.definition.CallbackFinder;
import io.alphaomega.omega.spring.definition.CallbackMethod;
import io.alphaomega.omega.spring.definition.FinalBeans;
import io.alphaomega.omega.spring.definition.SagaDefinition;
import io.alphaomega.omega.spring.definition.SagaStarts;
import io.alphaomega.omega.spring.fencing.FencedExecution;
import io.alphaomega.omega.spring.method.Names;
import io.alphaomega.omega.spring.method.ReturnKind;
import java.lang.reflect.Method;
import java.util.Optional;
import java.util.function.Predicate;
import org.aopalliance.aop.Advice;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.Advisor;
import org.springframework.aop.framework.Advised;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.NoSuchBeanDefinitionException;
import org.springframework.beans.factory.annotation.BeanFactoryAnnotationUtils;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionManager;
import org.springframework.transaction.annotation.AnnotationTransactionAttributeSource;
import org.springframework.transaction.interceptor.TransactionAttribute;
import org.springframework.transaction.interceptor.TransactionInterceptor;
import org.springframework.util.StringUtils;

/** Whether a bean's proxy does what its annotations say: all the advice is there, in the right order. */
final class ProxyChecks {
    /** Its own: it keeps the classes it was asked about, which may be loaded anew when the application restarts. */
    private final AnnotationTransactionAttributeSource transactions = new AnnotationTransactionAttributeSource(false);

    private final Object bean;
    private final Class<?> beanClass;
    private final FencedExecution localWork;
    private final ConfigurableBeanFactory beans;
    private final AsyncChecks later;

    ProxyChecks(
            Object bean,
            Class<?> beanClass,
            FencedExecution localWork,
            ConfigurableBeanFactory beans,
            AsyncChecks later) {
        this.bean = bean;
        this.beanClass = beanClass;
        this.localWork = localWork;
        this.beans = beans;
        this.later = later;
    }

    void check(Method method, @Nullable SagaDefinition saga, @Nullable BranchDefinition branch) {
        requireProxy(method);
        if (saga != null) requireAdvice(method, SagaInterceptor.class);
        if (branch != null) {
            requireAdvice(method, BranchInterceptor.class);
            requireAdvice(method, FencedExecutionInterceptor.class);
        }
        requireOrder(method);
        if (branch != null) {
            localWork.requireNamed(Names.of(method), branch.fence(), ReturnKind.of(method));
            requirePropagation(branch);
            requireWritable(method, branch);
        }
        if (branch != null) later.check((Advised) bean, branch, this::transactionManager, localWork);
    }

    private @Nullable TransactionManager transactionManager(Method method) {
        if (transactions.getTransactionAttribute(method, beanClass) == null) return null;
        String name = managerOf(method);
        if (!StringUtils.hasText(name)) return standardManager();
        try {
            return BeanFactoryAnnotationUtils.qualifiedBeanOfType(beans, TransactionManager.class, name);
        } catch (NoSuchBeanDefinitionException unknown) {
            return null; // Spring says so at the call.
        }
    }

    /** Of methods that name none, as far as that can be told now. */
    private @Nullable TransactionManager standardManager() {
        if (bean instanceof Advised advised) {
            for (Advisor advisor : advised.getAdvisors()) {
                if (advisor.getAdvice() instanceof TransactionInterceptor its && its.getTransactionManager() != null) {
                    return its.getTransactionManager();
                }
            }
        }
        return beans.getBeanProvider(TransactionManager.class).getIfUnique();
    }

    private void requireProxy(Method method) {
        if (!(bean instanceof Advised)) throw withoutAdvice(method, "its bean is not proxied");
        boolean inInterface = FinalBeans.isOfInterface(method, beanClass);
        // What a type says of a method that nobody can call from outside means nothing.
        if (AopUtils.isJdkDynamicProxy(bean) && !inInterface && !SagaStarts.isStartByType(method, beanClass)) {
            throw new OmegaConfigurationException(
                    "%s has a saga annotation, but its bean is proxied by interface and no interface has the method."
                            .formatted(Names.of(method)),
                    "Add the method to an interface of the class, or remove spring.aop.proxy-target-class = false.");
        }
    }

    private void requireAdvice(Method method, Class<? extends Advice> advice) {
        if (indexOf(advice::isInstance).isEmpty()) {
            throw withoutAdvice(method, "its bean's proxy has not got omega's advice");
        }
    }

    private static OmegaConfigurationException withoutAdvice(Method method, String found) {
        return new OmegaConfigurationException(
                "%s has a saga annotation, but %s, so nothing would happen.".formatted(Names.of(method), found),
                "The bean was made too early (by a BeanPostProcessor, or something it needs), is a proxy made by hand"
                        + " whose interfaces have no such annotation, or is kept from being proxied: see the log, and"
                        + " change that.");
    }

    private void requireOrder(Method method) {
        Optional<Integer> transaction = indexOf(TransactionInterceptor.class::isInstance);
        if (transaction.isEmpty()) return;
        int at = transaction.get();
        boolean outside = indexOf(SagaInterceptor.class::isInstance).orElse(-1) < at
                && indexOf(BranchInterceptor.class::isInstance).orElse(-1) < at;
        boolean inside = indexOf(FencedExecutionInterceptor.class::isInstance).orElse(Integer.MAX_VALUE) > at;
        if (outside && inside) return;
        throw new OmegaConfigurationException(
                "The transaction advice of %s stands outside omega's, or inside the fence: alpha would be told of a commit that has not happened."
                        .formatted(Names.of(method)),
                "Remove the order of @EnableTransactionManagement, or choose one greater than %d (the saga advice) and less than %d (the fence)."
                        .formatted(AdviceOrder.BRANCH, AdviceOrder.LOCAL_WORK));
    }

    private Optional<Integer> indexOf(Predicate<Advice> advice) {
        Advisor[] advisors = ((Advised) bean).getAdvisors();
        for (int i = 0; i < advisors.length; i++) {
            if (advice.test(advisors[i].getAdvice())) return Optional.of(i);
        }
        return Optional.empty();
    }

    private void requirePropagation(BranchDefinition branch) {
        int forward = propagation(branch.method());
        if (branch.forwardRetries() > 0 && forward == TransactionDefinition.PROPAGATION_MANDATORY) {
            throw new OmegaConfigurationException(
                    "%s has forwardRetries, but its transaction is always its caller's (propagation MANDATORY): a failed try would spoil it."
                            .formatted(Names.of(branch.method())),
                    "Use propagation REQUIRED and call it outside transactions, or set forwardRetries to 0.");
        }
        if (branch.compensateOnException()) requireBegin(branch, forward);
        if (!localWork.fences(branch)) return;
        if (localWork.fencesInRedis(branch)) {
            requireNoTransaction(branch.method(), branch);
            return;
        }
        if (forward == TransactionDefinition.PROPAGATION_NEVER
                || forward == TransactionDefinition.PROPAGATION_NOT_SUPPORTED) {
            throw new OmegaConfigurationException(
                    "%s wants no transaction, but the fence needs one around it.".formatted(Names.of(branch.method())),
                    "Use another propagation, or say fenced = false on the branch's method and read what that means.");
        }
        requireOneCommit(branch.method(), branch);
    }

    /** Of a callback of the branch that this bean has. */
    void checkCallback(BranchDefinition branch, CallbackMethod callback) {
        Method method = callback.method();
        String role = callback.role().predicate;
        try {
            AopUtils.selectInvocableMethod(method, bean.getClass());
        } catch (IllegalStateException e) {
            throw new OmegaConfigurationException(
                    "%s is %s, but its bean is proxied by interface and no interface has the method."
                            .formatted(Names.of(method), role),
                    "Add the method to an interface of the class, or remove spring.aop.proxy-target-class = false.");
        }
        boolean fenced = localWork.fences(branch);
        if (branch.sequels().contains(callback) && !fenced) {
            throw new OmegaConfigurationException(
                    "%s is %s of %s and follows a callback, but without the fence nobody knows which of the two is done already."
                            .formatted(Names.of(method), role, Names.of(branch.method())),
                    "Give the service one DataSource (or a primary one) and a transaction manager and leave the fence"
                            + " on, or do the work in the callback that it follows.");
        }
        if (!fenced) return;
        if (localWork.fencesInRedis(branch)) {
            requireCallableInRedis(branch, callback);
            requireNoTransaction(method, branch);
            return;
        }
        if (ReturnKind.of(branch.method()) == ReturnKind.MONO) requireMono(branch, method, role);
        requireOneCommit(method, branch);
        int propagation = propagation(method);
        if (propagation == TransactionDefinition.PROPAGATION_REQUIRES_NEW
                || propagation == TransactionDefinition.PROPAGATION_NEVER
                || propagation == TransactionDefinition.PROPAGATION_NOT_SUPPORTED) {
            throw new OmegaConfigurationException(
                    "%s is %s and would not run in the fence's transaction: what it does and the fence's row must be committed together."
                            .formatted(Names.of(method), role),
                    "Use propagation REQUIRED, the default, or say fenced = false on the branch's method and read what"
                            + " that means.");
        }
    }

    /** What it does and the fence's row are committed together. */
    private static void requireMono(BranchDefinition branch, Method method, String role) {
        if (ReturnKind.of(method) == ReturnKind.MONO) return;
        throw new OmegaConfigurationException(
                "%s is %s of %s, which returns a Mono and is fenced through R2DBC, but returns a %s: what it does would not be in the fence's transaction."
                        .formatted(
                                Names.of(method),
                                role,
                                Names.of(branch.method()),
                                method.getReturnType().getSimpleName()),
                "Return a Mono and do its work through R2DBC, or say fenced = false on the branch's method and read"
                        + " what that means.");
    }

    /** No rollback takes a script back, and no fence stands around the rest. */
    private void requireNoTransaction(Method method, BranchDefinition branch) {
        if (transactions.getTransactionAttribute(method, beanClass) == null) return;
        int propagation = propagation(method);
        if (propagation == TransactionDefinition.PROPAGATION_NEVER
                || propagation == TransactionDefinition.PROPAGATION_NOT_SUPPORTED) {
            return;
        }
        throw new OmegaConfigurationException(
                "%s is @Transactional, but behind the fence '%s', which is in Redis: a rollback would not take back what its script has done, and that fence guards nothing that it writes to a database."
                        .formatted(Names.of(method), branch.fence()),
                "Remove @Transactional, and let what is written to a database be a branch of its own.");
    }

    /** The fence knows where its row is when a script has said so, and what the script has answered. */
    private static void requireCallableInRedis(BranchDefinition branch, CallbackMethod callback) {
        String method = Names.of(callback.method());
        if (callback.role() == CallbackFinder.Role.AFTER_COMMIT || callback.role() == CallbackFinder.Role.AFTER_ABORT) {
            throw new OmegaConfigurationException(
                    "%s is %s of %s, which is behind the fence '%s' in Redis: it would not know whether that is done already."
                            .formatted(method, callback.role().predicate, Names.of(branch.method()), branch.fence()),
                    "Let it follow a branch behind the fence of a database, or do its work in the script of the"
                            + " callback.");
        }
        if (callback.takesResult() && callback.resultType() instanceof Class<?> type && type.isPrimitive()) {
            throw new OmegaConfigurationException(
                    "%s takes a result of the primitive type %s, but %s is behind the fence '%s' in Redis, which does not keep what it returns: there is none if alpha never heard of its end."
                            .formatted(method, type, Names.of(branch.method()), branch.fence()),
                    "Take the boxed type, which then gets null, or no result.");
        }
    }

    private void requireBegin(BranchDefinition branch, int propagation) {
        if (localWork.fencesInRedis(branch)) {
            throw new OmegaConfigurationException(
                    "%s says compensateOnException, but is behind the fence '%s', which is in Redis: it is not known before a script runs where to note that it began."
                            .formatted(Names.of(branch.method()), branch.fence()),
                    "Call others in a branch of its own, behind the fence of a database or with fenced = false; or"
                            + " remove compensateOnException.");
        }
        if (!localWork.fences(branch) && ReturnKind.of(branch.method()).isReactive()) {
            throw new OmegaConfigurationException(
                    "%s says compensateOnException, but %s: that it began is noted nowhere in a service without R2DBC and its transaction manager."
                            .formatted(Names.of(branch.method()), ReturnKind.said(branch.method())),
                    "Give the service R2DBC and leave omega.fence.enabled true; or return the plain value and call it on a"
                            + " scheduler that may wait; or announce the call in a branch of its own, and remove"
                            + " compensateOnException.");
        }
        if (!localWork.fences(branch)) {
            throw new OmegaConfigurationException(
                    "%s says compensateOnException, but this service has no fence, where it is noted that it began."
                            .formatted(Names.of(branch.method())),
                    "Give the service one DataSource (or a primary one) and a transaction manager and leave"
                            + " omega.fence.enabled true, or remove compensateOnException.");
        }
        if (propagation == TransactionDefinition.PROPAGATION_MANDATORY) {
            throw new OmegaConfigurationException(
                    "%s says compensateOnException, but its transaction is always its caller's (propagation MANDATORY): that it begins must be committed before."
                            .formatted(Names.of(branch.method())),
                    "Use propagation REQUIRED and call it outside transactions, or remove compensateOnException.");
        }
    }

    /** That of its class mostly, said for its queries. */
    private void requireWritable(Method method, BranchDefinition branch) {
        TransactionAttribute attribute = transactions.getTransactionAttribute(method, beanClass);
        if (attribute == null || !attribute.isReadOnly() || !begins(attribute) || !localWork.fences(branch)) return;
        throw new OmegaConfigurationException(
                "%s runs in a read-only transaction, by the @Transactional(readOnly = true) of the method, its class or its interface: neither its fence's row nor what it does is sure to be kept there."
                        .formatted(Names.of(method)),
                "Say @Transactional on the method, which then counts, and not that of the class.");
    }

    /** Whether there is one of its own, and not its caller's at most. */
    private static boolean begins(TransactionAttribute attribute) {
        return switch (attribute.getPropagationBehavior()) {
            case TransactionDefinition.PROPAGATION_REQUIRED,
                    TransactionDefinition.PROPAGATION_REQUIRES_NEW,
                    TransactionDefinition.PROPAGATION_NESTED -> true;
            default -> false;
        };
    }

    private void requireOneCommit(Method method, BranchDefinition branch) {
        TransactionManager manager = transactionManager(method);
        if (manager == null || !localWork.isApartFrom(manager, branch)) return;
        String name = managerOf(method);
        String fence = branch.fence();
        throw new OmegaConfigurationException(
                "%s runs under %s, which is not one of the database of its fence%s: what it does and the fence's row would be committed apart."
                        .formatted(
                                Names.of(method),
                                StringUtils.hasText(name)
                                        ? "the transaction manager '" + name + "'"
                                        : "the primary transaction manager, since its @Transactional names none",
                                fence.isEmpty() ? "" : ", '" + fence + "'"),
                fence.isEmpty()
                        ? "Use that database's transaction manager, the primary one; or name the other one's fence, as"
                                + " in @Compensable(fence = \"…\"); or say fenced = false on the branch's method and"
                                + " read what that means."
                        : "Say @Transactional(\"" + fence + "\"), or name another fence on the branch's method.");
    }

    /** The name of the manager as Spring finds it, where the method or its class says one. */
    private @Nullable String managerOf(Method method) {
        TransactionAttribute attribute = transactions.getTransactionAttribute(method, beanClass);
        if (attribute == null) return null;
        String name = attribute.getQualifier();
        return StringUtils.hasText(name)
                ? beans.resolveEmbeddedValue(name)
                : BeanFactoryAnnotationUtils.getQualifierValue(beanClass);
    }

    private int propagation(Method method) {
        TransactionAttribute attribute = transactions.getTransactionAttribute(method, beanClass);
        return attribute == null ? TransactionDefinition.PROPAGATION_REQUIRED : attribute.getPropagationBehavior();
    }
}
