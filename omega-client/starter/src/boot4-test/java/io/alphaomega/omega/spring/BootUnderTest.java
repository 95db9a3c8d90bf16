package io.alphaomega.omega.spring;

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.reflect.Type;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.boot.flyway.autoconfigure.FlywayAutoConfiguration;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceInitializationAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.JdbcClientAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.JdbcTemplateAutoConfiguration;
import org.springframework.boot.liquibase.autoconfigure.LiquibaseAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration;
import org.springframework.boot.micrometer.observation.autoconfigure.ObservationAutoConfiguration;
import org.springframework.boot.micrometer.tracing.autoconfigure.MicrometerTracingAutoConfiguration;
import org.springframework.boot.micrometer.tracing.opentelemetry.autoconfigure.OpenTelemetryTracingAutoConfiguration;
import org.springframework.boot.opentelemetry.autoconfigure.OpenTelemetrySdkAutoConfiguration;
import org.springframework.boot.restclient.RestTemplateBuilder;
import org.springframework.boot.restclient.autoconfigure.RestClientAutoConfiguration;
import org.springframework.boot.restclient.autoconfigure.RestTemplateAutoConfiguration;
import org.springframework.boot.transaction.autoconfigure.TransactionAutoConfiguration;
import org.springframework.boot.webclient.autoconfigure.WebClientAutoConfiguration;
import org.springframework.web.client.RestTemplate;
import org.springframework.web.service.registry.ImportHttpServices;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What tests use of Spring Boot 4 and of its Jackson, that is elsewhere in Boot 3. */
public final class BootUnderTest {
    static final Class<?> JACKSON = JacksonAutoConfiguration.class;

    static final Class<?>[] DATABASE = {
        DataSourceAutoConfiguration.class,
        DataSourceTransactionManagerAutoConfiguration.class,
        TransactionAutoConfiguration.class,
        JdbcTemplateAutoConfiguration.class,
        JdbcClientAutoConfiguration.class
    };

    static final Class<?> FLYWAY = FlywayAutoConfiguration.class;
    static final Class<?> LIQUIBASE = LiquibaseAutoConfiguration.class;
    static final Class<?> SCRIPTS = DataSourceInitializationAutoConfiguration.class;

    static final Class<?>[] HTTP_CLIENTS = {
        RestClientAutoConfiguration.class, RestTemplateAutoConfiguration.class, WebClientAutoConfiguration.class
    };

    static final Class<?> METRICS = MetricsAutoConfiguration.class;
    static final Class<?> OBSERVATION = ObservationAutoConfiguration.class;
    static final Class<?> TRACING = MicrometerTracingAutoConfiguration.class;

    static final Class<?>[] OPEN_TELEMETRY = {
        OpenTelemetrySdkAutoConfiguration.class, OpenTelemetryTracingAutoConfiguration.class
    };

    /** Jackson's tree, which is a payload like another. */
    public static final Class<?> JSON_TREE = JsonNode.class;

    /** As Boot makes it for REST, and as payloads used to be written. */
    private static final JsonMapper REST =
            JsonMapper.builder().findAndAddModules().build();

    private BootUnderTest() {}

    /** A RestTemplate as services have it. */
    static RestTemplate restTemplate(BeanFactory beans) {
        return beans.getBean(RestTemplateBuilder.class).build();
    }

    /** The status, with details. */
    static String health(BeanFactory beans) {
        return String.valueOf(
                beans.getBean("omegaHealthIndicator", HealthIndicator.class).health(true));
    }

    /** How Micrometer writes the name of a span: as it is. */
    static String spanName(String name) {
        return name;
    }

    public static byte[] asRestWrites(Type type, Object value) {
        return REST.writerFor(REST.constructType(type)).writeValueAsBytes(value);
    }

    /** A bean of {@link PropagationTest.ShopService}. */
    @Retention(RetentionPolicy.RUNTIME)
    @ImportHttpServices(group = "shop", types = PropagationTest.ShopService.class)
    @interface ImportShopService {}
}
