package io.alphaomega.samples.booking.demo;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/** A saga's history for people: one line for each event, with the time since the first. */
final class Timeline {
    private final JsonNode saga;

    /** Of each branch, its service and its operation. */
    private final Map<String, JsonNode> branches = new HashMap<>();

    /** @param saga as alpha's {@code GET /api/v1/sagas/{id}} answers */
    Timeline(JsonNode saga) {
        this.saga = saga;
        saga.path("branches").forEach(branch -> branches.put(text(branch, "id"), branch));
    }

    @Override
    public String toString() {
        StringBuilder lines = new StringBuilder();
        lines.append("Saga ")
                .append(text(saga, "id"))
                .append(": ")
                .append(text(saga, "state"))
                .append('\n');
        JsonNode history = saga.path("history");
        for (JsonNode event : history) {
            Duration since = Duration.between(at(history.path(0)), at(event));
            lines.append("  %6d ms  %s %s%n".formatted(since.toMillis(), who(event), what(event)));
        }
        return lines.toString();
    }

    private String who(JsonNode event) {
        JsonNode branch = text(event, "type").startsWith("saga.") ? null : branches.get(text(event, "branch"));
        return branch == null
                ? "%-27s".formatted("alpha")
                : "%-8s %-18s".formatted(text(branch, "service"), text(branch, "operation"));
    }

    private static String what(JsonNode event) {
        String text = text(event, "text");
        return switch (text(event, "type")) {
            case "branch.began.v1" -> "begins";
            case "branch.ended.v1" -> "is done";
            case "branch.failed.v1" -> text.substring(Math.max(0, text.indexOf("failed")));
            case "callback.requested.v1" -> "is to be undone";
            case "callback.succeeded.v1" -> "is undone";
            default -> text;
        };
    }

    private static Instant at(JsonNode event) {
        return Instant.parse(text(event, "at"));
    }

    private static String text(JsonNode node, String field) {
        return node.path(field).asString("");
    }
}
