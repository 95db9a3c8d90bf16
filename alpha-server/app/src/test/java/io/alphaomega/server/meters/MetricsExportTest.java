package io.alphaomega.server.meters;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpServer;
import io.alphaomega.server.properties.AlphaProperties;
import io.micrometer.core.instrument.Clock;
import io.micrometer.registry.otlp.OtlpMeterRegistry;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

@ExtendWith(OutputCaptureExtension.class)
class MetricsExportTest {
    private final List<String> tokens = new CopyOnWriteArrayList<>();
    private final HttpServer collector;
    private volatile int status = 503;

    private final ApplicationContextRunner alpha = new ApplicationContextRunner()
            .withUserConfiguration(MetricsExportConfiguration.class, Surroundings.class)
            .withPropertyValues("spring.application.name=alpha");

    MetricsExportTest() throws IOException {
        collector = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    }

    @BeforeEach
    void start() {
        collector.createContext("/v1/metrics", exchange -> {
            tokens.add(exchange.getRequestHeaders().getFirst("Authorization"));
            exchange.sendResponseHeaders(status, -1);
            exchange.close();
        });
        collector.start();
    }

    @AfterEach
    void stop() {
        collector.stop(0);
    }

    @Test
    void without_a_collector_nothing_is_counted_for_one() {
        alpha.run(context -> assertThat(context).doesNotHaveBean(OtlpMeterRegistry.class));
        alpha.withPropertyValues("management.otlp.metrics.export.url=")
                .run(context -> assertThat(context).doesNotHaveBean(OtlpMeterRegistry.class));
        alpha.withPropertyValues(
                        "management.otlp.metrics.export.url=" + url(), "management.otlp.metrics.export.enabled=false")
                .run(context -> assertThat(context).doesNotHaveBean(OtlpMeterRegistry.class));
    }

    @Test
    void a_collector_that_is_away_is_told_once_and_so_is_its_return(CapturedOutput output) {
        alpha.withPropertyValues(
                        "management.otlp.metrics.export.url=" + url(),
                        "management.otlp.metrics.export.headers.Authorization=Bearer token",
                        "management.otlp.metrics.export.step=20ms")
                .run(context -> {
                    context.getBean(OtlpMeterRegistry.class).counter("one").increment();
                    await().until(() -> tokens.size() >= 3);
                    assertThat(output).containsOnlyOnce("Metrics do not reach " + url() + ": ");
                    status = 200;
                    await().until(() -> output.getAll().contains("Metrics reach " + url() + " again."));
                });
        assertThat(tokens).containsOnly("Bearer token");
        assertThat(output).doesNotContain("\tat ");
    }

    private String url() {
        return "http://127.0.0.1:" + collector.getAddress().getPort() + "/v1/metrics";
    }

    @Configuration(proxyBeanMethods = false)
    @EnableConfigurationProperties(AlphaProperties.class)
    static class Surroundings {
        @Bean
        Clock clock() {
            return Clock.SYSTEM;
        }
    }
}
