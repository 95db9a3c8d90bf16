package io.alphaomega.omega.spring.startup;

import io.alphaomega.omega.Compensable;
import io.alphaomega.omega.spring.advice.BranchInterceptor;
import io.alphaomega.omega.spring.config.OmegaConfigurationException;
import io.alphaomega.omega.spring.definition.BranchDefinition;
import io.alphaomega.omega.spring.execution.Publishers;
import io.alphaomega.omega.spring.fencing.FencedExecution;
import io.alphaomega.omega.spring.method.KotlinFunctions;
import io.alphaomega.omega.spring.method.Names;
import io.alphaomega.omega.spring.method.ReturnKind;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.aopalliance.aop.Advice;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.aop.Advisor;
import org.springframework.aop.framework.Advised;
import org.springframework.aop.interceptor.AsyncExecutionInterceptor;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.scheduling.annotation.Async;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.ReactiveTransactionManager;
import org.springframework.transaction.TransactionManager;

/** What methods whose work is done {@link ReturnKind later} cannot have, and what nobody does for them. */
final class AsyncChecks {
    private static final Logger log = LoggerFactory.getLogger(AsyncChecks.class);

    private final List<String> unguarded = new ArrayList<>();
    private boolean reactive;

    /**
     * @param managers of the transaction that is around a method; null if none is
     * @throws OmegaConfigurationException if it cannot work
     */
    void check(
            Advised bean,
            BranchDefinition branch,
            Function<Method, @Nullable TransactionManager> managers,
            FencedExecution localWork) {
        Method method = branch.method();
        Method compensation = branch.compensation().method();
        ReturnKind later = ReturnKind.of(method);
        if (later == ReturnKind.FUTURE && localWork.fences(branch)) requireAsync(bean, method);
        requireReactive(method, managers.apply(method));
        requireReactive(compensation, managers.apply(compensation));
        if (!later.isReactive()) return;
        reactive |= !KotlinFunctions.isSuspend(method) && !KotlinFunctions.returnsFlow(method);
        Compensable said = AnnotatedElementUtils.findMergedAnnotation(method, Compensable.class);
        if (said != null && said.fenced() && !localWork.fences(branch)) unguarded.add(branch.operation());
    }

    private static void requireReactive(Method method, @Nullable TransactionManager manager) {
        if (!ReturnKind.of(method).isReactive()
                || !(manager instanceof PlatformTransactionManager)
                || manager instanceof ReactiveTransactionManager) {
            return;
        }
        throw new OmegaConfigurationException(
                "%s %s, but its transaction is one of a thread: it would end before the work has begun."
                        .formatted(Names.of(method), ReturnKind.said(method)),
                "Use a reactive transaction manager (@Transactional(\"…\")), or return the plain value and call it on a"
                        + " scheduler that may wait.");
    }

    /** There the thread waits for it, in the transaction; elsewhere its caller's thread would. */
    private static void requireAsync(Advised bean, Method method) {
        int async = indexOf(bean, AsyncExecutionInterceptor.class);
        if (isAsync(method) && async >= 0 && async < indexOf(bean, BranchInterceptor.class)) return;
        throw new OmegaConfigurationException(
                "%s returns a %s and is not @Async: what its future stands for would run on other threads, outside the fence's transaction."
                        .formatted(Names.of(method), method.getReturnType().getSimpleName()),
                "Make it @Async, and do the work on its thread; or return the plain value and call it asynchronously; or say"
                        + " @Compensable(fenced = false) and read what that means.");
    }

    private static boolean isAsync(Method method) {
        return AnnotatedElementUtils.hasAnnotation(method, Async.class)
                || AnnotatedElementUtils.hasAnnotation(method.getDeclaringClass(), Async.class);
    }

    private static int indexOf(Advised bean, Class<? extends Advice> advice) {
        Advisor[] advisors = bean.getAdvisors();
        for (int i = 0; i < advisors.length; i++) {
            if (advice.isInstance(advisors[i].getAdvice())) return i;
        }
        return -1;
    }

    /** Says what no fence guards, and where a saga is not known. */
    void warn() {
        if (reactive && !Publishers.propagateThreads()) {
            log.info(
                    "Reactor's contexts have the saga, and threads do not: what is plain in an operator, such as RestClient, a"
                            + " plain @Compensable method or the log, is in no saga unless"
                            + " spring.reactor.context-propagation is auto.");
        }
        if (unguarded.isEmpty()) return;
        log.warn(
                "No fence guards these methods, since they return a Flux or a Flow, or, in a service without R2DBC and its"
                        + " transaction manager, a Mono, or are suspend functions: {}. A repeated call of them runs"
                        + " twice; a compensation may come twice, or for a call that never ran, and must do no harm"
                        + " then. Where that is so, say @Compensable(fenced = false). Otherwise do their work through"
                        + " R2DBC and return a Mono, or return the plain value and call it on a scheduler that may"
                        + " wait.",
                String.join(", ", unguarded));
    }
}
