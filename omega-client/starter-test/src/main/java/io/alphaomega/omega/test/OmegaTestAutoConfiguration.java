package io.alphaomega.omega.test;

import io.alphaomega.omega.AlphaConnectionDetails;
import io.alphaomega.omega.Compensable;
import io.alphaomega.omega.stream.AlphaChannels;
import java.util.List;
import org.aopalliance.aop.Advice;
import org.springframework.aop.Advisor;
import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.aop.support.annotation.AnnotationMatchingPointcut;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Primary;
import org.springframework.context.annotation.Role;

/** What {@link OmegaTest} adds to an application. */
@AutoConfiguration(beforeName = "io.alphaomega.omega.spring.autoconfigure.OmegaAutoConfiguration")
public class OmegaTestAutoConfiguration {
    /** Needs no name to be resolved; nothing is there, and nothing is connected to. */
    private static final String ANYWHERE = "127.0.0.1:8071";

    /** Several applications of one test may be given the same one. */
    @Bean(destroyMethod = "close")
    @ConditionalOnMissingBean
    TestAlpha testAlpha() {
        return new TestAlpha();
    }

    @Bean
    @Primary
    AlphaConnectionDetails testAlphaConnectionDetails() {
        return () -> List.of(ANYWHERE);
    }

    @Bean
    @Primary
    AlphaChannels testAlphaChannels(TestAlpha alpha) {
        return (socket, authority, omegaVersion) -> alpha.channel();
    }

    /** Where the caller hears of it only after the branch has ended. */
    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static Advisor testAlphaTroubleAroundBranches(ObjectProvider<TestAlpha> alpha) {
        return advisor(new TroubleInterceptor.Outside(alpha::getObject), TroubleInterceptor.OUTSIDE);
    }

    /** Where the branch has begun and the local transaction has not. */
    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static Advisor testAlphaTroubleWithinBranches(ObjectProvider<TestAlpha> alpha) {
        return advisor(new TroubleInterceptor.Inside(alpha::getObject), TroubleInterceptor.INSIDE);
    }

    private static Advisor advisor(Advice advice, int order) {
        DefaultPointcutAdvisor advisor =
                new DefaultPointcutAdvisor(new AnnotationMatchingPointcut(null, Compensable.class, true), advice);
        advisor.setOrder(order);
        return advisor;
    }
}
