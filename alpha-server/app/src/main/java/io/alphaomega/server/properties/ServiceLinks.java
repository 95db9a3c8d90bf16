package io.alphaomega.server.properties;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.PropertySource;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;

/**
 * Variables that Kubernetes puts into the environment of every pod for a service, where they have the name of a property: a
 * service named alpha-grpc makes {@code ALPHA_GRPC_PORT=tcp://10.96.0.7:8071}, which says nothing about alpha.grpc.port.
 */
public final class ServiceLinks {
    private static final Logger log = LoggerFactory.getLogger(ServiceLinks.class);

    private static final String SOURCE = StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME;

    private static final String PORT = "_PORT";

    private static final Pattern LINK = Pattern.compile("(tcp|udp|sctp)://.+");

    private ServiceLinks() {}

    /** From now on the environment has none of them; the log has a line for each. */
    public static void ignore(ConfigurableEnvironment environment) {
        PropertySource<?> source = environment.getPropertySources().get(SOURCE);
        if (source == null || !(source.getSource() instanceof Map<?, ?> variables)) return;
        Map<String, Object> kept = new LinkedHashMap<>();
        variables.forEach((name, value) -> {
            Optional<String> property = property(String.valueOf(name), String.valueOf(value));
            if (property.isEmpty()) kept.put(String.valueOf(name), value);
            else tell(String.valueOf(name), String.valueOf(value), property.get());
        });
        if (kept.size() == variables.size()) return;
        environment.getPropertySources().replace(SOURCE, new SystemEnvironmentPropertySource(SOURCE, kept));
    }

    /** Which one the variable would say something about; empty if it is no link, or says nothing. */
    private static Optional<String> property(String variable, String value) {
        if (!variable.endsWith(PORT) || !LINK.matcher(value).matches()) return Optional.empty();
        return UnknownProperties.options().stream()
                .filter(property ->
                        UnknownProperties.simplified(property).equals(UnknownProperties.simplified(variable)))
                .findFirst();
    }

    private static void tell(String variable, String value, String property) {
        String service = variable.substring(0, variable.length() - PORT.length())
                .toLowerCase(Locale.ROOT)
                .replace('_', '-');
        log.warn(
                "Ignoring {}={}: Kubernetes says it of a service named {}, and it is no {}. With enableServiceLinks:"
                        + " false a pod has no such variables.",
                variable,
                value,
                service,
                property);
    }
}
