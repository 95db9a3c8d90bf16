package io.alphaomega.omega.spring.autoconfigure;

import io.alphaomega.omega.spring.config.OmegaProperties;
import io.alphaomega.omega.spring.reporting.HeldReports;
import io.alphaomega.omega.spring.startup.ClientCheck;
import io.alphaomega.omega.transport.http.CallHeadersWebFilter;
import io.alphaomega.omega.transport.http.ReactiveSagaCalls;
import io.alphaomega.omega.transport.http.SagaHeadersWebFilter;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigureOrder;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.web.reactive.function.client.WebClient;
import org.springframework.web.server.WebFilter;

/** Sagas over HTTP without a thread that waits: in by WebFlux, out by WebClient (and HTTP interfaces, which run on it). */
@AutoConfiguration(after = OmegaWebAutoConfiguration.class)
@AutoConfigureOrder(Ordered.LOWEST_PRECEDENCE)
@ConditionalOnBooleanProperty(name = "omega.enabled", matchIfMissing = true)
@ConditionalOnClass(name = "reactor.core.publisher.Mono")
public class OmegaReactiveAutoConfiguration {

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
    @ConditionalOnClass(WebFilter.class)
    static class In {
        /** Inside Spring Security, which stands at -100: who may not call may not join a saga either. */
        private static final int ORDER = -50;

        @Bean
        SagaHeadersWebFilter omegaSagaHeadersWebFilter(OmegaProperties properties, HeldReports heldReports) {
            return new SagaHeadersWebFilter(properties.saga().timeout(), heldReports, ORDER);
        }

        @Bean
        CallHeadersWebFilter omegaCallHeadersWebFilter() {
            return new CallHeadersWebFilter();
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass({Boot.ReactiveClients.class, WebClient.class})
    static class Out {
        @Bean
        Boot.ReactiveClients omegaWebClientCustomizer() {
            return ReactiveSagaCalls::from;
        }

        @Bean
        @ConditionalOnMissingBean
        static ClientCheck omegaReactiveClientCheck(ConfigurableListableBeanFactory beans) {
            return new ClientCheck(beans);
        }
    }
}
