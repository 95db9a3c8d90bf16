package io.alphaomega.omega.transport;

import static org.assertj.core.api.Assertions.assertThat;

import io.alphaomega.omega.test.OmegaTest;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.env.Environment;
import org.springframework.http.HttpStatus;
import org.springframework.resilience.annotation.EnableResilientMethods;
import org.springframework.resilience.annotation.Retryable;
import org.springframework.web.client.RestClient;

/** Spring's own retry above a client makes another branch of one operation. */
@SpringBootTest(classes = RetryableTest.Retried.class, webEnvironment = SpringBootTest.WebEnvironment.RANDOM_PORT)
@OmegaTest
@ExtendWith(OutputCaptureExtension.class)
class RetryableTest {
    @Autowired
    private RetriedShop.Desk desk;

    @Autowired
    private RetriedShop.Endpoint endpoint;

    @Autowired
    private Orders orders;

    @Autowired
    private Guest guest;

    @Configuration(proxyBeanMethods = false)
    @EnableResilientMethods
    @Import({RetriedShop.class, Guest.class})
    static class Retried {}

    static class Guest {
        private final RestClient.Builder clients;
        private final Environment environment;

        Guest(RestClient.Builder clients, Environment environment) {
            this.clients = clients;
            this.environment = environment;
        }

        @Retryable(maxRetries = 1, delay = 1)
        public void book(String item) {
            clients.clone()
                    .build()
                    .post()
                    .uri("http://127.0.0.1:{port}/desk/byRetryable", environment.getProperty("local.server.port"))
                    .body(item)
                    .retrieve()
                    .toBodilessEntity();
        }
    }

    @Test
    void it_is_warned_of(CapturedOutput output) {
        String item = UUID.randomUUID().toString();
        endpoint.unheard.put("byRetryable", HttpStatus.SERVICE_UNAVAILABLE);

        orders.run(() -> guest.book(item));

        assertThat(desk.booked(item)).isEqualTo(2);
        assertThat(output).contains("RetriedShop.Desk.byRetryable has begun twice in one saga with the same arguments");
    }
}
