package io.alphaomega.samples.shop.demo;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.MissingNode;

/** Asks alpha and the services by JSON over HTTP. */
public final class Web {
    private static final JsonMapper JSON = JsonMapper.shared();

    /** Longer than an order's saga may take, which is a minute. */
    private static final Duration ANSWER = Duration.ofSeconds(80);

    private final HttpClient http =
            HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(2)).build();

    /** A status, 0 if nobody answered, and what came with it. */
    public record Answer(int status, JsonNode body) {
        public String text(String field) {
            return body.path(field).asString("");
        }
    }

    public CompletableFuture<Answer> post(URI address, Object body) {
        HttpRequest request = HttpRequest.newBuilder(address)
                .timeout(ANSWER)
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(JSON.writeValueAsString(body)))
                .build();
        return http.sendAsync(request, BodyHandlers.ofString())
                .handle((response, failed) ->
                        response == null ? new Answer(0, MissingNode.getInstance()) : answer(response));
    }

    public JsonNode get(URI address) {
        try {
            HttpRequest request =
                    HttpRequest.newBuilder(address).timeout(ANSWER).build();
            return answer(http.send(request, BodyHandlers.ofString())).body();
        } catch (IOException e) {
            throw new IllegalStateException(address + " does not answer: " + e.getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted while asking " + address + ".", e);
        }
    }

    boolean isUp(URI service) {
        try {
            return get(service.resolve("/actuator/health"))
                    .path("status")
                    .asString("")
                    .equals("UP");
        } catch (IllegalStateException away) {
            return false;
        }
    }

    /** The state of every saga, by its id. */
    Map<String, String> sagas(URI alpha) {
        Map<String, String> states = new HashMap<>();
        String cursor = "";
        do {
            JsonNode page =
                    get(alpha.resolve("/api/v1/sagas?limit=200" + (cursor.isEmpty() ? "" : "&cursor=" + cursor)));
            for (JsonNode saga : page.path("sagas")) {
                states.put(saga.path("id").asString(""), saga.path("state").asString(""));
            }
            cursor = page.path("next").asString("");
        } while (!cursor.isEmpty());
        return states;
    }

    private static Answer answer(HttpResponse<String> response) {
        try {
            return new Answer(response.statusCode(), JSON.readTree(response.body()));
        } catch (JacksonException notJson) {
            return new Answer(response.statusCode(), MissingNode.getInstance());
        }
    }
}
