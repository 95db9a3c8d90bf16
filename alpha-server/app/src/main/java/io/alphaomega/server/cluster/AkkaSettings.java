package io.alphaomega.server.cluster;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import io.alphaomega.server.properties.ClusterProperties;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** How alpha uses Akka: {@code akka.conf}, options of the JVM, and what {@code alpha.cluster.*} says. */
final class AkkaSettings {
    /** One for all, so that two clusters of different names can tell each other that they are. */
    static final String SYSTEM = "alpha";

    /** Of Akka, what operators may set by options of the JVM: TLS between nodes, docs/cluster.md. */
    private static final String REMOTING = "akka.remote.artery";

    private static final String BOOTSTRAP = "akka.management.cluster.bootstrap.";

    private AkkaSettings() {}

    /** @param overrides win over everything */
    static Config of(ClusterProperties properties, Config overrides) {
        Map<String, Object> settings = new HashMap<>();
        settings.put("akka.remote.artery.canonical.hostname", properties.host());
        settings.put("akka.remote.artery.canonical.port", properties.port());
        settings.put("akka.cluster.failure-detector.acceptable-heartbeat-pause", properties.heartbeatPause());
        settings.put("akka.cluster.split-brain-resolver.active-strategy", name(properties.resolver()));
        settings.put("akka.cluster.split-brain-resolver.stable-after", properties.stableAfter());
        settings.putAll(JoinTerms.of(properties));
        if (properties.discovery().isOn()) discovery(properties, settings);
        return overrides
                .withFallback(ConfigFactory.parseMap(settings))
                .withFallback(ConfigFactory.systemProperties().withOnlyPath(REMOTING))
                .withFallback(ConfigFactory.parseResources(AkkaSettings.class.getClassLoader(), "akka.conf"))
                .withFallback(ConfigFactory.load())
                .resolve();
    }

    private static void discovery(ClusterProperties properties, Map<String, Object> settings) {
        ClusterProperties.Discovery discovery = properties.discovery();
        settings.put("akka.management.http.hostname", properties.host());
        settings.put("akka.management.http.port", discovery.port());
        settings.put(BOOTSTRAP + "contact-point-discovery.service-name", discovery.service());
        // The service's own name, as it is: Akka would put a namespace of Kubernetes behind it.
        settings.put(BOOTSTRAP + "contact-point-discovery.effective-name", discovery.service());
        settings.put(BOOTSTRAP + "contact-point-discovery.required-contact-point-nr", discovery.requiredNodes());
        settings.put(BOOTSTRAP + "contact-point-discovery.discovery-method", method(discovery.method()));
        settings.put(BOOTSTRAP + "contact-point.fallback-port", discovery.port());
        // Several nodes at one address have different ports.
        settings.put(
                BOOTSTRAP + "contact-point.filter-on-fallback-port",
                discovery.method() != ClusterProperties.Discovery.Method.CONFIG);
        settings.put(
                "akka.discovery.config.services." + quoted(discovery.service()) + ".endpoints",
                discovery.nodes().stream().map(AkkaSettings::endpoint).toList());
    }

    private static String method(ClusterProperties.Discovery.Method method) {
        return switch (method) {
            case NONE -> throw new IllegalArgumentException("Without discovery there is no method.");
            case DNS -> "akka-dns";
            case KUBERNETES_API, CONFIG -> name(method);
        };
    }

    private static Map<String, Object> endpoint(String node) {
        List<String> parts = List.of(node.split(":", 2));
        return Map.of("host", parts.getFirst(), "port", Integer.parseInt(parts.getLast()));
    }

    private static String quoted(String key) {
        return '"' + key + '"';
    }

    /** As it is written in properties, and in Akka's settings. */
    static String name(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
