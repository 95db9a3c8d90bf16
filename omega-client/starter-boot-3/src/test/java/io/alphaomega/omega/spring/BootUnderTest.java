package io.alphaomega.omega.spring;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.micrometer.tracing.internal.SpanNameUtil;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.reflect.Type;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.boot.actuate.autoconfigure.metrics.MetricsAutoConfiguration;
import org.springframework.boot.actuate.autoconfigure.observation.ObservationAutoConfiguration;
import org.springframework.boot.actuate.autoconfigure.opentelemetry.OpenTelemetryAutoConfiguration;
import org.springframework.boot.actuate.autoconfigure.tracing.MicrometerTracingAutoConfiguration;
import org.springframework.boot.actuate.autoconfigure.tracing.OpenTelemetryTracingAutoConfiguration;
import org.springframework.boot.actuate.health.HealthIndicator;
import org.springframework.boot.autoconfigure.flyway.FlywayAutoConfiguration;
import org.springframework.boot.autoconfigure.jackson.JacksonAutoConfiguration;
import org.springframework.boot.autoconfigure.jdbc.DataSourceAutoConfiguration;
import org.springframework.boot.autoconfigure.jdbc.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.autoconfigure.jdbc.JdbcClientAutoConfiguration;
import org.springframework.boot.autoconfigure.jdbc.JdbcTemplateAutoConfiguration;
import org.springframework.boot.autoconfigure.liquibase.LiquibaseAutoConfiguration;
import org.springframework.boot.autoconfigure.sql.init.SqlInitializationAutoConfiguration;
import org.springframework.boot.autoconfigure.transaction.TransactionAutoConfiguration;
import org.springframework.boot.autoconfigure.web.client.RestClientAutoConfiguration;
import org.springframework.boot.autoconfigure.web.client.RestTemplateAutoConfiguration;
import org.springframework.boot.autoconfigure.web.reactive.function.client.WebClientAutoConfiguration;
import org.springframework.boot.web.client.RestTemplateBuilder;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.web.client.RestClient;
import org.springframework.web.client.RestTemplate;
import org.springframework.web.client.support.RestClientAdapter;
import org.springframework.web.service.invoker.HttpServiceProxyFactory;

/** What tests use of Spring Boot 3 and of its Jackson, that is elsewhere in Boot 4. */
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
    static final Class<?> SCRIPTS = SqlInitializationAutoConfiguration.class;

    static final Class<?>[] HTTP_CLIENTS = {
        RestClientAutoConfiguration.class, RestTemplateAutoConfiguration.class, WebClientAutoConfiguration.class
    };

    static final Class<?> METRICS = MetricsAutoConfiguration.class;
    static final Class<?> OBSERVATION = ObservationAutoConfiguration.class;
    static final Class<?> TRACING = MicrometerTracingAutoConfiguration.class;

    static final Class<?>[] OPEN_TELEMETRY = {
        OpenTelemetryAutoConfiguration.class, OpenTelemetryTracingAutoConfiguration.class
    };

    /** Jackson's tree, which is a payload like another. */
    public static final Class<?> JSON_TREE = JsonNode.class;

    /** As Boot makes it for REST, and as payloads used to be written. */
    private static final JsonMapper REST = JsonMapper.builder()
            .findAndAddModules()
            .disable(SerializationFeature.WRITE_DATES_AS_TIMESTAMPS)
            .build();

    private BootUnderTest() {}

    /** A RestTemplate as services have it. */
    static RestTemplate restTemplate(BeanFactory beans) {
        return beans.getBean(RestTemplateBuilder.class).build();
    }

    /** The status, with details. */
    static String health(BeanFactory beans) {
        return String.valueOf(
                beans.getBean("omegaHealthIndicator", HealthIndicator.class).getHealth(true));
    }

    /** How Micrometer writes the name of a span there. */
    static String spanName(String name) {
        return SpanNameUtil.toLowerHyphen(name);
    }

    public static byte[] asRestWrites(Type type, Object value) throws JsonProcessingException {
        return REST.writerFor(REST.constructType(type)).writeValueAsBytes(value);
    }

    /** A bean of {@link PropagationTest.ShopService}. */
    @Retention(RetentionPolicy.RUNTIME)
    @Import(ShopServiceConfiguration.class)
    @interface ImportShopService {}

    /** What Spring 6 leaves to services. */
    @Configuration(proxyBeanMethods = false)
    static class ShopServiceConfiguration {
        @Bean
        PropagationTest.ShopService shopService(RestClient.Builder builder) {
            return HttpServiceProxyFactory.builderFor(RestClientAdapter.create(builder.build()))
                    .build()
                    .createClient(PropagationTest.ShopService.class);
        }
    }
}
