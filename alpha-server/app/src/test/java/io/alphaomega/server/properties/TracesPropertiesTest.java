package io.alphaomega.server.properties;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;

class TracesPropertiesTest {
    private static final String PREFIX = "management.opentelemetry.tracing.export";

    @Test
    void what_spring_boot_calls_them_is_bound_and_headers_are_not_shown() {
        TracesProperties properties = bound(Map.of(
                PREFIX + ".otlp.endpoint", "https://traces.example.com/otlp/v1/traces",
                PREFIX + ".otlp.headers.Authorization", "Bearer secret",
                PREFIX + ".otlp.compression", "gzip",
                PREFIX + ".schedule-delay", "200ms"));
        assertThat(properties.otlp().headers()).containsExactly(Map.entry("Authorization", "Bearer secret"));
        assertThat(properties.otlp().compression()).isEqualTo(TracesProperties.Compression.GZIP);
        assertThat(properties.scheduleDelay()).isEqualTo(Duration.ofMillis(200));
        assertThat(properties.toString()).doesNotContain("secret");
    }

    @ParameterizedTest
    @CsvSource({
        "otlp.endpoint, collector:4318, an address such as http://collector:4318/v1/traces",
        "otlp.endpoint, http://user:secret@collector/v1/traces, without a user",
        "otlp.endpoint, ftp://collector/v1/traces, an address such as http://collector:4318/v1/traces",
        "otlp.transport, grpc, must be http but was 'grpc'",
        "otlp.timeout, 0s, must be more than 0",
        "schedule-delay, -1s, must be more than 0"
    })
    void nonsense_is_refused_with_the_name_of_the_property(String property, String value, String sentence) {
        assertThatThrownBy(() -> bound(Map.of(PREFIX + "." + property, value)))
                .rootCause()
                .isInstanceOf(RefusedPropertyException.class)
                .hasMessageContaining(PREFIX + "." + property)
                .hasMessageContaining(sentence);
    }

    private static TracesProperties bound(Map<String, String> properties) {
        return new Binder(new MapConfigurationPropertySource(properties)).bindOrCreate(PREFIX, TracesProperties.class);
    }
}
