package io.alphaomega.server.properties;

import static io.alphaomega.server.properties.Refusals.refused;
import static io.alphaomega.server.properties.Refusals.requireCollector;
import static io.alphaomega.server.properties.Refusals.requirePositive;

import java.time.Duration;
import java.util.Map;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Where alpha's spans go, by the names that Spring Boot has for it. What is not here of Boot's has no effect.
 *
 * @param scheduleDelay how long spans gather before they are sent
 */
@ConfigurationProperties("management.opentelemetry.tracing.export")
public record TracesProperties(
        @DefaultValue Otlp otlp, @DefaultValue("5s") Duration scheduleDelay) {
    private static final String PREFIX = "management.opentelemetry.tracing.export.";

    public TracesProperties {
        requirePositive(PREFIX + "schedule-delay", scheduleDelay);
    }

    /**
     * A collector that takes OTLP over HTTP.
     *
     * @param endpoint its address, as in {@code http://collector:4318/v1/traces}; empty for none
     * @param transport how; only http
     * @param timeout how long it may take for an answer
     * @param connectTimeout how long it may take to be reached
     * @param compression of what it is sent
     * @param headers that it asks for, such as a token
     */
    public record Otlp(
            @DefaultValue("") String endpoint,
            @DefaultValue("http") String transport,
            @DefaultValue("10s") Duration timeout,
            @DefaultValue("10s") Duration connectTimeout,
            @DefaultValue("none") Compression compression,
            @DefaultValue Map<String, String> headers) {
        public Otlp {
            headers = Map.copyOf(headers);
            requirePositive(PREFIX + "otlp.timeout", timeout);
            requirePositive(PREFIX + "otlp.connect-timeout", connectTimeout);
            if (!transport.equalsIgnoreCase("http")) throw refused(PREFIX + "otlp.transport", "http", transport);
            requireCollector(PREFIX + "otlp.endpoint", endpoint, "http://collector:4318/v1/traces");
        }

        /** The headers may be secrets. */
        @Override
        public String toString() {
            return "Otlp[" + endpoint + "]";
        }
    }

    /** Of what is sent. */
    public enum Compression {
        NONE,
        GZIP
    }
}
