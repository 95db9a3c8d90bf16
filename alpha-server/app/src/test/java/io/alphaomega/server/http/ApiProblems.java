package io.alphaomega.server.http;

import io.alphaomega.repository.SagaSummary;
import io.alphaomega.saga.Refusal;
import io.alphaomega.server.problem.ProblemReason;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.springframework.http.HttpStatus;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Which problems each route may answer, by what it takes and where it is. */
final class ApiProblems {
    private static final JsonMapper JSON = JsonMapper.shared();

    private static final String EXAMPLE = """
            {"title": "Conflict", "status": 409, "detail": "Saga 'trip-17' has 13 events, not 12: look at it again.",
             "instance": "/api/v1/sagas/trip-17/retry", "reason": "SAGA_MOVED"}
            """;

    /** They need neither the store nor the cluster. */
    private static final Set<String> STATIC = Set.of("/api/v1", "/api/v1/openapi.json", "/api/v1/openapi.yaml");

    /** Those that many routes have. */
    private static final Map<String, List<ProblemReason>> SHARED = new TreeMap<>(Map.of(
            "Bug", List.of(ProblemReason.BUG),
            "Unavailable", List.of(ProblemReason.UNAVAILABLE),
            "WatchersUnavailable", List.of(ProblemReason.UNAVAILABLE, ProblemReason.TOO_MANY_WATCHERS),
            "BadParameter", List.of(ProblemReason.BAD_PARAMETER),
            "BadOrder", List.of(ProblemReason.BAD_PARAMETER, ProblemReason.BAD_BODY, ProblemReason.BAD_FIELD),
            "UnknownSaga", List.of(ProblemReason.UNKNOWN_SAGA),
            "PurgedSaga", List.of(ProblemReason.SAGA_PURGED)));

    /** What the rules may say to an operator. */
    private static final List<Refusal> ORDER_REFUSALS = List.of(
            Refusal.UNKNOWN_BRANCH,
            Refusal.SAGA_TOO_LARGE,
            Refusal.SAGA_MOVED,
            Refusal.NOT_SUSPENDED,
            Refusal.BRANCH_NOT_STUCK,
            Refusal.NOTHING_TO_RETRY,
            Refusal.DECIDED_OTHERWISE,
            Refusal.NESTED);

    private ApiProblems() {}

    static void addTo(ObjectNode responses, String route, ObjectNode operation) {
        problems(route, operation)
                .forEach((status, reasons) -> responses.set(Integer.toString(status), answer(status, reasons)));
    }

    /** What {@link #addTo} refers to. */
    static ObjectNode shared() {
        ObjectNode shared = JSON.createObjectNode();
        SHARED.forEach((name, reasons) -> shared.set(name, problem(status(reasons.getFirst()), names(reasons))));
        return shared;
    }

    private static ObjectNode answer(int status, Set<String> reasons) {
        for (var shared : SHARED.entrySet()) {
            if (names(shared.getValue()).equals(reasons)) {
                return JSON.createObjectNode().put("$ref", "#/components/responses/" + shared.getKey());
            }
        }
        return problem(status, reasons);
    }

