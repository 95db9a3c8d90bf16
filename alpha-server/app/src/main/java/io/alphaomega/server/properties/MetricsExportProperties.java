package io.alphaomega.server.properties;

import static io.alphaomega.server.properties.Refusals.requireCollector;
import static io.alphaomega.server.properties.Refusals.requirePositive;

import io.micrometer.registry.otlp.AggregationTemporality;
import io.micrometer.registry.otlp.CompressionMode;
import java.time.Duration;
import java.util.Map;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Where alpha sends its metrics, by the names that Spring Boot has for it. What is not here of Boot's has no effect.
 *
 * @param url address of a collector that takes OTLP over HTTP, as in {@code http://collector:4318/v1/metrics}; empty for
 *     none
 * @param enabled whether to send although there is one
 * @param step how often
 * @param connectTimeout how long the collector may take to be reached
 * @param readTimeout how long it may take for an answer
 * @param compressionMode of what it is sent
 * @param aggregationTemporality whether counts are since the start, or since they were sent last
 * @param headers that it asks for, such as a token
 */
@ConfigurationProperties("management.otlp.metrics.export")
public record MetricsExportProperties(
        @DefaultValue("") String url,
        @DefaultValue("true") boolean enabled,
        @DefaultValue("1m") Duration step,
        @DefaultValue("1s") Duration connectTimeout,
        @DefaultValue("10s") Duration readTimeout,
        @DefaultValue("none") CompressionMode compressionMode,
        @DefaultValue("cumulative") AggregationTemporality aggregationTemporality,
        @DefaultValue Map<String, String> headers) {
    private static final String PREFIX = "management.otlp.metrics.export.";

    public MetricsExportProperties {
        headers = Map.copyOf(headers);
        requireCollector(PREFIX + "url", url, "http://collector:4318/v1/metrics");
        requirePositive(PREFIX + "step", step);
        requirePositive(PREFIX + "connect-timeout", connectTimeout);
        requirePositive(PREFIX + "read-timeout", readTimeout);
    }

    /** The headers may be secrets. */
    @Override
    public String toString() {
        return "MetricsExport[" + url + "]";
    }
}
