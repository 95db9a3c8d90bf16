package io.alphaomega.omega.spring.autoconfigure;

import io.alphaomega.omega.spring.definition.OfferedCallbacks;
import io.alphaomega.omega.spring.fencing.FencedExecution;
import io.alphaomega.omega.spring.observe.InFlightWork;
import io.alphaomega.omega.spring.observe.MicrometerOmegaMetrics;
import io.alphaomega.omega.spring.observe.Observations;
import io.alphaomega.omega.spring.observe.OmegaMetrics;
import io.alphaomega.omega.spring.reporting.HeldReports;
import io.alphaomega.omega.stream.AlphaClient;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.time.Clock;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigureOrder;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Primary;
import org.springframework.core.Ordered;
import org.springframework.util.function.SingletonSupplier;

/** What operators see of omega: health, the endpoint and metrics. */
@AutoConfiguration(
        after = OmegaAutoConfiguration.class,
        afterName = {
            "org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration",
            "org.springframework.boot.actuate.autoconfigure.metrics.CompositeMeterRegistryAutoConfiguration"
        })
@AutoConfigureOrder(Ordered.LOWEST_PRECEDENCE)
@ConditionalOnBooleanProperty(name = "omega.enabled", matchIfMissing = true)
@Import(OmegaHealthConfiguration.class)
public class OmegaActuatorAutoConfiguration {

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(ConditionalOnAvailableEndpoint.class)
    @ConditionalOnAvailableEndpoint(endpoint = OmegaEndpoint.class)
    static class EndpointConfiguration {
        /** Around what else observes: only services that show what is under way keep it in mind. */
        @Bean
        @Primary
        InFlightWork omegaUnderWay(@Qualifier("omegaObservations") ObjectProvider<Observations> others) {
            return new InFlightWork(
                    SingletonSupplier.of(() -> others.getIfAvailable(() -> Observations.NONE)), Clock.systemUTC());
        }

        @Bean
        @ConditionalOnMissingBean
        OmegaEndpoint omegaEndpoint(
                AlphaClient alpha,
                OfferedCallbacks callbacks,
                HeldReports held,
                InFlightWork underWay,
                FencedExecution localWork) {
            return new OmegaEndpoint(alpha, callbacks, held, underWay, localWork);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(MeterRegistry.class)
    @ConditionalOnBean(MeterRegistry.class)
    static class MetricsConfiguration {
        @Bean
        OmegaMetrics omegaTally(MeterRegistry registry) {
            return new MicrometerOmegaMetrics(registry);
        }

        @Bean
        MeterBinder omegaConnections(AlphaClient alpha) {
            return registry -> MicrometerOmegaMetrics.gaugeConnections(registry, alpha);
        }
    }
}
