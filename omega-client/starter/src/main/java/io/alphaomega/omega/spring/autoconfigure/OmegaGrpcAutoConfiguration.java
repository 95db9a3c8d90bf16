package io.alphaomega.omega.spring.autoconfigure;

import io.alphaomega.omega.spring.config.OmegaProperties;
import io.alphaomega.omega.spring.reporting.HeldReports;
import io.alphaomega.omega.transport.grpc.SagaClientInterceptor;
import io.alphaomega.omega.transport.grpc.SagaServerInterceptor;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigureOrder;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Fallback;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.grpc.client.GlobalClientInterceptor;
import org.springframework.grpc.server.GlobalServerInterceptor;

/**
 * Sagas over gRPC, which omega itself brings. Spring gRPC, if it is there, gives every channel and every service the
 * interceptors that are global; otherwise these are beans for whoever makes them.
 */
@AutoConfiguration(after = OmegaAutoConfiguration.class)
@AutoConfigureOrder(Ordered.LOWEST_PRECEDENCE)
@ConditionalOnBooleanProperty(name = "omega.enabled", matchIfMissing = true)
public class OmegaGrpcAutoConfiguration {
    /** Inside of Spring Security's, which stands at 0: who may not call may not join a saga either. */
    private static final int INSIDE_SECURITY = 1_000;

    @Bean
    @Fallback
    @GlobalClientInterceptor
    SagaClientInterceptor omegaGrpcClientInterceptor() {
        return new SagaClientInterceptor();
    }

    @Bean
    @Fallback
    @GlobalServerInterceptor
    @Order(INSIDE_SECURITY)
    SagaServerInterceptor omegaGrpcServerInterceptor(OmegaProperties properties, HeldReports held) {
        return new SagaServerInterceptor(properties.saga().timeout(), held);
    }
}
