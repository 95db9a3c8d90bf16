package io.alphaomega.omega.spring.autoconfigure;

import io.alphaomega.omega.spring.config.OmegaProperties;
import io.alphaomega.omega.spring.reporting.HeldReports;
import io.alphaomega.omega.transport.dubbo.DubboSagas;
import org.apache.dubbo.rpc.cluster.filter.ClusterFilter;
import org.apache.dubbo.rpc.model.ApplicationModel;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigureOrder;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.Ordered;

/** Sagas over Dubbo, which makes its filters itself: those that serve calls find omega by the application they are of. */
@AutoConfiguration(after = OmegaAutoConfiguration.class)
@AutoConfigureOrder(Ordered.LOWEST_PRECEDENCE)
@ConditionalOnClass(ClusterFilter.class)
public class OmegaDubboAutoConfiguration {
    private static DubboSagas added(DubboSagas sagas, ObjectProvider<ApplicationModel> applications) {
        ApplicationModel application = applications.getIfUnique();
        sagas.addTo(application == null ? ApplicationModel.defaultModel() : application);
        return sagas;
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnBooleanProperty(name = "omega.enabled", matchIfMissing = true)
    static class On {
        @Bean
        @Lazy(false)
        DubboSagas omegaDubbo(
                OmegaProperties properties, HeldReports held, ObjectProvider<ApplicationModel> applications) {
            return added(new DubboSagas(properties.saga().timeout(), held), applications);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnBooleanProperty(name = "omega.enabled", havingValue = false)
    static class Off {
        @Bean
        @Lazy(false)
        DubboSagas omegaDubbo(ObjectProvider<ApplicationModel> applications) {
            return added(DubboSagas.switchedOff(), applications);
        }
    }
}
