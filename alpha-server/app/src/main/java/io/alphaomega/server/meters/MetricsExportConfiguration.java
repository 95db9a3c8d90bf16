package io.alphaomega.server.meters;

import io.alphaomega.server.process.Release;
import io.alphaomega.server.properties.AlphaProperties;
import io.alphaomega.server.properties.ClusterProperties;
import io.alphaomega.server.properties.MetricsExportProperties;
import io.micrometer.core.instrument.Clock;
import io.micrometer.core.ipc.http.HttpUrlConnectionSender;
import io.micrometer.registry.otlp.AggregationTemporality;
import io.micrometer.registry.otlp.CompressionMode;
import io.micrometer.registry.otlp.OtlpConfig;
import io.micrometer.registry.otlp.OtlpHttpMetricsSender;
import io.micrometer.registry.otlp.OtlpMeterRegistry;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Condition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotatedTypeMetadata;

/**
 * Sends the metrics by OTLP where a collector is named. It is not what Spring Boot would put together, which sends to
 * the machine itself unless told otherwise, and logs a stack trace for each time that nobody is there.
 */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(MetricsExportProperties.class)
class MetricsExportConfiguration {
    @Bean
    Identity identity(@Value("${spring.application.name}") String service, AlphaProperties properties) {
        ClusterProperties cluster = properties.cluster();
        return new Identity(
                service, Release.version(), UUID.randomUUID().toString(), cluster.host() + ":" + cluster.port());
    }

    @Bean
    @Conditional(Wanted.class)
    OtlpMeterRegistry otlpMeterRegistry(MetricsExportProperties properties, Identity identity, Clock clock) {
        OtlpHttpMetricsSender sender = new OtlpHttpMetricsSender(
                new HttpUrlConnectionSender(properties.connectTimeout(), properties.readTimeout()));
        return OtlpMeterRegistry.builder(config(properties, identity))
                .clock(clock)
                .metricsSender(new ToldSender(sender))
                .build();
    }

    private static OtlpConfig config(MetricsExportProperties properties, Identity identity) {
        return new OtlpConfig() {
            @Override
            public @Nullable String get(String key) {
                return null; // What is not said below is Micrometer's default.
            }

            @Override
            public String url() {
                return properties.url();
            }

            @Override
            public Duration step() {
                return properties.step();
            }

            @Override
            public Map<String, String> headers() {
                return properties.headers();
            }

            @Override
            public CompressionMode compressionMode() {
                return properties.compressionMode();
            }

            @Override
            public AggregationTemporality aggregationTemporality() {
                return properties.aggregationTemporality();
            }

            @Override
            public Map<String, String> resourceAttributes() {
                return identity.attributes();
            }
        };
    }

    /** A registry that sends nothing would still count. */
    static final class Wanted implements Condition {
        @Override
        public boolean matches(ConditionContext context, AnnotatedTypeMetadata metadata) {
            Environment environment = context.getEnvironment();
            return !environment
                            .getProperty("management.otlp.metrics.export.url", "")
                            .isEmpty()
                    && environment.getProperty("management.otlp.metrics.export.enabled", Boolean.class, true);
        }
    }
}
