package io.alphaomega.omega.transport;

import static io.alphaomega.omega.test.OmegaAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import io.alphaomega.omega.context.SagaHeaders;
import io.alphaomega.omega.test.OmegaTest;
import io.alphaomega.omega.test.TestAlpha;
import io.github.resilience4j.retry.Retry;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.core.env.Environment;
import org.springframework.http.HttpStatus;
import org.springframework.web.client.RestClient;
import org.springframework.web.reactive.function.client.WebClient;

/** A retry above a client makes another branch of one operation: the participant warns of it, and says the key. */
@SpringBootTest(classes = RetriedShop.class, webEnvironment = SpringBootTest.WebEnvironment.RANDOM_PORT)
@OmegaTest
@ExtendWith(OutputCaptureExtension.class)
class RetriesAboveClientsTest {
    private static final String TWICE = " has begun twice in one saga with the same arguments";

    @Autowired
    private RestClient.Builder restClients;

    @Autowired
    private WebClient.Builder webClients;

    @Autowired
    private RetriedShop.FeignDesk feign;

    @Autowired
    private RetriedShop.Desk desk;

    @Autowired
    private RetriedShop.Endpoint endpoint;

    @Autowired
    private Orders orders;

    @Autowired
    private TestAlpha alpha;

    @Autowired
    private Environment environment;

    private final String item = UUID.randomUUID().toString();
    private RestClient client;
    private WebClient webClient;

    @BeforeEach
    void connect() {
        String here = "http://127.0.0.1:" + environment.getProperty("local.server.port");
        client = restClients.clone().baseUrl(here).build();
        webClient = webClients.clone().baseUrl(here).build();
        endpoint.before = false;
    }

    private void call(String method, String what) {
        client.post().uri("/desk/{method}", method).body(what).retrieve().toBodilessEntity();
    }

    private static void twice(Runnable call) {
        try {
            call.run();
        } catch (RuntimeException unheard) {
            call.run();
        }
    }

    private void assertTwoBranches(String method, CapturedOutput output) {
        assertThat(desk.booked(item)).isEqualTo(2);
        assertThat(output)
                .contains(
                        "RetriedShop.Desk." + method + TWICE,
                        "in the header X-Omega-Call-Key: RetriedShop.Desk." + method + "/…");
    }

    @Test
    void by_resilience4j_around_a_method_that_calls(CapturedOutput output) {
        endpoint.unheard.put("byResilience4j", HttpStatus.SERVICE_UNAVAILABLE);

        orders.run(() -> Retry.ofDefaults("desk").executeRunnable(() -> call("byResilience4j", item)));

        assertTwoBranches("byResilience4j", output);
    }

    @Test
    void of_web_client(CapturedOutput output) {
        endpoint.unheard.put("byWebClient", HttpStatus.GATEWAY_TIMEOUT);

        orders.run(() -> twice(() -> webClient
                .post()
                .uri("/desk/byWebClient")
                .bodyValue(item)
                .retrieve()
                .toBodilessEntity()
                .block()));

        assertTwoBranches("byWebClient", output);
    }

    @Test
    void of_feign(CapturedOutput output) {
        endpoint.unheard.put("byFeign", HttpStatus.BAD_GATEWAY);

        orders.run(() -> twice(() -> feign.book("byFeign", item)));

        assertTwoBranches("byFeign", output);
    }

    @Test
    void with_a_key_it_is_one_branch(CapturedOutput output) {
        endpoint.unheard.put("withKey", HttpStatus.SERVICE_UNAVAILABLE);

        orders.run(() -> twice(() -> client.post()
                .uri("/desk/withKey")
                .header(SagaHeaders.KEY, "withKey/" + item)
                .body(item)
                .retrieve()
                .toBodilessEntity()));

        assertThat(desk.booked(item)).isEqualTo(1);
        assertThat(alpha.saga()).committed();
        assertThat(output).doesNotContain(TWICE);
    }

    @Test
    void calls_that_only_look_like_it_are_not_warned_of(CapturedOutput output) {
        orders.run(() -> {
            call("plainly", item);
            call("plainly", item);
        });
        assertThat(desk.booked(item)).as("both have succeeded").isEqualTo(2);

        endpoint.unheard.put("plainly", HttpStatus.SERVICE_UNAVAILABLE);
        orders.run(() -> {
            try {
                call("plainly", item);
            } catch (RuntimeException unheard) {
                call("plainly", item + " in another room");
            }
        });
        assertThat(desk.booked(item + " in another room"))
                .as("with other arguments")
                .isEqualTo(1);

        endpoint.before = true;
        endpoint.unheard.put("plainly", HttpStatus.SERVICE_UNAVAILABLE);
        orders.run(() -> twice(() -> call("plainly", item)));
        assertThat(desk.booked(item)).as("of the first nothing began").isEqualTo(4);

        endpoint.before = false;
        endpoint.unheard.put("plainly", HttpStatus.SERVICE_UNAVAILABLE);
        twice(() -> orders.run(() -> call("plainly", item)));
        assertThat(output).as("in two sagas").doesNotContain(TWICE);
    }
}
