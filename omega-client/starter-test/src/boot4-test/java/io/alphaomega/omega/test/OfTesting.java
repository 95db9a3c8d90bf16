package io.alphaomega.omega.test;

import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.testcontainers.service.connection.ServiceConnection;
import org.springframework.context.ConfigurableApplicationContext;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.containers.wait.strategy.Wait;
import org.testcontainers.junit.jupiter.Container;
import org.testcontainers.junit.jupiter.Testcontainers;

/** The code on docs/client/testing.md of tests that do not run here: it compiles. */
@SuppressWarnings("ClassCanBeStatic") // The page does not care.
final class OfTesting {
    private OfTesting() {}

    static final class Cars {}

    static ConfigurableApplicationContext cars(TestAlpha alpha) {
        return new SpringApplicationBuilder(Cars.class)
                .initializers(context -> context.getBeanFactory().registerSingleton("alpha", alpha))
                .run("--spring.application.name=cars");
    }

    @SpringBootTest
    @Testcontainers
    class TripIntegrationTest {
        @Container
        @ServiceConnection("alpha")
        static final GenericContainer<?> alpha = new GenericContainer<>("alpha")
                .withEnv("ALPHA_GRPC_HOST", "0.0.0.0")
                .withExposedPorts(8071)
                .waitingFor(Wait.forHealthcheck());
    }
}
