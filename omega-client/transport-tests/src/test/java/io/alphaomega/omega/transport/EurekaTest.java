package io.alphaomega.omega.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.alphaomega.omega.stream.AlphaClient;
import io.alphaomega.omega.stream.AlphaStatus;
import io.alphaomega.omega.stream.AlphaStatus.State;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.cloud.netflix.eureka.server.EnableEurekaServer;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.http.MediaType;
import org.springframework.web.client.RestClient;

/** Alphas are found in a Eureka server, which is told of them over HTTP as by whoever starts them. */
class EurekaTest {
    /** Not those of the other tests: they name the alphas' addresses. */
    private static final String NO_FILE = "--spring.config.name=none";

    @SpringBootConfiguration
    @EnableAutoConfiguration
    @EnableEurekaServer
    static class Registry {}

    @Test
    void alphas_that_register_are_found_and_those_that_leave_are_forgotten() {
        try (ConfigurableApplicationContext registry = registry();
                PlainAlpha first = new PlainAlpha("alpha-1");
                PlainAlpha second = new PlainAlpha("alpha-2")) {
            String url = "http://127.0.0.1:" + registry.getEnvironment().getProperty("local.server.port") + "/eureka/";
            RestClient eureka = RestClient.create(url);
            register(eureka, "one", first);
            try (ConfigurableApplicationContext service = service(url)) {
                AlphaClient client = service.getBean(AlphaClient.class);
                await().until(() -> connected(client).equals(List.of("alpha-1")));
                Stock stock = service.getBean(Stock.class);
                service.getBean(Orders.class).run(() -> stock.take("pen"));
                assertThat(stock.taken("pen")).isEqualTo(1);

                register(eureka, "two", second);
                await().until(() -> connected(client).equals(List.of("alpha-1", "alpha-2")));

                eureka.delete().uri("apps/ALPHA/one").retrieve().toBodilessEntity();
                first.stop();
                await().until(() -> connected(client).equals(List.of("alpha-2"))
                        && client.status().size() == 1);
                service.getBean(Orders.class).run(() -> stock.take("pen"));
                assertThat(stock.taken("pen")).isEqualTo(2);
            }
        }
    }

    private static ConfigurableApplicationContext registry() {
        return new SpringApplicationBuilder(Registry.class)
                .run(
                        NO_FILE,
                        "--server.address=127.0.0.1",
                        "--server.port=0",
                        "--spring.application.name=registry",
                        "--spring.datasource.url=jdbc:sqlite::memory:",
                        "--spring.grpc.server.port=0",
                        "--spring.grpc.server.address=127.0.0.1",
                        "--omega.enabled=false",
                        "--eureka.client.register-with-eureka=false",
                        "--eureka.client.fetch-registry=false",
                        "--eureka.server.use-read-only-response-cache=false");
    }

    private static ConfigurableApplicationContext service(String registry) {
        return new SpringApplicationBuilder(Shop.class)
                .web(WebApplicationType.NONE)
                .run(
                        NO_FILE,
                        "--spring.application.name=shop",
                        "--spring.datasource.url=jdbc:sqlite::memory:",
                        "--spring.datasource.hikari.maximum-pool-size=1",
                        "--spring.grpc.server.port=0",
                        "--spring.grpc.server.address=127.0.0.1",
                        "--omega.alpha.service-id=alpha",
                        "--eureka.client.service-url.defaultZone=" + registry,
                        "--eureka.client.register-with-eureka=false",
                        "--eureka.client.registry-fetch-interval-seconds=1");
    }

    private static void register(RestClient eureka, String id, PlainAlpha alpha) {
        eureka.post()
                .uri("apps/ALPHA")
                .contentType(MediaType.APPLICATION_JSON)
                .body("""
                        {"instance": {
                          "instanceId": "%s", "app": "ALPHA", "vipAddress": "alpha", "secureVipAddress": "alpha",
                          "hostName": "127.0.0.1", "ipAddr": "127.0.0.1", "status": "UP",
                          "port": {"$": 8090, "@enabled": "true"}, "securePort": {"$": 443, "@enabled": "false"},
                          "dataCenterInfo": {
                            "@class": "com.netflix.appinfo.InstanceInfo$DefaultDataCenterInfo", "name": "MyOwn"},
                          "leaseInfo": {"renewalIntervalInSecs": 30, "durationInSecs": 600},
                          "metadata": {"grpc.port": "%d"}}}
                        """.formatted(id, alpha.port()))
                .retrieve()
                .toBodilessEntity();
    }

    private static List<String> connected(AlphaClient client) {
        return client.status().stream()
                .filter(each -> each.state() == State.CONNECTED)
                .map(AlphaStatus::node)
                .sorted()
                .toList();
    }
}
