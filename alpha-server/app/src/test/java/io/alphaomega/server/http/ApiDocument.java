package io.alphaomega.server.http;

import static java.util.Objects.requireNonNull;

import io.alphaomega.repository.SagaRepository;
import io.alphaomega.repository.SagaSummary;
import io.alphaomega.saga.Limits;
import io.alphaomega.saga.Outcome;
import io.alphaomega.saga.Stuck;
import io.alphaomega.server.bulk.BulkOrder;
import io.alphaomega.server.bulk.BulkTask;
import io.alphaomega.server.insight.StuckFilter;
import io.alphaomega.server.queries.ListRequest;
import io.alphaomega.server.queries.OrderRequest;
import io.alphaomega.server.queries.WhatIfRequest;
import java.lang.reflect.Type;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.method.HandlerMethod;
import org.yaml.snakeyaml.DumperOptions;
import org.yaml.snakeyaml.Yaml;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The description of the API: what springdoc sees in the controllers, what their Javadoc says, and what neither knows. A
 * route that comes is in it by itself; what it takes is to be described here.
 */
final class ApiDocument {
    private static final JsonMapper JSON = JsonMapper.shared();

    private static final String ABOUT = """
        What alpha's console and `alphactl` show and order, for programs. docs/api.md has examples.

        **Times** are instants in UTC, such as `2026-11-20T09:30:00Z`. Fields that may be null are always there.

        **Pages.** A list that goes on has `next`: send it as `cursor`, with the other parameters as they were.

        **Orders** say who gives them and why, which is journaled. Give the `sequence` that you saw: then an order is
        carried out on that saga or not at all, and may be sent again.

        **Problems** (RFC 9457) have a sentence in `detail`, and a `reason` for programs. Those with the status 503 say
        in `Retry-After` when to come again.

        Nobody is asked who they are: let only operators reach this port.
        """;

    private static final String HEAD = """
        # Made from the code by ApiTest; run it with -Drewrite after a change, and review the difference: programs rely on it.
        """;

    /** What parameters mean; the schema is springdoc's where none is given. */
    private static final Map<String, String> PARAMETERS = Map.ofEntries(
            Map.entry("id", "The id, as lists show it."),
            Map.entry(
                    OrdersController.OPERATOR,
                    "Who orders it, in Latin letters; `operator` of the body takes any and wins. Believed as it is."),
            Map.entry(
                    "Last-Event-ID",
                    "The `id` of the last event that was read: the stream goes on behind it and leaves nothing out."
                            + " Without it the first event has the whole history."),
            Map.entry("state", "Only sagas in this state; may be repeated."),
            Map.entry(
                    "service", "Only sagas of this service: in which it takes part, or that its people must act for."),
            Map.entry("text", "Only sagas with this part of the id, business key, operation or reason, in any case."),
            Map.entry("from", "Only sagas that began then or later."),
            Map.entry("to", "Only sagas that began before."),
            Map.entry("get /api/v1/sagas id", "Only the saga of this id."),
            Map.entry("operation", "Only sagas of this operation of the service that began them."),
            Map.entry("businessKey", "Only sagas for this business key."),
            Map.entry("get /api/v1/sagas reason", "Only sagas with this part of the reason, in any case."),
            Map.entry("olderThan", "Only sagas that began longer ago than this: `15m`, `2h`, `3d`, `PT15M`."),
            Map.entry("youngerThan", "Only sagas that began no longer ago than this."),
            Map.entry(
                    "attribute",
                    "Only sagas with this attribute, as `name=value`; an equals sign of the name has a backslash before it."),
            Map.entry("since", "Only orders given then or later: an instant, or how long ago, such as `24h`."),
            Map.entry("who", "Only orders of the operator of this name, to the letter."),
            Map.entry("get /api/v1/orders limit", "The orders of at most so many sagas."),
            Map.entry("changedSince", "Only sagas that changed then or later."),
            Map.entry("longerThan", "Only sagas that took so long from begin to end, or have been open for so long."),
            Map.entry("cursor", "`next` of the page before."),
            Map.entry("reason", "Only sagas that are stuck for this reason."),
            Map.entry("limit", "At most so many sagas."));

    /** Routes that take a map of parameters, and the names of those. */
    private static final Map<String, List<String>> LISTS =
            Map.of("get /api/v1/sagas", ListRequest.NAMES, "get /api/v1/orders", OrderRequest.NAMES);

