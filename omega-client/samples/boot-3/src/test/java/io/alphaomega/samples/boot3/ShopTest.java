package io.alphaomega.samples.boot3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.SpringBootVersion;
import org.springframework.boot.actuate.health.HealthIndicator;
import org.springframework.boot.actuate.health.Status;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;
import org.springframework.web.client.HttpClientErrorException;

/** A service whose pom knows nothing of ours but the starter, with a real alpha, over TLS. */
@SpringBootTest(webEnvironment = WebEnvironment.DEFINED_PORT)
class ShopTest {
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    @Autowired
    private Counter counter;

    @Autowired
    private Telephone telephone;

    @Autowired
    private Purchases purchases;

    @Autowired
    private Stock stock;

    @Autowired
    private HealthIndicator omegaHealthIndicator;

    @DynamicPropertySource
    static void alpha(DynamicPropertyRegistry properties) {
        Path directory = Path.of(System.getProperty("directory"));
        Alpha alpha = new Alpha(directory);
        int port = Alpha.freePort();
        properties.add("omega.alpha.addresses", alpha::address);
        properties.add("omega.alpha.ssl.bundle", () -> "shop");
        properties.add("omega.begin-timeout", () -> "30s");
        for (String store : List.of("keystore", "truststore")) {
            String bundle = "spring.ssl.bundle.jks.shop." + store;
            properties.add(bundle + ".location", () -> "file:" + directory.resolve("keys.p12"));
            properties.add(bundle + ".password", () -> Alpha.PASSWORD);
        }
        properties.add("server.port", () -> port);
        properties.add("shop.stock", () -> "http://127.0.0.1:" + port);
        dubbo(properties);
        properties.add(
                "spring.datasource.url",
                () -> "jdbc:sqlite:" + directory.resolve("shop.db")
                        + "?journal_mode=WAL&busy_timeout=10000&transaction_mode=IMMEDIATE");
    }

    private static void dubbo(DynamicPropertyRegistry properties) {
        properties.add("dubbo.application.qos-enable", () -> false);
        properties.add("dubbo.registry.address", () -> "N/A");
        // A busy machine does not answer within Dubbo's second.
        properties.add("dubbo.consumer.timeout", PATIENCE::toMillis);
        properties.add("dubbo.scan.base-packages", ShopTest.class::getPackageName);
        int plain = Alpha.freePort();
        properties.add("dubbo.protocols.plain.name", () -> "dubbo");
        properties.add("dubbo.protocols.plain.port", () -> plain);
        int triple = Alpha.freePort();
        properties.add("dubbo.protocols.triple.name", () -> "tri");
        properties.add("dubbo.protocols.triple.port", () -> triple);
    }

    @Test
    void what_is_sold_is_ordered_and_taken_from_the_stock() {
        assertThat(SpringBootVersion.getVersion()).startsWith("3.5.");
        int before = stock.pieces("book");
        counter.sell("book");
        assertThat(purchases.states("book")).containsExactly("ORDERED");
        assertThat(stock.pieces("book")).isEqualTo(before - 1);
        assertThat(omegaHealthIndicator.health().getStatus()).isEqualTo(Status.UP);
    }

    @Test
    void what_the_stock_does_not_have_is_cancelled_by_alpha() {
        assertThatThrownBy(() -> counter.sell("unicorn")).isInstanceOf(HttpClientErrorException.Conflict.class);
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(purchases.states("unicorn")).containsExactly("CANCELLED"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"dubbo", "tri"})
    void what_is_ordered_by_dubbo_is_cancelled_with_the_saga_that_it_is_of(String protocol) {
        telephone.order(protocol, "by " + protocol);
        assertThatThrownBy(() -> telephone.orderAndHangUp(protocol, "in vain by " + protocol))
                .hasMessage("hung up");
        await().atMost(PATIENCE)
                .untilAsserted(() ->
                        assertThat(purchases.states("in vain by " + protocol)).containsExactly("CANCELLED"));
        assertThat(purchases.states("by " + protocol)).containsExactly("ORDERED");
    }
}
