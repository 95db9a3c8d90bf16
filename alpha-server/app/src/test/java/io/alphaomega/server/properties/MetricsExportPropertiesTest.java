package io.alphaomega.server.properties;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;

class MetricsExportPropertiesTest {
    private static final String PREFIX = "management.otlp.metrics.export";

    @Test
    void headers_are_bound_and_not_shown() {
        MetricsExportProperties properties = bound(Map.of(PREFIX + ".headers.Authorization", "Bearer secret"));
        assertThat(properties.headers()).containsExactly(Map.entry("Authorization", "Bearer secret"));
        assertThat(properties.toString()).doesNotContain("secret");
    }

    @ParameterizedTest
    @CsvSource({
        "url, collector:4318, an address such as http://collector:4318/v1/metrics",
        "url, http://user:secret@collector/v1/metrics, without a user",
        "step, 0s, must be more than 0",
        "connect-timeout, 0s, must be more than 0",
        "read-timeout, -1s, must be more than 0"
    })
    void nonsense_is_refused_with_the_name_of_the_property(String property, String value, String sentence) {
        assertThatThrownBy(() -> bound(Map.of(PREFIX + "." + property, value)))
                .rootCause()
                .isInstanceOf(RefusedPropertyException.class)
                .hasMessageContaining(PREFIX + "." + property)
                .hasMessageContaining(sentence);
    }

    private static MetricsExportProperties bound(Map<String, String> properties) {
        return new Binder(new MapConfigurationPropertySource(properties))
                .bindOrCreate(PREFIX, MetricsExportProperties.class);
    }
}
