package io.alphaomega.omega.spring.autoconfigure;

import io.alphaomega.omega.spring.config.OmegaProperties;
import io.alphaomega.omega.spring.reporting.HeldReports;
import io.alphaomega.omega.spring.startup.ClientCheck;
import io.alphaomega.omega.transport.http.CallHeadersFilter;
import io.alphaomega.omega.transport.http.SagaCalls;
import io.alphaomega.omega.transport.http.SagaHeadersFilter;
import io.alphaomega.omega.transport.http.SagaProblemResolver;
import java.util.List;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigureOrder;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.core.PriorityOrdered;
import org.springframework.web.client.RestClient;
import org.springframework.web.servlet.HandlerExceptionResolver;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;
import org.springframework.web.servlet.mvc.support.DefaultHandlerExceptionResolver;

/** Sagas over HTTP: in by a servlet filter, out by RestClient (and HTTP interfaces, which run on it) and RestTemplate. */
@AutoConfiguration(after = OmegaAutoConfiguration.class)
@AutoConfigureOrder(Ordered.LOWEST_PRECEDENCE)
@ConditionalOnBooleanProperty(name = "omega.enabled", matchIfMissing = true)
public class OmegaWebAutoConfiguration {

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
    @ConditionalOnClass({FilterRegistrationBean.class, Boot.ServletFilter.class})
    static class In {
        /** Inside Spring Security, which stands at -100: who may not call may not join a saga either. */
        private static final int ORDER = Boot.ServletFilter.REQUEST_WRAPPER_FILTER_MAX_ORDER - 50;

        @Bean
        FilterRegistrationBean<SagaHeadersFilter> omegaSagaHeadersFilter(
                OmegaProperties properties, HeldReports heldReports) {
            FilterRegistrationBean<SagaHeadersFilter> registration = new FilterRegistrationBean<>(
                    new SagaHeadersFilter(properties.saga().timeout(), heldReports));
            registration.setOrder(ORDER);
            return registration;
        }

        @Bean
        FilterRegistrationBean<CallHeadersFilter> omegaCallHeadersFilter() {
            return new OutermostFilter();
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
    @ConditionalOnClass(WebMvcConfigurer.class)
    static class Failures {
        @Bean
        SagaProblemResolver omegaSagaProblems() {
            return new SagaProblemResolver();
        }

        @Bean
        WebMvcConfigurer omegaFailures() {
            return new WebMvcConfigurer() {
                @Override
                public void extendHandlerExceptionResolvers(List<HandlerExceptionResolver> resolvers) {
                    resolvers.replaceAll(resolver -> resolver.getClass() == DefaultHandlerExceptionResolver.class
                            ? new BrokenCallResolver()
                            : resolver);
                }
            };
        }
    }

    /** Stands outside of every filter that may remember headers to copy them: what is in priority goes before the rest. */
    private static final class OutermostFilter extends FilterRegistrationBean<CallHeadersFilter>
            implements PriorityOrdered {
        OutermostFilter() {
            super(new CallHeadersFilter());
            setOrder(HIGHEST_PRECEDENCE);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass({Boot.Clients.class, RestClient.class})
    static class Out {
        @Bean
        Boot.Clients omegaRestClientCustomizer() {
            return SagaCalls::from;
        }

        @Bean
        static ClientCheck omegaClientCheck(ConfigurableListableBeanFactory beans) {
            return new ClientCheck(beans);
        }

        @Bean
        Boot.Templates omegaRestTemplateCustomizer() {
            return SagaCalls::from;
        }
    }
}
