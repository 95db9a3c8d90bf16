package io.alphaomega.samples.booking.processes;

import static org.awaitility.Awaitility.await;

import io.alphaomega.repository.servers.Patience;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What the tests ask alpha over HTTP. */
final class AlphaApi {
    private static final JsonMapper JSON = JsonMapper.shared();
    private static final int PAGE = 200;
    private static final Set<String> OVER = Set.of("COMMITTED", "COMPENSATED");

    private final URI base;
    private final HttpClient http;

    AlphaApi(URI base, HttpClient http) {
        this.base = base;
        this.http = http;
    }

    /** The saga with its branches and history. */
    JsonNode saga(String id) {
        HttpResponse<String> response = get("/api/v1/sagas/" + id);
        if (response.statusCode() != 200) {
            throw new IllegalStateException("Alpha answers %d for saga %s, expected 200: %s"
                    .formatted(response.statusCode(), id, response.body()));
        }
        return JSON.readTree(response.body());
    }

    boolean knows(String id) {
        return get("/api/v1/sagas/" + id).statusCode() != 404;
    }

    String state(String id) {
        return saga(id).path("state").asString();
    }

    /** The saga's last state, once it is over. */
    String awaitEnd(String id) {
        return await("saga " + id + " ends")
                .pollInterval(Duration.ofMillis(50))
                .ignoreExceptions()
                .until(() -> state(id), OVER::contains);
    }

    /** What the history remembers: the types of its events, with the branch where a branch tells of itself. */
    List<String> history(String id) {
        List<String> events = new ArrayList<>();
        for (JsonNode event : saga(id).path("history")) {
            String type = event.path("type").asString();
            events.add(
                    type.startsWith("branch.")
                            ? type + " " + event.path("branch").asString()
                            : type);
        }
        return events;
    }

    /** The state of every saga. */
    Map<String, String> states() {
        Map<String, String> states = new LinkedHashMap<>();
        String cursor = "";
        do {
            JsonNode page =
                    JSON.readTree(get("/api/v1/sagas?limit=" + PAGE + (cursor.isEmpty() ? "" : "&cursor=" + cursor))
                            .body());
            for (JsonNode saga : page.path("sagas")) {
                states.put(saga.path("id").asString(), saga.path("state").asString());
            }
            cursor = page.path("next").asString("");
        } while (!cursor.isEmpty());
        return states;
    }

    /** Every saga's state, once all of them are over. */
    Map<String, String> awaitAllOver() {
        return await("every saga ends")
                .pollInterval(Duration.ofMillis(200))
                .ignoreExceptions()
                .until(this::states, AlphaApi::allOver);
    }

    private static boolean allOver(Map<String, String> states) {
        return OVER.containsAll(states.values().stream().collect(Collectors.toSet()));
    }

    /** Ends a saga as a person knows that it has ended. */
    void resolve(String id, String outcome) {
        String order = JSON.writeValueAsString(Map.of("reason", "the fences say so", "outcome", outcome));
        HttpResponse<String> response = send(HttpRequest.newBuilder(base.resolve("/api/v1/sagas/" + id + "/resolve"))
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(order)));
        if (response.statusCode() != 200) {
            throw new IllegalStateException("Alpha does not resolve saga %s: %s".formatted(id, response.body()));
        }
    }

    private HttpResponse<String> get(String path) {
        return send(HttpRequest.newBuilder(base.resolve(path)));
    }

    private HttpResponse<String> send(HttpRequest.Builder builder) {
        HttpRequest request = builder.timeout(Patience.LIMIT).build();
        try {
            return http.send(request, HttpResponse.BodyHandlers.ofString());
        } catch (IOException e) {
            throw new IllegalStateException("Alpha does not answer " + request.uri() + ": " + e, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted while asking alpha for " + request.uri() + ".", e);
        }
    }
}
