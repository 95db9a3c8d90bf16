package io.alphaomega.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.jayway.jsonpath.JsonPath;
import io.alphaomega.repository.SagaRepository;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Clock;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;

/** A node whose operators must say what they saw. */
@SpringBootTest(
        webEnvironment = WebEnvironment.RANDOM_PORT,
        properties = {"alpha.grpc.port=0", "alpha.cluster.port=0", "alpha.orders.require-sequence=true"})
class SequenceRequiredTest {
    @TempDir
    private static Path directory;

    private final HttpClient http = HttpClient.newHttpClient();
    private final String id = UUID.randomUUID().toString();

    @Autowired
    private SagaRepository repository;

    @Autowired
    private Clock clock;

    @LocalServerPort
    private int port;

    @DynamicPropertySource
    static void store(DynamicPropertyRegistry properties) {
        properties.add(
                "alpha.repository.embedded.directory",
                () -> directory.resolve("data").toString());
    }

    @Test
    void an_order_without_the_sequence_is_refused_and_told_to_send_it() throws Exception {
        WrittenSaga saga = new WrittenSaga(repository, id, clock.instant()).suspended("trip");

        HttpResponse<String> refused = retry("{\"reason\":\"deployed 1.2\"}");

        assertThat(refused.statusCode()).as(refused.body()).isEqualTo(428);
        assertThat(JsonPath.<String>read(refused.body(), "$.reason")).isEqualTo("SEQUENCE_REQUIRED");
        assertThat(JsonPath.<String>read(refused.body(), "$.field")).isEqualTo("sequence");
        assertThat(JsonPath.<String>read(refused.body(), "$.detail"))
                .contains("'sequence'", "GET /api/v1/sagas/" + id, "alpha.orders.require-sequence");
        HttpResponse<String> done = retry("{\"reason\":\"deployed 1.2\",\"sequence\":%d}".formatted(saga.sequence()));
        assertThat(done.statusCode()).as(done.body()).isEqualTo(200);
    }

    private HttpResponse<String> retry(String body) throws IOException, InterruptedException {
        URI uri = URI.create("http://127.0.0.1:%d/api/v1/sagas/%s/retry".formatted(port, id));
        HttpRequest request = HttpRequest.newBuilder(uri)
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString(body))
                .build();
        return http.send(request, HttpResponse.BodyHandlers.ofString());
    }
}
