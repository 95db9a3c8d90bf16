package io.alphaomega.benchmark.report;

import io.alphaomega.benchmark.plan.AlphaHosts;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/** An alpha's /actuator. */
final class Actuator {
    /** A busy alpha answers late, and a late reading is still a reading. */
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private static final double NANOS_PER_SECOND = 1e9;

    private final HttpClient client;
    private final String address;

    /** @param address host:port */
    Actuator(HttpClient client, String address) {
        this.client = client;
        this.address = address;
    }

    AlphaNode info() {
        try {
            JsonNode info = get("info");
            JsonNode alpha = info.path("alpha");
            JsonNode process = info.path("process");
            if (alpha.isMissingNode()) return AlphaNode.unknown(address, "What answers there is no alpha.");
            return new AlphaNode(
                    address,
                    text(alpha.path("version")),
                    text(alpha.path("repository")),
                    text(alpha.path("durability").path("level")),
                    text(alpha.path("durability").path("settings")),
                    text(process.path("jvm")),
                    process.path("jvmOptions")
                            .valueStream()
                            .map(JsonNode::asString)
                            .toList(),
                    process.path("cores").isNumber() ? process.path("cores").asInt() : null,
                    process.path("residentBytes").isNumber()
                            ? process.path("residentBytes").asLong()
                            : null,
                    null);
        } catch (IOException | JacksonException e) {
            return AlphaNode.unknown(address, "Its HTTP side did not tell: " + sentence(e) + ".");
        }
    }

    /** Processor time of its process; NaN where it does not tell. */
    double cpuSeconds() {
        try {
            JsonNode metric = get("metrics/process.cpu.time");
            double value = metric.path("measurements").path(0).path("value").asDouble(Double.NaN);
            return "ns".equals(text(metric.path("baseUnit"))) ? value / NANOS_PER_SECOND : value;
        } catch (IOException | JacksonException e) {
            return Double.NaN;
        }
    }

    private JsonNode get(String path) throws IOException {
        HttpRequest request = HttpRequest.newBuilder(AlphaHosts.http(address, "/actuator/" + path))
                .timeout(PATIENCE)
                .build();
        try {
            var response = client.send(request, BodyHandlers.ofString());
            if (response.statusCode() != 200) throw new IOException("it answered with " + response.statusCode());
            return Report.JSON.readTree(response.body());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }

    private static @Nullable String text(JsonNode node) {
        return node.isString() ? node.asString() : null;
    }

    private static String sentence(Exception e) {
        return e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
    }

    static List<Actuator> of(HttpClient client, List<String> addresses) {
        return addresses.stream().map(address -> new Actuator(client, address)).toList();
    }
}
