package io.alphaomega.server.meters;

import java.util.Map;

/**
 * Who sends metrics and spans, in the words of OpenTelemetry's
 * <a href="https://opentelemetry.io/docs/specs/semconv/resource/service/">conventions</a>.
 *
 * @param service what kind of thing it is
 * @param version of what release
 * @param instance which process; never the same twice
 * @param node where its cluster finds it, as in the list of nodes
 */
public record Identity(String service, String version, String instance, String node) {
    public Map<String, String> attributes() {
        return Map.of(
                "service.name", service,
                "service.version", version,
                "service.instance.id", instance,
                "alpha.node", node);
    }
}