    private static Map<Integer, Set<String>> problems(String route, ObjectNode operation) {
        List<Enum<?>> may = new ArrayList<>(List.of(ProblemReason.BUG));
        String path = route.substring(route.indexOf(' ') + 1);
        if (!STATIC.contains(path)) may.add(ProblemReason.UNAVAILABLE);
        if (path.endsWith("/changes")) may.add(ProblemReason.TOO_MANY_WATCHERS);
        if (route.contains("/sagas/{id}")) {
            may.addAll(
                    List.of(ProblemReason.UNKNOWN_SAGA, ProblemReason.SAGA_PURGED, ProblemReason.JOURNAL_UNREADABLE));
        }
        if (route.contains("/bulk-orders/{id}")) may.add(ProblemReason.UNKNOWN_BULK_ORDER);
        if (route.equals("post /api/v1/bulk-orders"))
            may.addAll(List.of(ProblemReason.MORE_MEANT, ProblemReason.OLDER_NODES));
        if (route.contains("/search")) may.add(ProblemReason.NO_INDEX);
        // What if answers what an order would be refused for.
        if (route.startsWith("post /api/v1/sagas/{id}/") && !route.endsWith("/what-if")) {
            may.add(ProblemReason.SEQUENCE_REQUIRED);
            may.addAll(ORDER_REFUSALS);
        }
        if (operation.at("/requestBody/content/application~1json/schema").has("$ref"))
            may.addAll(List.of(ProblemReason.BAD_BODY, ProblemReason.BAD_FIELD));
        for (JsonNode parameter : operation.path("parameters")) {
            if (!parameter.path("in").asString().equals("path")) may.add(ProblemReason.BAD_PARAMETER);
        }
        if (route.startsWith("post ")) may.add(ProblemReason.UNSUPPORTED_MEDIA_TYPE);
        Map<Integer, Set<String>> byStatus = new TreeMap<>();
        for (Enum<?> reason : may) {
            byStatus.computeIfAbsent(status(reason), status -> new TreeSet<>()).add(reason.name());
        }
        return byStatus;
    }

    private static int status(Enum<?> reason) {
        return reason instanceof ProblemReason known ? known.status().value() : HttpStatus.CONFLICT.value();
    }

    private static Set<String> names(List<? extends Enum<?>> reasons) {
        return reasons.stream().map(Enum::name).collect(Collectors.toCollection(TreeSet::new));
    }

    private static ObjectNode problem(int status, Set<String> reasons) {
        ObjectNode response = JSON.createObjectNode().put("description", String.join(", ", reasons) + ".");
        if (status == 503) {
            ObjectNode header = response.putObject("headers").putObject("Retry-After");
            header.put("description", "When to come again, in seconds.");
            header.putObject("schema").put("type", "integer");
        }
        response.putObject("content")
                .putObject("application/problem+json")
                .putObject("schema")
                .put("$ref", "#/components/schemas/Problem");
        return response;
    }

    /** Of a problem. */
    static ObjectNode schema() {
        ObjectNode schema = JSON.createObjectNode().put("type", "object");
        schema.put("description", "A problem as of RFC 9457.");
        ObjectNode properties = schema.putObject("properties");
        described(properties, "type", "string", "Always about:blank, which is left out.");
        described(properties, "title", "string", "The status in words.");
        described(properties, "status", "integer", "The status of HTTP.");
        described(properties, "detail", "string", "A sentence: what is wrong, and what to do.");
        described(properties, "instance", "string", "The path that was asked for.");
        properties.set("reason", ApiDocument.enumeration(reasons()));
        described(properties, "reason", "string", reasonsInWords());
        described(properties, "parameter", "string", "The parameter that is wrong, of BAD_PARAMETER.");
        described(
                properties,
                "field",
                "string",
                "The field that is wrong or missing, of BAD_FIELD and SEQUENCE_REQUIRED.");
        properties.set("state", ApiDocument.enumeration((Object[]) SagaSummary.State.values()));
        described(properties, "state", "string", "How the saga ended, of SAGA_PURGED.");
        schema.putArray("required").add("status");
        schema.set("example", JSON.readTree(EXAMPLE));
        return schema;
    }

    /** All that there are. */
    static Object[] reasons() {
        return Stream.concat(Arrays.stream(ProblemReason.values()), Arrays.stream(Refusal.values()))
                .map(Objects::toString)
                .distinct()
                .toArray();
    }

    private static String reasonsInWords() {
        StringBuilder words = new StringBuilder("For programs. Absent where the status says it all.\n");
        for (ProblemReason reason : ProblemReason.values()) {
            words.append("\n* `%s`: %s".formatted(reason, Javadocs.of(reason)));
        }
        return words + "\n\nThe others are refusals of the rules: docs/api.md says what orders are told.";
    }

    private static void described(ObjectNode properties, String name, String type, String description) {
        ObjectNode property = properties.withObject("/" + name);
        property.put("type", type).put("description", description);
    }
}
