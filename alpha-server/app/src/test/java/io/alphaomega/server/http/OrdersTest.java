package io.alphaomega.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.jayway.jsonpath.JsonPath;
import io.alphaomega.repository.SagaRepository;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;

/** Operators' orders, over HTTP to a whole node: they reach the saga, are journaled, and are refused with a reason. */
@SpringBootTest(
        webEnvironment = WebEnvironment.RANDOM_PORT,
        properties = {"alpha.grpc.port=0", "alpha.cluster.port=0"})
class OrdersTest {
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

    private WrittenSaga saga() {
        return new WrittenSaga(repository, id, clock.instant());
    }

    @Test
    void what_was_given_up_on_is_asked_again_after_retry() throws Exception {
        saga().suspended("trip");

        HttpResponse<String> done = order("retry", "{\"reason\":\"deployed 1.2\"}");

        assertThat(done.statusCode()).as(done.body()).isEqualTo(200);
        assertThat(done.body()).isEqualTo("{\"saga\":\"%s\",\"order\":\"retry\"}".formatted(id));
        String detail = detail();
        assertThat(JsonPath.<String>read(detail, "$.state")).isEqualTo("COMPENSATING");
        assertThat(texts(detail)).contains("Retried by ann: deployed 1.2");
    }

    @Test
    void a_branch_done_by_hand_is_skipped_and_the_saga_ends() throws Exception {
        WrittenSaga saga = saga().suspended("trip");

        HttpResponse<String> done = order(
                "skip", "{\"reason\":\"refunded\",\"branch\":\"hotel\",\"sequence\":%d}".formatted(saga.sequence()));

        assertThat(done.statusCode()).as(done.body()).isEqualTo(200);
        assertThat(JsonPath.<String>read(detail(), "$.state")).isEqualTo("COMPENSATED");
        assertThat(JsonPath.<String>read(detail(), "$.branches[0].callback.operator"))
                .isEqualTo("ann");
    }

    @Test
    void a_saga_done_by_hand_is_resolved_and_says_so() throws Exception {
        saga().suspended("trip");

        HttpResponse<String> done = order("resolve", "{\"reason\":\"all undone\",\"outcome\":\"COMPENSATED\"}");

        assertThat(done.statusCode()).as(done.body()).isEqualTo(200);
        assertThat(JsonPath.<Boolean>read(detail(), "$.manual")).isTrue();
        assertThat(JsonPath.<String>read(detail(), "$.state")).isEqualTo("COMPENSATED");
    }

    @Test
    void an_active_saga_is_aborted() throws Exception {
        saga().begun("trip");

        HttpResponse<String> done = order("abort", "{\"reason\":\"wrong tenant\"}");

        assertThat(done.statusCode()).as(done.body()).isEqualTo(200);
        assertThat(JsonPath.<String>read(detail(), "$.abort.cause")).isEqualTo("OPERATOR");
        assertThat(JsonPath.<String>read(detail(), "$.abort.text")).isEqualTo("ann: wrong tenant");
    }

    @Test
    void an_order_against_what_was_decided_is_refused_with_the_reason() throws Exception {
        saga().suspended("trip");

        assertRefused(order("resolve", "{\"reason\":\"r\",\"outcome\":\"COMMITTED\"}"), "DECIDED_OTHERWISE");
    }

    @Test
    void an_order_of_somebody_who_saw_an_older_saga_is_refused_with_the_reason() throws Exception {
        WrittenSaga saga = saga().suspended("trip");

        assertRefused(
                order("retry", "{\"reason\":\"r\",\"sequence\":%d}".formatted(saga.sequence() - 1)), "SAGA_MOVED");
    }

    @Test
    void an_order_that_comes_again_because_its_answer_was_lost_is_done_and_was_carried_out_once() throws Exception {
        WrittenSaga saga = saga().suspended("trip");
        String body = "{\"reason\":\"deployed 1.2\",\"sequence\":%d}".formatted(saga.sequence());

        for (int i = 0; i < 2; i++) {
            HttpResponse<String> done = order("retry", body);
            assertThat(done.statusCode()).as(done.body()).isEqualTo(200);
            assertThat(done.body()).isEqualTo("{\"saga\":\"%s\",\"order\":\"retry\"}".formatted(id));
        }

        assertThat(texts(detail())).containsOnlyOnce("Retried by ann: deployed 1.2");
        assertRefused(order("retry", body.replace("1.2", "1.3")), "SAGA_MOVED");
        assertRefused(order("abort", body), "SAGA_MOVED");
    }

    @Test
    void an_order_for_a_saga_that_works_is_refused_with_the_reason() throws Exception {
        saga().begun("trip");

        assertRefused(order("skip", "{\"reason\":\"r\",\"branch\":\"hotel\"}"), "NOT_SUSPENDED");
    }

    @Test
    void an_order_for_a_saga_that_cannot_be_read_is_refused_and_the_list_says_why() throws Exception {
        saga().begun("trip").damaged();

        assertRefused(order("abort", "{\"reason\":\"r\"}"), "JOURNAL_UNREADABLE");
        assertThat(JsonPath.<List<String>>read(
                        get("/api/v1/sagas?state=SUSPENDED&text=" + id).body(), "$.sagas[*].id"))
                .containsExactly(id);
    }

    @Test
    void an_order_for_a_saga_that_nobody_knows_is_not_found() throws Exception {
        HttpResponse<String> answer = order("retry", "{\"reason\":\"r\",\"sequence\":3}");

        assertThat(answer.statusCode()).isEqualTo(404);
        assertThat(JsonPath.<String>read(answer.body(), "$.reason")).isEqualTo("UNKNOWN_SAGA");
    }

    @Test
    void what_tomcat_refuses_is_a_problem_too() throws Exception {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.getOutputStream()
                    .write("GET /api/v1/sagas/%ZZ HTTP/1.1\r\nHost: alpha\r\nConnection: close\r\n\r\n"
                            .getBytes(StandardCharsets.US_ASCII));

            assertThat(new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                    .startsWith("HTTP/1.1 400")
                    .contains("application/problem+json", "The request is malformed or too large.");
        }
    }

    private void assertRefused(HttpResponse<String> answer, String reason) {
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(409);
        assertThat(JsonPath.<String>read(answer.body(), "$.reason")).isEqualTo(reason);
        assertThat(JsonPath.<String>read(answer.body(), "$.detail")).endsWith(".");
    }

    private HttpResponse<String> order(String order, String body) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(uri("/api/v1/sagas/" + id + "/" + order))
                .header("Content-Type", "application/json")
                .header("X-Operator", "ann")
                .POST(BodyPublishers.ofString(body))
                .build();
        return http.send(request, HttpResponse.BodyHandlers.ofString());
    }

    private String detail() throws IOException, InterruptedException {
        return get("/api/v1/sagas/" + id).body();
    }

    private HttpResponse<String> get(String path) throws IOException, InterruptedException {
        return http.send(HttpRequest.newBuilder(uri(path)).build(), HttpResponse.BodyHandlers.ofString());
    }

    private URI uri(String path) {
        return URI.create("http://127.0.0.1:" + port + path);
    }

    private static List<String> texts(String detail) {
        return JsonPath.read(detail, "$.history[*].text");
    }
}
