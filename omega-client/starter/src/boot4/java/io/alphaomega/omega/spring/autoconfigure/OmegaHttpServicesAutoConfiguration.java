package io.alphaomega.omega.spring.autoconfigure;

import io.alphaomega.omega.transport.http.SagaCalls;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigureOrder;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;
import org.springframework.core.Ordered;
import org.springframework.web.client.support.RestClientHttpServiceGroupConfigurer;

/** Sagas over groups of HTTP interfaces, which Spring 7 brought. */
@AutoConfiguration(after = OmegaWebAutoConfiguration.class)
@AutoConfigureOrder(Ordered.LOWEST_PRECEDENCE)
@ConditionalOnBooleanProperty(name = "omega.enabled", matchIfMissing = true)
@ConditionalOnClass({Boot.Clients.class, RestClientHttpServiceGroupConfigurer.class})
public class OmegaHttpServicesAutoConfiguration {
    /** Once more, since a group's own settings bring another request factory. */
    @Bean
    RestClientHttpServiceGroupConfigurer omegaRestClientHttpServiceGroupConfigurer() {
        return groups -> groups.forEachClient((group, client) -> SagaCalls.from(client));
    }
}
