package io.alphaomega.omega.spring.autoconfigure;

import io.alphaomega.omega.spring.config.OmegaConfigurationException;
import io.alphaomega.omega.stream.AlphaService;
import java.util.List;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.core.env.Environment;

/** Whether alphas can be looked for in a registry as a service wants it. */
final class RegisteredAlphas {
    private RegisteredAlphas() {}

    static AlphaService required(String id, Environment environment, ObjectProvider<AlphaService> registered) {
        List<String> addresses = Binder.get(environment)
                .bind("omega.alpha.addresses", Bindable.listOf(String.class))
                .orElse(List.of());
        if (!addresses.isEmpty()) {
            throw new OmegaConfigurationException(
                    "omega.alpha.service-id is '%s' and omega.alpha.addresses is '%s', but alphas are looked for in one way."
                            .formatted(id, String.join(", ", addresses)),
                    "Remove one of the two.");
        }
        AlphaService found = registered.getIfAvailable();
        if (found != null) return found;
        throw new OmegaConfigurationException(
                "omega.alpha.service-id is '%s', but this service has no DiscoveryClient that knows its instances."
                        .formatted(id),
                "Add the client of a registry, such as spring-cloud-starter-zookeeper-discovery, and do not switch off"
                        + " spring.cloud.discovery.enabled, or set omega.alpha.addresses instead.");
    }
}