    private static final Map<String, ObjectNode> SCHEMAS = Map.ofEntries(
            Map.entry("get /api/v1/sagas state", array(enumeration((Object[]) SagaSummary.State.values()))),
            Map.entry("get /api/v1/sagas from", string().put("format", "date-time")),
            Map.entry("get /api/v1/sagas changedSince", string().put("format", "date-time")),
            Map.entry("get /api/v1/sagas to", string().put("format", "date-time")),
            Map.entry("get /api/v1/sagas limit", integer(1, SagaRepository.PAGE_MAX, 50)),
            Map.entry("get /api/v1/orders limit", integer(1, OrderRequest.LIMIT_MAX, OrderRequest.LIMIT_DEFAULT)),
            Map.entry("get /api/v1/stuck reason", enumeration((Object[]) Stuck.Reason.values())),
            Map.entry("get /api/v1/stuck limit", integer(0, StuckFilter.LIMIT_MAX, 50)),
            Map.entry("id", string().put("pattern", "^[A-Za-z0-9_.:-]{1," + Limits.ID_CHARS + "}$")),
            Map.entry("Last-Event-ID", integer(0, Integer.MAX_VALUE, 0)));

    /** What of a body is required or limited. */
    private static final Map<String, ObjectNode> FIELDS = Map.ofEntries(
            Map.entry("OperatorOrder.outcome", enumeration((Object[]) Outcome.values())),
            Map.entry("WhatIfRequest.input", enumeration((Object[]) WhatIfRequest.Kind.values())),
            Map.entry("WhatIfRequest.outcome", enumeration((Object[]) Outcome.values())),
            Map.entry(
                    "BulkRequest.stuck",
                    enumeration(Stuck.Reason.SUSPENDED, Stuck.Reason.NO_PARTICIPANT, Stuck.Reason.FAILING)),
            Map.entry("BulkRequest.order", enumeration((Object[]) BulkTask.Kind.values())),
            Map.entry("BulkRequest.detail", enumeration(BulkRequest.DETAILS.toArray())),
            Map.entry("BulkRequest.outcome", enumeration((Object[]) Outcome.values())),
            Map.entry("BulkRequest.perSecond", integer(1, BulkOrder.PER_SECOND_MAX, BulkOrder.PER_SECOND_DEFAULT)));

    private static final Map<String, List<String>> BODIES = Map.of(
            "OperatorOrder", List.of("reason"), "BulkRequest", List.of("order"), "WhatIfRequest", List.of("input"));

    private static final Map<String, String> EXAMPLES = Map.of(
            "/what-if", "{\"input\":\"SKIP\",\"branch\":\"hotel\",\"after\":\"90s\"}",
            "/retry", "{\"operator\":\"ann\",\"reason\":\"hotel is deployed\",\"sequence\":12}",
            "/skip", "{\"operator\":\"ann\",\"reason\":\"refunded by hand\",\"branch\":\"hotel\",\"sequence\":12}",
            "/resolve",
                    "{\"operator\":\"ann\",\"reason\":\"all undone by"
                            + " hand\",\"outcome\":\"COMPENSATED\",\"sequence\":12}",
            "/abort", "{\"operator\":\"ann\",\"reason\":\"wrong tenant\",\"sequence\":3}",
            "/bulk-orders",
                    "{\"order\":\"RETRY\",\"operator\":\"ann\",\"reason\":\"hotel is"
                            + " deployed\",\"stuck\":\"SUSPENDED\",\"service\":\"hotel\",\"perSecond\":50,\"dryRun\":true}",
            "/rebuild", "{\"operator\":\"ann\",\"reason\":\"the index was restored\"}",
            "/cancel", "{}");

    /** Where the return type does not say what is answered. */
    private static final Map<String, Map<String, String>> ANSWERS = Map.of(
            "post /api/v1/bulk-orders", Map.of("200", "DryRun", "202", "BulkRow"),
            "get /api/v1/changes", Map.of("200", "Overview"),
            "get /api/v1/sagas/{id}/changes", Map.of("200", "SagaChange"));

    private final ObjectNode document;
    private final Map<String, HandlerMethod> handlers;

    private ApiDocument(ObjectNode document, Map<String, HandlerMethod> handlers) {
        this.document = document;
        this.handlers = handlers;
    }

