package io.alphaomega.omega.spring.advice;

import io.alphaomega.omega.context.RepeatableAdvice;
import org.aopalliance.aop.Advice;
import org.springframework.aop.Advisor;
import org.springframework.aop.PointcutAdvisor;
import org.springframework.aop.framework.Advised;
import org.springframework.aop.support.DefaultPointcutAdvisor;

/**
 * Lets the application's own interceptors around an annotated bean repeat a call: each repetition passes omega's advice and the
 * transaction, which a second {@code proceed()} on one invocation would skip. Spring's own interceptors proceed on copies.
 */
public final class RepeatableAdvisors {
    private RepeatableAdvisors() {}

    public static void make(Advised bean) {
        if (bean.isFrozen()) return;
        for (Advisor advisor : bean.getAdvisors()) {
            if (!(advisor instanceof PointcutAdvisor its) || isKnown(advisor.getAdvice())) continue;
            Advice repeatable = RepeatableAdvice.of(advisor.getAdvice());
            if (repeatable.equals(advisor.getAdvice())) continue;
            bean.replaceAdvisor(advisor, new DefaultPointcutAdvisor(its.getPointcut(), repeatable));
        }
    }

    private static boolean isKnown(Advice advice) {
        Class<?> type = advice.getClass();
        return type.getName().startsWith("org.springframework.")
                || type.getPackage().equals(RepeatableAdvisors.class.getPackage());
    }
}
