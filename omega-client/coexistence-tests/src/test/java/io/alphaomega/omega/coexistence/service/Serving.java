package io.alphaomega.omega.coexistence.service;

import java.math.BigDecimal;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Import;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

/** What it answers over HTTP: values as JSON, failures, what it does not know. */
@Import(Serving.Desk.class)
class Serving implements Trial {
    /** What is another each time: ids of requests and sessions, and when. */
    private static final String VARYING = "\"(timestamp|requestId)\":\"[^\"]*\"";

    record Order(
            String id,
            BigDecimal price,
            Instant at,
            Optional<String> note,
            @Nullable String nothing) {}

    @RestController
    static class Desk {
        @GetMapping("/order")
        Order order() {
            return new Order("a", new BigDecimal("1.10"), Instant.EPOCH, Optional.of("n"), null);
        }

        @PostMapping("/order")
        String taken(@RequestBody Order order) {
            return order.toString();
        }

        @GetMapping("/failing")
        Order failing() {
            throw new IllegalStateException("on purpose");
        }
    }

    @Override
    public void run(ConfigurableApplicationContext service, BiConsumer<String, String> facts) throws Exception {
        String port = service.getEnvironment().getRequiredProperty("local.server.port");
        for (String path : List.of("/order", "/failing", "/nothing", "/actuator/health")) {
            facts.accept(
                    "answer to GET " + path,
                    answer(HttpRequest.newBuilder(URI.create("http://localhost:" + port + path))));
        }
        HttpRequest.Builder post = HttpRequest.newBuilder(URI.create("http://localhost:" + port + "/order"))
                .header("Content-Type", "application/json");
        String order = "{\"id\":\"b\",\"price\":2.50,\"at\":\"1970-01-01T00:00:00Z\",\"more\":1}";
        facts.accept("answer to POST /order", answer(post.POST(HttpRequest.BodyPublishers.ofString(order))));
    }

    private static String answer(HttpRequest.Builder request) throws Exception {
        HttpResponse<String> answer = HttpClient.newHttpClient()
                .send(request.header("Accept", "application/json").build(), HttpResponse.BodyHandlers.ofString());
        TreeMap<String, List<String>> headers = new TreeMap<>(answer.headers().map());
        headers.keySet().removeAll(List.of("date", "set-cookie"));
        return "%d %s %s".formatted(answer.statusCode(), headers, answer.body().replaceAll(VARYING, "\"$1\":…"));
    }
}
