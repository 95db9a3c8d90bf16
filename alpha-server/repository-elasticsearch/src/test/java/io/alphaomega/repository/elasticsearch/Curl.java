package io.alphaomega.repository.elasticsearch;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import tools.jackson.databind.JsonNode;

/** What an operator does to a node by hand. */
record Curl(int port) {
    private static final HttpClient CLIENT = HttpClient.newHttpClient();

    JsonNode get(String path) {
        return ask("GET", path, "");
    }

    JsonNode put(String path, String body) {
        return ask("PUT", path, body);
    }

    JsonNode post(String path, String body) {
        return ask("POST", path, body);
    }

    JsonNode delete(String path) {
        return ask("DELETE", path, "");
    }

    private JsonNode ask(String method, String path, String body) {
        return Json.MAPPER.readTree(send(method, path, body).body());
    }

    record Reply(int status, String body) {}

    Reply send(String method, String path, String body) {
        try {
            HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                    .header("Content-Type", "application/json")
                    .method(method, body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body))
                    .build();
            HttpResponse<String> response = CLIENT.send(request, BodyHandlers.ofString());
            return new Reply(response.statusCode(), response.body());
        } catch (IOException e) {
            throw new IllegalStateException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}
