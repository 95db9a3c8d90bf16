package io.alphaomega.omega.spring.autoconfigure;

import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.cloud.client.ServiceInstance;
import org.springframework.cloud.client.discovery.DiscoveryClient;

/** The instances of alpha, as Spring Cloud's client of a registry knows them. */
final class RegistryInstances implements Supplier<List<InetSocketAddress>> {
    private static final Logger log = LoggerFactory.getLogger(RegistryInstances.class);

    /** What others too call the gRPC port of a service whose port is that of HTTP. */
    private static final List<String> PORT_KEYS = List.of("grpc.port", "gRPC_port");

    private static final int PORT_MAX = 65_535;

    private final String id;
    private final Supplier<DiscoveryClient> discovery;
    private final Set<String> warnedOf = ConcurrentHashMap.newKeySet();

    /** @param discovery looked up at the first question, when everything it needs is there */
    RegistryInstances(String id, Supplier<DiscoveryClient> discovery) {
        this.id = id;
        this.discovery = discovery;
    }

    @Override
    public List<InetSocketAddress> get() {
        List<InetSocketAddress> found = new ArrayList<>();
        for (ServiceInstance each : discovery.get().getInstances(id)) {
            InetSocketAddress address = address(each);
            if (address != null) found.add(address);
        }
        return found;
    }

    /** Null if the instance cannot be connected to: one that is registered wrongly must not hide the others. */
    private @Nullable InetSocketAddress address(ServiceInstance instance) {
        @Nullable String host = instance.getHost();
        String port = grpcPort(instance);
        int number = number(port);
        boolean named = host != null && !host.isBlank();
        if (named && number >= 1 && number <= PORT_MAX) return InetSocketAddress.createUnresolved(host, number);
        if (warnedOf.add(host + " " + port)) {
            log.warn(
                    "Instance {} of {} is left out: it must have a host, which is '{}', and a gRPC port from 1 to {}, in its"
                            + " metadata as {} or else its own port, which is '{}'.",
                    instance.getInstanceId(),
                    id,
                    named ? host : "",
                    PORT_MAX,
                    String.join(" or ", PORT_KEYS),
                    port);
        }
        return null;
    }

    private static String grpcPort(ServiceInstance instance) {
        @Nullable Map<String, String> metadata = instance.getMetadata();
        if (metadata != null) {
            for (String key : PORT_KEYS) {
                String port = metadata.get(key);
                if (port != null) return port;
            }
        }
        return String.valueOf(instance.getPort());
    }

    private static int number(String digits) {
        try {
            return Integer.parseInt(digits.trim());
        } catch (NumberFormatException notANumber) {
            return 0;
        }
    }
}
