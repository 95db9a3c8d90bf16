package io.alphaomega.omega.spring.autoconfigure;

import io.alphaomega.omega.spring.config.OmegaProperties;
import io.alphaomega.omega.stream.AlphaClient;
import io.alphaomega.omega.stream.AlphaService;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigureOrder;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.cloud.client.ConditionalOnBlockingDiscoveryEnabled;
import org.springframework.cloud.client.ConditionalOnDiscoveryEnabled;
import org.springframework.cloud.client.discovery.DiscoveryClient;
import org.springframework.cloud.client.discovery.event.HeartbeatEvent;
import org.springframework.cloud.client.discovery.event.HeartbeatMonitor;
import org.springframework.context.ApplicationListener;
import org.springframework.context.annotation.Bean;
import org.springframework.core.Ordered;

/**
 * Alphas that are found in a registry, in services that have one of Spring Cloud's clients. Whether they are looked for
 * there is not asked before the service runs: after Spring's AOT processing it could not be said any more.
 */
@AutoConfiguration(
        before = OmegaAutoConfiguration.class,
        afterName = "org.springframework.cloud.client.discovery.composite.CompositeDiscoveryClientAutoConfiguration")
@AutoConfigureOrder(Ordered.LOWEST_PRECEDENCE)
@ConditionalOnBooleanProperty(name = "omega.enabled", matchIfMissing = true)
@ConditionalOnClass(DiscoveryClient.class)
@ConditionalOnDiscoveryEnabled
@ConditionalOnBlockingDiscoveryEnabled
@ConditionalOnBean(DiscoveryClient.class)
public class OmegaDiscoveryAutoConfiguration {
    @Bean
    AlphaService omegaAlphaService(OmegaProperties properties, ObjectProvider<DiscoveryClient> discovery) {
        String id = properties.alpha().serviceId();
        return new AlphaService(id, new RegistryInstances(id, discovery::getObject));
    }

    @Bean
    RegistryChanges omegaRegistryChanges(OmegaProperties properties, ObjectProvider<AlphaClient> alpha) {
        return new RegistryChanges(!properties.alpha().serviceId().isBlank(), alpha);
    }

    /** Clients of registries say when they have heard of something new. */
    static final class RegistryChanges implements ApplicationListener<HeartbeatEvent> {
        private final HeartbeatMonitor monitor = new HeartbeatMonitor();
        private final boolean wanted;
        private final ObjectProvider<AlphaClient> alpha;

        RegistryChanges(boolean wanted, ObjectProvider<AlphaClient> alpha) {
            this.wanted = wanted;
            this.alpha = alpha;
        }

        @Override
        public void onApplicationEvent(HeartbeatEvent event) {
            if (wanted && monitor.update(event.getValue())) alpha.ifAvailable(AlphaClient::lookAgain);
        }
    }
}
