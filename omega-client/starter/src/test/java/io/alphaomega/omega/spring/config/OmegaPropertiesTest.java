package io.alphaomega.omega.spring.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.alphaomega.omega.spring.Applications;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Properties;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.context.annotation.ImportCandidates;
import org.springframework.core.io.ClassPathResource;
import org.springframework.core.io.support.PropertiesLoaderUtils;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class OmegaPropertiesTest {

    @Test
    void every_property_is_documented_with_a_sentence() throws Exception {
        List<String> undocumented = new ArrayList<>();
        List<String> names = new ArrayList<>();
        try (InputStream json =
                OmegaProperties.class.getResourceAsStream("/META-INF/spring-configuration-metadata.json")) {
            for (JsonNode property :
                    JsonMapper.shared().readTree(Objects.requireNonNull(json)).get("properties")) {
                names.add(property.get("name").asString());
                if (!property.path("description").asString("").endsWith(".")) {
                    undocumented.add(property.get("name").asString());
                }
            }
        }
        assertThat(names)
                .hasSizeGreaterThan(15)
                .contains("management.health.omega.enabled")
                .allMatch(name -> name.startsWith("omega.")
                        || name.startsWith("management.endpoint.omega.")
                        || name.startsWith("management.health.omega."));
        assertThat(undocumented).isEmpty();
    }

    /** By these, Spring Boot leaves out what does not apply without loading its class. */
    @Test
    void the_conditions_of_every_auto_configuration_are_in_the_jar() throws Exception {
        Properties conditions = PropertiesLoaderUtils.loadProperties(
                new ClassPathResource("META-INF/spring-autoconfigure-metadata.properties"));
        assertThat(ImportCandidates.load(AutoConfiguration.class, OmegaProperties.class.getClassLoader()))
                .filteredOn(name -> name.startsWith("io.alphaomega."))
                .hasSizeGreaterThan(10)
                .allSatisfy(name -> assertThat(conditions).containsKey(name));
    }

    @ParameterizedTest
    @CsvSource({
        "omega.begin-timeout=0s, omega.begin-timeout must be more than 0",
        "omega.resend-for=-1s, omega.resend-for must be more than 0",
        "omega.hold-for=11m, omega.hold-for must be more than 0 and at most PT10M",
        "omega.ack-timeout=0s, omega.ack-timeout must be more than 0",
        "omega.drain-timeout=2h, omega.drain-timeout must be more than 0 and at most PT1H",
        "omega.alpha.addresses=nowhere, omega.alpha.addresses must be host:port",
        "omega.alpha.connect-timeout=0s, omega.alpha.connect-timeout must be more than 0",
        "omega.alpha.reconnect-delay-max=0s, omega.alpha.reconnect-delay-max must be more than 0",
        "omega.alpha.unanswered-inputs=0, omega.alpha.unanswered-inputs must be from 1",
        "omega.saga.timeout=31d, omega.saga.timeout must be more than 0 and at most PT720H",
        "omega.saga.decision-timeout=0s, omega.saga.decision-timeout must be more than 0",
        "omega.fence.retention=1h, omega.fence.retention must be at least PT48H",
        "omega.fence.purge-interval=0s, omega.fence.purge-interval must be more than 0",
        "omega.compensable.outside=as-configured, omega.compensable.outside must be RUN",
        "omega.callback.threads=0, omega.callback.threads must be from 1",
        "omega.build=0123456789012345678901234567890123456789012345678901234567890123x, omega.build must have at most 64",
        "omega.health.disconnected-status=, omega.health.disconnected-status must be a status",
    })
    void nonsense_in_a_property_is_refused_by_its_name(String property, String sentence) {
        Applications.plain()
                .withPropertyValues(property)
                .run(context -> assertThat(context).getFailure().rootCause().hasMessageContaining(sentence));
    }
}
