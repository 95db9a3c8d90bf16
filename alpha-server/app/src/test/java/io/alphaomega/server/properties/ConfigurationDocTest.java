package io.alphaomega.server.properties;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.config.YamlPropertiesFactoryBean;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;
import org.springframework.core.io.ClassPathResource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The three places that tell of the properties say the same: the record, application.yml, docs/configuration.md. */
class ConfigurationDocTest {
    private static final Path DOC = Path.of("../../docs/configuration.md");
    private static final Path MANUAL = Path.of("src/main/resources/application.yml");

    private static final String HEAD = """
            # Configuration of alpha

            Made from the code by `ConfigurationDocTest`; run it with `-Drewrite` after a change.

            Set a property on the command line (`scripts/alpha --alpha.grpc.port=8081`), by its environment variable, or in a
            file `application.yml` in the working directory or in `./config`; the first of these wins. Durations are written
            `500ms`, `30s`, `5m`, `24h` or `30d`. An unknown property of `alpha.*`, or a value that makes no sense, stops the
            start with a sentence. `JAVA_OPTS` holds further options for alpha's JVM. The starter always says a saga's
            timeout (`omega.saga.timeout`) and order (`@SagaStart`), so alpha's count for other clients.

            | property | default | environment variable | what it is |
            | --- | --- | --- | --- |
            """;

    /** Spring Boot's own that an operator of alpha needs. */
    private static final String TAIL = """
            | `server.address` | `127.0.0.1` | `SERVER_ADDRESS` | The address of REST and actuator. Everybody who reaches it may see every saga and intervene. |
            | `server.port` | `8090` | `SERVER_PORT` | The port of REST and actuator; 0 for any free one. |
            | `management.otlp.metrics.export.url` | (empty) | `MANAGEMENT_OTLP_METRICS_EXPORT_URL` | A collector of metrics that takes OTLP over HTTP, such as `http://collector:4318/v1/metrics`; empty for none. Beside it `headers.*`, `connect-timeout`, `read-timeout`, `compression-mode` and `aggregation-temporality`: [Metrics by OTLP](operating/monitoring.md#metrics-by-otlp). |
            | `management.otlp.metrics.export.step` | `1m` | `MANAGEMENT_OTLP_METRICS_EXPORT_STEP` | How often metrics are sent. |
            | `management.opentelemetry.tracing.export.otlp.endpoint` | (empty) | `MANAGEMENT_OPENTELEMETRY_TRACING_EXPORT_OTLP_ENDPOINT` | A collector of traces that takes OTLP over HTTP, such as `http://collector:4318/v1/traces`; empty for none, and then alpha makes no spans. Beside it `headers.*`, `timeout`, `connect-timeout` and `compression`: [Traces](tracing.md). |
            | `management.opentelemetry.tracing.export.schedule-delay` | `5s` | `MANAGEMENT_OPENTELEMETRY_TRACING_EXPORT_SCHEDULEDELAY` | How long spans gather before they are sent. |
            | `management.tracing.export.enabled` | `true` | `MANAGEMENT_TRACING_EXPORT_ENABLED` | `false` to make no spans although there is a collector. |
            | `logging.level.root` | `info` | `LOGGING_LEVEL_ROOT` | How much is logged: `error`, `warn`, `info` or `debug`. |
            """;

    @Test
    void the_page_has_every_property_of_the_metadata() throws IOException {
        Map<String, JsonNode> metadata = metadata();
        String rows = UnknownProperties.known().stream()
                .map(name -> row(name, requireNonNull(metadata.get(name), name)))
                .collect(Collectors.joining());
        String page = HEAD + rows + TAIL;
        if (System.getProperty("rewrite") != null) Files.writeString(DOC, page, UTF_8);

        assertThat(DOC)
                .as("docs/configuration.md is stale: run this test with -Drewrite")
                .content(UTF_8)
                .isEqualTo(page);
    }

    @Test
    void the_manual_states_the_defaults_and_no_other_keys() {
        YamlPropertiesFactoryBean yaml = new YamlPropertiesFactoryBean();
        yaml.setResources(new ClassPathResource("application.yml"));
        Map<Object, Object> manual = new LinkedHashMap<>(yaml.getObject());
        manual.keySet().removeIf(key -> !key.toString().startsWith("alpha."));

        assertThat(manual).containsOnlyKeys(UnknownProperties.known().toArray());
        assertThat(bound(manual)).isEqualTo(bound(Map.of()));
    }

    @Test
    void the_manual_names_every_environment_variable() throws IOException {
        assertThat(Files.readString(MANUAL, UTF_8))
                .contains(UnknownProperties.known().stream()
                        .map(UnknownProperties::variable)
                        .toList());
    }

    @Test
    void every_property_is_bound_by_its_environment_variable() {
        for (String name : UnknownProperties.known()) {
            StandardEnvironment environment = new StandardEnvironment();
            environment
                    .getPropertySources()
                    .addFirst(new SystemEnvironmentPropertySource(
                            StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME,
                            Map.of(UnknownProperties.variable(name), "value")));

            assertThat(Binder.get(environment).bind(name, String.class).orElse("unbound"))
                    .as(name)
                    .isEqualTo("value");
        }
    }

    private static Map<String, JsonNode> metadata() throws IOException {
        try (InputStream json = new ClassPathResource("META-INF/spring-configuration-metadata.json").getInputStream()) {
            Map<String, JsonNode> byName = new LinkedHashMap<>();
            for (JsonNode property : JsonMapper.shared().readTree(json).get("properties")) {
                byName.put(property.get("name").asString(), property);
            }
            return byName;
        }
    }

    private static String row(String name, JsonNode property) {
        String description = property.get("description").asString();
        String sentence = description.substring(0, 1).toUpperCase(Locale.ROOT) + description.substring(1) + ".";
        String value = property.path("defaultValue").asString("");
        String fallback = value.isEmpty() ? "(empty)" : "`" + value + "`";
        return "| `%s` | %s | `%s` | %s%s |%n"
                .formatted(
                        name,
                        fallback,
                        UnknownProperties.variable(name),
                        sentence,
                        values(property.get("type").asString()));
    }

    private static String values(String type) {
        try {
            Class<?> known = Class.forName(type.replaceAll("<.*", ""));
            if (!known.isEnum()) return "";
            List<String> names = Arrays.stream(known.getEnumConstants())
                    .map(value -> "`"
                            + ((Enum<?>) value).name().toLowerCase(Locale.ROOT).replace('_', '-') + "`")
                    .toList();
            return " Values: " + String.join(", ", names) + ".";
        } catch (ClassNotFoundException e) {
            throw new AssertionError(e);
        }
    }

    private static AlphaProperties bound(Map<?, ?> properties) {
        return new Binder(new MapConfigurationPropertySource(properties)).bindOrCreate("alpha", AlphaProperties.class);
    }
}
