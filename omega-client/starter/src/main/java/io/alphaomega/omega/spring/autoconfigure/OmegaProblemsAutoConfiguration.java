package io.alphaomega.omega.spring.autoconfigure;

import io.alphaomega.omega.transport.http.SagaProblemHandler;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.web.server.WebExceptionHandler;

/**
 * What WebFlux answers where omega has refused a call. Spring Boot's handler has the same order and answers everything, so
 * this bean is defined before it, and after those of the service.
 */
@AutoConfiguration(
        beforeName = {
            "org.springframework.boot.webflux.autoconfigure.error.ErrorWebFluxAutoConfiguration",
            "org.springframework.boot.autoconfigure.web.reactive.error.ErrorWebFluxAutoConfiguration"
        })
@ConditionalOnBooleanProperty(name = "omega.enabled", matchIfMissing = true)
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
@ConditionalOnClass(WebExceptionHandler.class)
public class OmegaProblemsAutoConfiguration {
    @Bean
    SagaProblemHandler omegaSagaProblems() {
        return new SagaProblemHandler();
    }
}