    /**
     * @param seen what springdoc has made
     * @param handlers by method and path
     * @param further records, which no controller names
     */
    static ObjectNode of(ObjectNode seen, Map<String, HandlerMethod> handlers, List<Class<?>> further) {
        Map<String, Class<?>> records = new HashMap<>();
        further.forEach(type -> RecordSchema.collect(type, records));
        for (HandlerMethod handler : handlers.values()) {
            RecordSchema.collect(handler.getMethod().getGenericReturnType(), records);
            for (Type type : handler.getMethod().getGenericParameterTypes()) RecordSchema.collect(type, records);
        }
        return new ApiDocument(seen.deepCopy(), handlers).complete(records);
    }

    /** As it is kept. */
    static String yaml(ObjectNode document) {
        DumperOptions options = new DumperOptions();
        options.setDefaultFlowStyle(DumperOptions.FlowStyle.BLOCK);
        options.setWidth(120);
        return HEAD + new Yaml(options).dump(JSON.convertValue(document, Map.class));
    }

    private ObjectNode complete(Map<String, Class<?>> records) {
        ObjectNode schemas = sorted((ObjectNode) document.at("/components/schemas"));
        schemas.remove("MultiValueMapStringString"); // What springdoc takes any parameters for.
        records.forEach((name, type) -> {
            if (schemas.get(name) instanceof ObjectNode schema) {
                RecordSchema.describe(schema, type, isBody(type) ? BODIES.getOrDefault(name, List.of()) : null);
                limit(name, schema);
            }
        });
        schemas.set("Problem", ApiProblems.schema());
        ObjectNode whole = JSON.createObjectNode().put("openapi", "3.1.0");
        whole.putObject("info")
                .put("title", "Alpha")
                .put("version", "v1")
                .put("description", ABOUT.strip())
                .putObject("license")
                .put("name", "Apache-2.0")
                .put("identifier", "Apache-2.0");
        whole.putArray("servers").addObject().put("url", "/");
        ObjectNode paths = sorted((ObjectNode) document.path("paths"));
        paths.properties()
                .forEach(path -> path.getValue()
                        .properties()
                        .forEach(each -> operation(each.getKey(), path.getKey(), (ObjectNode) each.getValue())));
        whole.set("paths", paths);
        ObjectNode components = whole.putObject("components");
        components.set("schemas", schemas);
        components.set("responses", ApiProblems.shared());
        whole.set("tags", tags());
        return whole;
    }

    /** Whether it is what somebody sends. */
    private boolean isBody(Class<?> type) {
        return handlers.values().stream()
                .flatMap(handler -> Arrays.stream(handler.getMethodParameters()))
                .filter(parameter -> parameter.hasParameterAnnotation(RequestBody.class))
                .anyMatch(parameter -> parameter.getParameterType() == type);
    }

    private ArrayNode tags() {
        Map<String, String> groups = new TreeMap<>();
        handlers.values().forEach(handler -> groups.put(group(handler), Javadocs.of(handler.getBeanType())));
        ArrayNode tags = JSON.createArrayNode();
        groups.forEach((name, about) -> tags.addObject().put("name", name).put("description", about));
        return tags;
    }

    private static String group(HandlerMethod handler) {
        return handler.getBeanType().getSimpleName().replace("Controller", "");
    }

    private static void limit(String name, ObjectNode schema) {
        schema.path("properties").properties().forEach(property -> {
            ObjectNode known = FIELDS.get(name + "." + property.getKey());
            if (known != null) RecordSchema.narrow((ObjectNode) property.getValue(), known);
        });
    }

    private void operation(String method, String path, ObjectNode operation) {
        String route = method + " " + path;
        HandlerMethod handler = requireNonNull(handlers.get(route), route);
        String group = group(handler);
        String said = Javadocs.of(handler.getMethod());
        ObjectNode described = JSON.createObjectNode();
        described.putArray("tags").add(group);
        String summary = said.replaceAll("(?<=[.])\\s.*", "");
        described.put("summary", summary);
        if (!said.equals(summary)) described.put("description", said);
        described.put(
                "operationId",
                Character.toLowerCase(group.charAt(0))
                        + group.substring(1)
                        + Character.toUpperCase(handler.getMethod().getName().charAt(0))
                        + handler.getMethod().getName().substring(1));
        ArrayNode parameters = parameters(route, operation);
        if (!parameters.isEmpty()) described.set("parameters", parameters);
        if (method.equals("post") && !operation.has("requestBody")) {
            // Nobody reads it, but no form on another site can send it.
            operation
                    .putObject("requestBody")
                    .put("required", true)
                    .putObject("content")
                    .putObject("application/json")
                    .putObject("schema")
                    .put("type", "object");
        }
        if (operation.get("requestBody") instanceof ObjectNode body) {
            described.set("requestBody", body);
            EXAMPLES.forEach((end, example) -> {
                if (path.endsWith(end)) ((ObjectNode) content(body)).set("example", JSON.readTree(example));
            });
        }
        described.set("responses", responses(route, operation));
        operation.removeAll();
        operation.setAll(described);
    }

