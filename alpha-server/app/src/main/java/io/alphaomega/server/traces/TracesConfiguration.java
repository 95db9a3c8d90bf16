package io.alphaomega.server.traces;

import io.alphaomega.server.meters.Identity;
import io.alphaomega.server.properties.TracesProperties;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.common.AttributesBuilder;
import io.opentelemetry.exporter.otlp.http.trace.OtlpHttpSpanExporter;
import io.opentelemetry.exporter.otlp.http.trace.OtlpHttpSpanExporterBuilder;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.export.BatchSpanProcessor;
import io.opentelemetry.sdk.trace.samplers.Sampler;
import java.util.Locale;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * Puts together what makes alpha's spans. It is OpenTelemetry's alone and not what Spring Boot would put together, which
 * makes spans of each request for the console as well, and does so whether or not anybody takes them.
 */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(TracesProperties.class)
class TracesConfiguration {
    @Bean(destroyMethod = "close")
    Traces traces(
            TracesProperties properties,
            @Value("${management.tracing.export.enabled:true}") boolean enabled,
            @Value("${management.tracing.export.otlp.enabled:true}") boolean otlp,
            Identity identity) {
        if (!enabled || !otlp || properties.otlp().endpoint().isEmpty()) return new Traces(null);
        return new Traces(SdkTracerProvider.builder()
                // Of a span that is not sampled, none is begun.
                .setSampler(Sampler.alwaysOn())
                .setResource(resource(identity))
                // What it has no room for it drops; it never waits.
                .addSpanProcessor(BatchSpanProcessor.builder(new ToldExporter(
                                exporter(properties.otlp()), properties.otlp().endpoint()))
                        .setScheduleDelay(properties.scheduleDelay())
                        .build())
                .build());
    }

    private static Resource resource(Identity identity) {
        AttributesBuilder attributes = Attributes.builder();
        identity.attributes().forEach(attributes::put);
        return Resource.create(attributes.build());
    }

    private static OtlpHttpSpanExporter exporter(TracesProperties.Otlp otlp) {
        OtlpHttpSpanExporterBuilder exporter = OtlpHttpSpanExporter.builder()
                .setEndpoint(otlp.endpoint())
                .setTimeout(otlp.timeout())
                .setConnectTimeout(otlp.connectTimeout())
                .setCompression(otlp.compression().name().toLowerCase(Locale.ROOT));
        otlp.headers().forEach(exporter::addHeader);
        return exporter.build();
    }
}
