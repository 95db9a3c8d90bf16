package io.alphaomega.omega.fence;

import static io.alphaomega.omega.test.OmegaAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.alphaomega.omega.SagaStart;
import io.alphaomega.omega.test.OmegaTest;
import io.alphaomega.omega.test.TestAlpha;
import io.r2dbc.spi.ConnectionFactory;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.r2dbc.connection.R2dbcTransactionManager;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import reactor.core.publisher.Mono;

/** What docs/external-api.md shows does what the page says: a Mono on a real database, and announcements without one. */
class ExternalApiTest {
    private static final Duration LIMIT = Duration.ofSeconds(30);

    private static final TestAlpha ALPHA = new TestAlpha();
    private static ConfigurableApplicationContext application;
    private static OfExternalApi.Ledger ledger;

    @OmegaTest
    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @EnableTransactionManagement
    @Import({
        OfExternalApi.Ledger.class,
        OfExternalApi.LaterDesk.class,
        OfExternalApi.Announcements.class,
        OfExternalApi.Shop.class,
        OfExternalApi.LaterAnnouncements.class,
        OfExternalApi.LaterShop.class,
        Orders.class
    })
    static class Paying {
        @Bean
        R2dbcTransactionManager transactions(ConnectionFactory connections) {
            return new R2dbcTransactionManager(connections);
        }
    }

    static class Orders {
        private final OfExternalApi.LaterDesk desk;

        Orders(OfExternalApi.LaterDesk desk) {
            this.desk = desk;
        }

        @SagaStart
        public Mono<String> pay(String order) {
            return desk.pay(order, 5);
        }
    }

    @BeforeAll
    static void start() {
        application = new SpringApplicationBuilder(Paying.class)
                .web(WebApplicationType.NONE)
                .properties("spring.application.name=payments", "spring.main.banner-mode=off")
                .initializers(context -> {
                    context.getBeanFactory().registerSingleton("alpha", ALPHA);
                    context.getBeanFactory().registerSingleton("connections", Databases.POSTGRESQL.connections());
                })
                .run();
        ledger = application.getBean(OfExternalApi.Ledger.class);
    }

    @AfterAll
    static void stop() {
        application.close();
        Databases.stop();
    }

    @BeforeEach
    void nothing_charged() {
        ledger.seen.clear();
        ledger.timesOut = false;
    }

    @Test
    void a_mono_whose_call_timed_out_is_refunded_once() {
        ledger.timesOut = true;
        Orders orders = application.getBean(Orders.class);
        assertThatThrownBy(() -> orders.pay("o-1").block(LIMIT)).hasMessage("Read timed out");
        ALPHA.advance(Duration.ofMinutes(1)); // What nobody knows may still run, until its forwardTimeout is over.
        assertThat(ALPHA.sagas().getLast()).compensated("OfExternalApi.LaterDesk.pay");
        assertThat(ledger.seen).containsExactly("charged o-1", "refunded o-1");
    }

    @Test
    void what_was_announced_is_refunded_when_the_call_timed_out_and_else_not() {
        OfExternalApi.Shop shop = application.getBean(OfExternalApi.Shop.class);
        shop.buy("o-2", 5);
        assertThat(ALPHA.sagas().getLast()).committed();
        ledger.timesOut = true;
        assertThatThrownBy(() -> shop.buy("o-3", 5)).hasMessage("Read timed out");
        assertThat(ALPHA.sagas().getLast()).compensated("OfExternalApi.Announcements.announce");
        assertThat(ledger.seen).containsExactly("charged o-2", "charged o-3", "refunded o-3");
    }

    @Test
    void as_publishers_too() {
        OfExternalApi.LaterShop shop = application.getBean(OfExternalApi.LaterShop.class);
        assertThat(shop.buy("o-4", 5).block(LIMIT)).isEqualTo("receipt");
        assertThat(ALPHA.sagas().getLast()).committed();
        ledger.timesOut = true;
        assertThatThrownBy(() -> shop.buy("o-5", 5).block(LIMIT)).hasMessage("Read timed out");
        assertThat(ALPHA.sagas().getLast()).compensated("OfExternalApi.LaterAnnouncements.announce");
        assertThat(ledger.seen).containsExactly("charged o-4", "charged o-5", "refunded o-5");
    }
}