    private static JsonNode content(JsonNode body) {
        return body.path("content").iterator().next();
    }

    private static ArrayNode parameters(String route, ObjectNode operation) {
        ArrayNode all = JSON.createArrayNode();
        for (JsonNode parameter : operation.path("parameters")) {
            if (LISTS.containsKey(route)) {
                new TreeSet<>(LISTS.getOrDefault(route, List.of()))
                        .forEach(name -> all.add(parameter(route, "query", name, string())));
            } else {
                String name = parameter.path("name").asString();
                ObjectNode described =
                        parameter(route, parameter.path("in").asString(), name, (ObjectNode) parameter.path("schema"));
                if (described.path("in").asString().equals("path")) described.put("required", true);
                all.add(described);
            }
        }
        return all;
    }

    private static ObjectNode parameter(String route, String in, String name, ObjectNode schema) {
        ObjectNode parameter = JSON.createObjectNode().put("name", name).put("in", in);
        parameter.put("description", requireNonNull(described(route, name), () -> "describe " + name + " of " + route));
        ObjectNode known = SCHEMAS.getOrDefault(route + " " + name, SCHEMAS.getOrDefault(name, schema));
        parameter.set("schema", known.deepCopy());
        return parameter;
    }

    /** Some names mean one thing here and another there. */
    private static @Nullable String described(String route, String name) {
        String here = PARAMETERS.get(route + " " + name);
        return here == null ? PARAMETERS.get(name) : here;
    }

    private static ObjectNode responses(String route, ObjectNode operation) {
        ObjectNode responses = JSON.createObjectNode();
        operation.path("responses").properties().forEach(response -> {
            if (response.getKey().startsWith("2")) responses.set(response.getKey(), response.getValue());
        });
        ANSWERS.getOrDefault(route, Map.of()).entrySet().stream()
                .sorted(Map.Entry.comparingByKey())
                .forEach(answer -> responses
                        .putObject(answer.getKey())
                        .putObject("content")
                        .putObject(route.endsWith("/changes") ? "text/event-stream" : "application/json")
                        .putObject("schema")
                        .put("$ref", "#/components/schemas/" + answer.getValue()));
        responses.forEach(response -> ((ObjectNode) response)
                .put("description", route.endsWith("/changes") ? EVENTS : "What was asked for."));
        ApiProblems.addTo(responses, route, operation);
        return responses;
    }

    private static final String EVENTS = """
        Events, each on lines of its own: `event:` says what it is, `data:` has it as JSON. Besides those of the schema
        there may be `problem` with a Problem, after which the stream goes on once the trouble is over, and `end`
        with a StreamEnd, the last of a stream. A comment every 15 s keeps the connection open.
        """.strip();

    private static ObjectNode sorted(ObjectNode nodes) {
        ObjectNode sorted = JSON.createObjectNode();
        new TreeSet<>(nodes.propertyNames()).forEach(name -> sorted.set(name, nodes.get(name)));
        return sorted;
    }

    private static ObjectNode string() {
        return JSON.createObjectNode().put("type", "string");
    }

    private static ObjectNode integer(long least, long most, long otherwise) {
        ObjectNode schema = JSON.createObjectNode().put("type", "integer");
        return schema.put("minimum", least).put("maximum", most).put("default", otherwise);
    }

    static ObjectNode enumeration(Object... values) {
        ObjectNode schema = string();
        ArrayNode names = schema.putArray("enum");
        for (Object value : values) names.add(value.toString());
        return schema;
    }

    private static ObjectNode array(ObjectNode items) {
        ObjectNode schema = JSON.createObjectNode().put("type", "array");
        schema.set("items", items);
        return schema;
    }
}
