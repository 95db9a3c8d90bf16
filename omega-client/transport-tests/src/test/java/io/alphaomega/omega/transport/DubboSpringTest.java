package io.alphaomega.omega.transport;

import static io.alphaomega.omega.test.OmegaAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import io.alphaomega.omega.Omega;
import io.alphaomega.omega.test.OmegaTest;
import io.alphaomega.omega.test.TestAlpha;
import io.alphaomega.repository.servers.ServerProcess;
import org.apache.dubbo.config.ApplicationConfig;
import org.apache.dubbo.config.ProtocolConfig;
import org.apache.dubbo.config.RegistryConfig;
import org.apache.dubbo.config.annotation.DubboReference;
import org.apache.dubbo.config.annotation.DubboService;
import org.apache.dubbo.config.spring.context.annotation.EnableDubbo;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;

/** Sagas over Dubbo as its annotations for Spring make services and references. */
@SpringBootTest(classes = DubboSpringTest.DubboShop.class, webEnvironment = SpringBootTest.WebEnvironment.NONE)
@OmegaTest
class DubboSpringTest {
    @Autowired
    private Client client;

    @Autowired
    private Orders orders;

    @Autowired
    private Stock stock;

    @Autowired
    private Omega omega;

    @Autowired
    private TestAlpha alpha;

    @DynamicPropertySource
    static void port(DynamicPropertyRegistry properties) {
        int port = ServerProcess.freePort();
        properties.add("warehouse.port", () -> port);
    }

    @EnableDubbo
    @Import({Shop.class, Client.class, Provider.class})
    static class DubboShop {
        @Bean
        static ApplicationConfig application() {
            return Dubbo.config(new ApplicationConfig("spring-shop"));
        }

        @Bean
        static RegistryConfig registry() {
            return new RegistryConfig(RegistryConfig.NO_AVAILABLE);
        }

        @Bean
        static ProtocolConfig protocol(@Value("${warehouse.port}") int port) {
            return new ProtocolConfig("dubbo", port);
        }
    }

    static class Client {
        @DubboReference(url = "dubbo://127.0.0.1:${warehouse.port}", scope = "remote", check = false)
        @SuppressWarnings("NullAway.Init")
        private Warehouse elsewhere;

        @DubboReference(scope = "local", check = false)
        @SuppressWarnings("NullAway.Init")
        private Warehouse here;
    }

    @DubboService
    static class Provider extends DubboWarehouse {
        Provider(Stock stock, Omega omega) {
            super(stock, omega);
        }
    }

    @Test
    void a_call_takes_the_saga_along_and_its_answer_brings_the_reports() {
        travels(client.elsewhere);
    }

    @Test
    void so_does_one_that_stays_in_the_process() {
        travels(client.here);
    }

    private void travels(Warehouse warehouse) {
        TravellingEnd.assertOf(
                item -> assertThat(warehouse.take(item))
                        .isEqualTo(omega.sagaId().orElseThrow()),
                orders,
                stock,
                alpha);
    }
}
